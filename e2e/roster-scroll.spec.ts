import { expect, type Page, test } from "./fixtures.ts";
import { aMatch } from "./matches.ts";

const CREW = ["Aino", "Bertta", "Cecilia", "Daniela", "Eevi", "Fanni", "Greta", "Helmi", "Iida"];
const entryOf = (page: Page) => page.evaluate(() => window.scrollY);

test("marking a player paid and saving a result keep the place on the page, and say who", async ({
  page,
  signIn,
  database,
}) => {
  const { gameId } = await aMatch(database, CREW, ["Wilma"]);
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  const toasts = page.getByRole("region", { name: "Notifications" });
  const trigger = page.getByRole("button", { name: "Mark paid Wilma" });
  await trigger.scrollIntoViewIfNeeded();
  await trigger.click();
  const before = await entryOf(page);
  expect(before).toBeGreaterThan(0);
  await page.getByRole("dialog").getByRole("button", { name: "Mark paid" }).click();
  await expect(toasts).toContainText("Wilma Example, 10.00");
  expect(await entryOf(page)).toBeGreaterThan(before / 2);
  await page.getByLabel("Team A").fill("5");
  await page.getByLabel("Team B").fill("3");
  const save = page.getByRole("button", { name: "Save result" });
  await save.scrollIntoViewIfNeeded();
  const atResult = await entryOf(page);
  await save.click();
  await expect(page.getByText("5–3 is recorded.")).toBeVisible();
  expect(await entryOf(page)).toBeGreaterThan(atResult / 2);
});
