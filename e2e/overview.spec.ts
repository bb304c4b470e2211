import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures.ts";

test("charts are drawn within the policy, filtered and downloaded", async ({ page, signIn }) => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await signIn("admin");
  await page.goto("/admin");
  const chart = page.getByRole("img", { name: "Games and fill rate by week, as bars" });
  // A chart may be drawn again under the pointer, which then has to move again.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await chart.locator("svg g").last().hover();
    await expect(chart).toContainText(/Spots taken: \d+Spots: \d+/, { timeout: 1_000 });
  }).toPass();
  const games = page.getByRole("article", { name: "Games and fill rate" });
  const table = games.getByRole("table");
  await expect(table).toBeHidden();
  await games.getByText("Numbers by week").click();
  await expect(table.getByRole("row")).toHaveCount(13);
  await page.getByLabel("Period").selectOption("Last 4 weeks");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/weeks=4/);
  await expect(table.getByRole("row")).toHaveCount(5);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    games.getByRole("link", { name: "Download Games and fill rate as CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^games-\d{4}-\d\d-\d\d\.csv$/);
  const lines = readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(lines).toHaveLength(5);
  expect(lines[0]).toContain("Week from,Venue,Games");
  expect(complaints).toEqual([]);
});

test.describe("as plain HTML", () => {
  test.use({ javaScriptEnabled: false });

  test("the numbers stand open, and the filter is a form", async ({ page, signIn }) => {
    await signIn("admin");
    await page.goto("/admin");
    await page.getByLabel("Period").selectOption("Last 4 weeks");
    await page.getByRole("button", { name: "Show" }).click();
    const games = page.getByRole("article", { name: "Games and fill rate" });
    await expect(games.getByRole("row")).toHaveCount(5);
    await expect(
      games.getByRole("link", { name: "Download Games and fill rate as CSV" }),
    ).toBeVisible();
  });
});
