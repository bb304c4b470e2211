import { expect, test, WITH_SCRIPTS } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { addPlayer } from "./players.ts";
import { stageNoShow } from "./screens/no-shows.ts";
import { signInAs } from "./site.ts";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });

    test("on a phone a roster is one tap from the overview and from its game", async ({
      page,
      signIn,
      database,
    }) => {
      await signIn("admin");
      const { open } = await findGames(database.db);
      await page.goto(`/events/${open}`);
      const list = page.getByRole("link", { name: "Player list" });
      await expect(list).toBeInViewport();
      await list.click();
      await expect(page).toHaveURL(`/admin/games/${open}`);
      await page.goto("/events");
      const entry = page.getByRole("banner").getByRole("link", { name: "Admin" });
      await expect(entry).toBeInViewport({ ratio: 1 });
      await entry.click();
      await expect(page).toHaveURL("/admin");
      await expect(page.getByRole("link", { name: /^Overview/ })).toBeInViewport({ ratio: 1 });
      const due = page.getByRole("region", { name: /^(Today|Next game)$/ }).first();
      const game = due.getByRole("link").first();
      await expect(game).toBeInViewport({ ratio: 1 });
      await game.click();
      await expect(page).toHaveURL(/\/admin\/games\/[0-9a-f-]{36}$/);
    });

    test("a no-show is found, excused and counted again, and its player reads of it", async ({
      page,
      signIn,
      browser,
      baseURL: url = "",
      dataDir,
      database: { db },
    }) => {
      const { who, userId } = await addPlayer(db);
      await stageNoShow(db, userId, 3);
      const context = await browser.newContext({ baseURL: url });
      await signInAs(context, { url, dataDir, db }, who);
      const theirs = await context.newPage();
      const counts = theirs.getByText("1 no-show in the last 90 days.");
      const reads = async (isShown: boolean) => {
        await theirs.goto("/bookings");
        await expect(counts).toBeVisible({ visible: isShown });
      };
      await reads(true);

      await signIn("admin");
      await page.goto("/admin/players");
      await page.getByLabel("Name or email").fill(`${who}@uni.example`);
      await page.getByLabel("Show").selectOption("No-shows (90 days)");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("link", { name: /Kirsi Example.*1 no-show/ }).click();
      const noShows = page.getByRole("region", { name: "No-shows" });
      await noShows.locator("summary").click();
      await noShows.getByRole("button", { name: "Excuse this no-show" }).click();
      await expect(noShows.getByRole("alert")).toContainText("Note is required");
      await noShows.getByLabel("Note *").fill("Rang before");
      await noShows.getByRole("button", { name: "Excuse this no-show" }).click();
      await expect(noShows).toContainText("Rang before");
      await reads(false);
      await noShows.getByRole("button", { name: /^Count it again/ }).click();
      await expect(noShows).toContainText("1 no-show in the last 90 days.");
      await reads(true);
      await context.close();
    });

    test("a large correction is asked about, with the amount that was typed last", async ({
      page,
      signIn,
      database,
    }) => {
      const { userId } = await addPlayer(database.db);
      await signIn("admin");
      await page.goto(`/admin/players/${userId}`);
      await page.getByLabel("Credits *").fill("150");
      await page.getByLabel("Reason *").first().fill("Cup");
      await page.getByRole("button", { name: "Correct the balance" }).click();
      await expect(
        page.getByText("The balance is 0 credits and becomes 150 credits."),
      ).toBeVisible();
      await page.getByLabel("Credits *").fill("200");
      await page.getByRole("button", { name: "Give 150 credits" }).click();
      await expect(
        page.getByText("The balance is 0 credits and becomes 200 credits."),
      ).toBeVisible();
      await page.getByRole("button", { name: "Give 200 credits" }).click();
      await expect(page.getByText("200 credits", { exact: true }).first()).toBeVisible();
      await expect(page.getByRole("table")).toContainText("Cup");
    });
  });
}
