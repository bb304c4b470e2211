import { expect, type Page, test } from "./fixtures.ts";
import { findGames } from "./games.ts";

const notice = (page: Page) => page.getByRole("region", { name: "Notifications" });
const share = (page: Page) => page.getByRole("button", { name: "SHARE GAME", exact: true });

// spec: 2.61, 2.82, 8.36
test("a game's link is copied where the browser cannot share", async ({
  page,
  context,
  baseURL,
  database,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => Object.assign(navigator, { share: undefined }));
  const { open } = await findGames(database.db);
  await page.goto(`/events/${open}?utm=x`);
  await share(page).click();
  await expect(notice(page)).toContainText("Link copied!");
  await expect(notice(page)).toContainText("Game link copied to clipboard");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${baseURL}/events/${open}`);
});

// spec: 8.37
test("a link that cannot be copied is told", async ({ page, database }) => {
  await page.addInitScript(() => {
    const writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    Object.assign(navigator, { share: undefined });
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
  });
  const { open } = await findGames(database.db);
  await page.goto(`/events/${open}`);
  await share(page).click();
  await expect(notice(page)).toContainText("Could not copy link to clipboard.");
});

// spec: 2.80, 2.81, 8.38
test("a browser that can share does, and a dismissed dialog is no failure", async ({
  page,
  baseURL,
  database,
}) => {
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));
  await page.addInitScript(() => {
    const shared: ShareData[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, {
      share: async (wish: ShareData) => {
        shared.push(wish);
        throw new DOMException("dismissed", "AbortError");
      },
    });
  });
  const { open } = await findGames(database.db);
  await page.goto(`/events/${open}`);
  await share(page).click();
  const shared = () => page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared);
  await expect
    .poll(shared)
    .toEqual([{ title: expect.stringMatching(/\d\d:\d\d$/), url: `${baseURL}/events/${open}` }]);
  await expect(notice(page).getByRole("listitem")).toHaveCount(0);
  expect(failures).toEqual([]);
});
