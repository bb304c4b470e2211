import { expect, test } from "./fixtures.ts";
import { aMatch } from "./matches.ts";

const CREW = ["Aino", "Bertta", "Cecilia", "Daniela", "Eevi"];

test("a coming game shows who is in on the first screen of a phone, and has two columns at 1280", async ({
  page,
  signIn,
  database,
}) => {
  const { gameId } = await aMatch(database, CREW);
  // No match day yet.
  const starts = { date: "2099-05-05", start_time: "18:00", end_time: "19:30" };
  await database.db.updateTable("games").set(starts).where("id", "=", gameId).execute();
  await signIn("admin");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  const first = page.getByRole("listitem", { name: "Aino Example" });
  const facts = page.getByText("Seats taken", { exact: true });
  const boxOf = async (of: typeof first) => (await of.boundingBox())!;
  const { y, height } = await boxOf(first);
  expect(y + height).toBeLessThan(844 - 64);
  expect((await boxOf(facts)).y).toBeGreaterThan(y);
  // What is done each week is on one line.
  const edit = page.getByRole("link", { name: "Edit", exact: true });
  const menu = page.getByLabel("More", { exact: true });
  expect((await boxOf(edit)).y).toBe((await boxOf(menu)).y);
  await expect(page.getByRole("link", { name: "Duplicate" })).toBeHidden();
  await menu.click();
  await expect(page.getByRole("link", { name: "Duplicate" })).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 800 });
  const [players, beside] = [await boxOf(first), await boxOf(facts)];
  expect(beside.x).toBeGreaterThan(players.x + players.width);
  expect(beside.y).toBeLessThan(players.y + 200);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(1280);
});
