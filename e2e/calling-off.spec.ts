import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { enterPlayer, join } from "./players.ts";
import { addVenue } from "../db/insert.ts";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("a series over another game is asked about, cancelled with a reason and deleted", async ({
      page,
      signIn,
      baseURL: url = "",
      dataDir,
      database,
    }) => {
      const hall = `Hall ${javaScriptEnabled ? "one" : "two"}`;
      const venue_id = await addVenue(database.db, { name: hall, city: "Espoo" });
      await signIn("admin");
      const [first = "", second = "", third = ""] = await publishSeries(
        page,
        { hall, isAsked: !javaScriptEnabled },
        database.db,
      );
      await publishOver(page, first);

      const name = `called-off-${javaScriptEnabled}`;
      const place = { url, dataDir, stop: async () => {} };
      const player = await enterPlayer(place, database, { name, credits: 10 });
      expect(await join(url, player, second)).toBe(302);

      await page.goto(`/admin/games/${second}`);
      await page.getByRole("link", { name: "Cancel this and following games" }).click();
      await expect(page.getByText("2 games, 1 player. 10 credits")).toBeVisible();
      await page.getByLabel("Message to the players").fill("The hall is flooded.");
      await page.getByRole("button", { name: "Cancel 2 games for good" }).click();
      await expect(page.getByText("1 player was refunded in full, 10 credits")).toBeVisible();
      await expectMail(page, `${name}@uni.example`, "The hall is flooded.");

      await page.goto(`/admin/games/${third}`);
      await page.getByLabel("More", { exact: true }).click();
      await page.getByRole("link", { name: "Delete game" }).click();
      await page.getByRole("button", { name: "Delete game" }).click();
      await expect(page).toHaveURL("/admin/games");
      const answer = await page.goto(`/events/${third}`);
      expect(answer?.status()).toBe(404);

      const days = "from=2020-01-01&to=2099-12-31";
      await page.goto(`/admin/venues/${venue_id}/cancel-games?${days}`);
      await page.getByRole("button", { name: "Cancel 2 games for good" }).click();
      await expect(page).toHaveURL(`/admin/venues/${venue_id}`);
      await expect(page.getByText("2 games cancelled")).toBeVisible();
      // Other tests count the venues.
      const venues = database.db.updateTable("venues").set({ is_hidden: true });
      await venues.where("id", "=", venue_id).execute();
    });
  });
}

type Db = Parameters<typeof addVenue>[0];

/** The ids of three weekly games. */
async function publishSeries(
  page: Page,
  { hall, isAsked }: { hall: string; isAsked: boolean },
  db: Db,
): Promise<string[]> {
  await page.goto("/admin/games/new");
  await page.getByLabel("Venue").selectOption(`${hall}, Espoo`);
  await page.getByLabel("Title").fill(`Weekly at ${hall}`);
  await page.getByLabel("Weeks").fill("3");
  await page.getByRole("button", { name: "Publish" }).click();
  if (isAsked) {
    await expect(page.getByText("Tick those to leave out")).not.toHaveCount(0);
    // None, whatever holiday is among them.
    for (const box of await page.locator("[name=leftOut]").all()) await box.uncheck();
    await page.getByRole("button", { name: "Publish" }).click();
  }
  await expect(page.getByRole("heading", { name: "Series" })).toBeVisible();
  const games = db.selectFrom("games").select("id").where("title", "=", `Weekly at ${hall}`);
  return (await games.orderBy("starts_at").execute()).map(({ id }) => id);
}

/** A game at the same hour: the page names the one that is there. */
async function publishOver(page: Page, gameId: string) {
  await page.goto(`/admin/games/${gameId}/edit`);
  const date = await page.getByLabel("Date").inputValue();
  await page.goto(`/admin/games/new?from=${gameId}`);
  await page.getByLabel("Date").fill(date);
  await page.getByRole("button", { name: "Publish" }).click();
  const question = page.getByRole("alert");
  await expect(question.getByText(/^The venue is taken on/)).toBeVisible();
  await expect(question.getByRole("link")).toHaveAttribute("href", `/admin/games/${gameId}`);
  await question.getByRole("button", { name: "Publish anyway" }).click();
  await expect(page.getByText("Players can join now.")).toBeVisible();
}

/** The email is sent a moment after the response. */
async function expectMail(page: Page, address: string, text: string) {
  const mails = page.getByRole("article").filter({ hasText: `To ${address}` });
  await expect(async () => {
    await page.goto("/demo/outbox");
    await expect(mails.filter({ hasText: text })).toHaveCount(1, { timeout: 200 });
  }).toPass();
}
