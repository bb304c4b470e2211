import { expect, type Page, test } from "./fixtures.ts";
import { addPlayer } from "./players.ts";
import { openStage } from "./waitlist-stage.ts";

/** Holds the scripts of the next page, and longer those whose name begins so. */
async function holdScripts(page: Page, lazy: string) {
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    const isLazy = new URL(route.request().url()).pathname.startsWith(`/assets/${lazy}`);
    await (isLazy ? loaded : started);
    await route.continue();
  });
  const requested = page.waitForRequest((request) => request.url().includes(`/assets/${lazy}`));
  return {
    /** Until the page has been hydrated around what is still missing. */
    async start() {
      start();
      await requested;
      await page.waitForFunction(isHydrated);
    },
    load,
  };
}

/** Runs in the browser: an effect of the page has run, after those of its first render. */
const isHydrated = () =>
  Object.keys(document.querySelector("main")!).some((key) => key.startsWith("__react"));

test("a waitlist's dialog that is opened before the scripts start stays open, as it was filled in", async ({
  page,
  baseURL,
  dataDir,
  database,
  signIn,
}) => {
  const stage = openStage({ url: baseURL!, dataDir, db: database.db }, database);
  const { gameId } = await stage.fullGame();
  await signIn((await stage.player()).who);
  const scripts = await holdScripts(page, "dialog-");
  await page.goto(`/events/${gameId}`, { waitUntil: "domcontentloaded" });
  await page.getByRole("button", { name: "Join waitlist" }).click();
  const dialog = page.getByRole("dialog", { name: "Join the waitlist" });
  await dialog.getByRole("radio", { name: "Ask me first" }).check();
  await dialog.evaluate((element) => element.setAttribute("data-same", ""));
  const isSame = () => expect(dialog).toHaveAttribute("data-same");
  await scripts.start();
  await isSame();
  scripts.load();
  await page.waitForLoadState("networkidle");
  await isSame();
  await expect(dialog.getByRole("radio", { name: "Ask me first" })).toBeChecked();
  await dialog.getByRole("button", { name: "Join waitlist" }).click();
  await expect(page.getByText("You are 1st of 1")).toBeVisible();
});

test("so does the question before a place is left", async ({
  page,
  baseURL,
  dataDir,
  database,
  signIn,
}) => {
  const stage = openStage({ url: baseURL!, dataDir, db: database.db }, database);
  const { gameId } = await stage.fullGame();
  const waiter = await stage.player();
  await stage.wait(waiter, gameId, "auto");
  await signIn(waiter.who);
  const scripts = await holdScripts(page, "dialog-");
  await page.goto(`/events/${gameId}`, { waitUntil: "domcontentloaded" });
  await page.getByRole("button", { name: "Manage" }).click();
  await page.getByRole("button", { name: "Leave waitlist" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave the waitlist?" });
  await dialog.evaluate((element) => element.setAttribute("data-same", ""));
  await scripts.start();
  await expect(dialog).toHaveAttribute("data-same");
  scripts.load();
  await page.waitForLoadState("networkidle");
  await expect(dialog).toHaveAttribute("data-same");
});

test("plans that are shown before the scripts start are not replaced by them", async ({
  page,
  database,
  signIn,
}) => {
  await signIn((await addPlayer(database.db)).who);
  const scripts = await holdScripts(page, "plan-choice");
  await page.goto("/wallet", { waitUntil: "domcontentloaded" });
  await page.getByRole("button", { name: "Buy credits" }).first().click();
  const plans = page.getByRole("dialog", { name: "Choose Your Plan" });
  await plans.evaluate((element) => element.setAttribute("data-same", ""));
  await scripts.start();
  scripts.load();
  await expect(plans).toHaveJSProperty("open", true);
  await page.waitForFunction(() => document.querySelector("dialog:modal") !== null);
  await expect(plans).toHaveAttribute("data-same");
});

test("each game of the list hydrates by itself, so that a tap on one waits for no other", async ({
  page,
  signIn,
}) => {
  await signIn("player");
  const html = await (await page.request.get("/events")).text();
  const cards = html.match(/<li[^>]*>(<!--\$-->)?<a [^>]*href="\/events\//g) ?? [];
  expect(cards.length).toBeGreaterThan(3);
  expect(cards.filter((card) => !card.includes("<!--$-->"))).toEqual([]);
});
