import { addGame, addVenue } from "../db/insert.ts";
import { expect, test, WITH_SCRIPTS } from "./fixtures.ts";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("a filter survives the way to a game and back", async ({ page, signIn, database }) => {
      const name = `Filter Hall ${javaScriptEnabled}`;
      const place = { name, city: "Espoo", address: "Otakaari 1", is_hidden: true };
      const venueId = await addVenue(database.db, place);
      const game = {
        ...{ date: "2026-03-02", start_time: "18:00", end_time: "19:00", max_players: 10 },
        ...{ venue_id: venueId, status: "Published" as const },
      };
      await addGame(database.db, { ...game, title: "Winter fives" });
      await addGame(database.db, { ...game, title: "Spring sevens", date: "2026-03-09" });
      await signIn("admin");
      await page.goto("/admin/games");
      const when = page.getByLabel("When");
      const venue = page.getByLabel("Venue");
      if (javaScriptEnabled) {
        // By keyboard: each step applies, and the focus stays.
        await when.focus();
        await when.selectOption("past");
        await expect(page).toHaveURL(/when=past/);
        await expect(when).toBeFocused();
        await expect(venue).toBeHidden();
        await page.getByText("More filters").click();
        await venue.selectOption(venueId);
      } else {
        await when.selectOption("past");
        await page.getByText("More filters").click();
        await venue.selectOption(venueId);
        await page.getByRole("button", { name: "Show" }).click();
      }
      const rows = page.getByRole("link", { name: new RegExp(`${name}, Espoo`) });
      await expect(rows).toHaveCount(2);
      await expect(page.getByText("2 results")).toHaveCount(1);
      const address = page.url();
      await rows.first().click();
      await expect(page.getByRole("heading", { name: "Spring sevens" })).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(address);
      await expect(when).toHaveValue("past");
      await expect(venue).toHaveValue(venueId);

      await page.getByLabel("Search").fill("winter");
      await page.getByLabel("Search").press("Enter");
      await expect(rows).toHaveCount(1);
      await expect(rows).toContainText("No players");
      if (!javaScriptEnabled) return;
      await expect(page.getByLabel("Search")).toBeFocused();
      await rows.click();
      await expect(page.getByRole("heading", { name: "Winter fives" })).toBeVisible();
      await page.reload();
      await page.getByRole("main").getByRole("link", { name: "Games", exact: true }).last().click();
      await expect(page).toHaveURL(/when=past.*q=winter|q=winter.*when=past/);
      await expect(rows).toHaveCount(1);
      await page
        .getByRole("navigation", { name: "Admin" })
        .getByRole("link", { name: "Games" })
        .click();
      await expect(page).toHaveURL("/admin/games");
      await expect(when).toHaveValue("to-come");
      await expect(page.getByLabel("Search")).toHaveValue("");
    });
  });
}
