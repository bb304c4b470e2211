import { expect, test, WITH_SCRIPTS } from "./fixtures.ts";
import { addGame } from "../db/insert.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { openMail } from "./newcomers.ts";
import { addPlayer, SILENT } from "./players.ts";

// The worker looks every 15 seconds.
const DECIDED = { timeout: 40_000 };

/** Two games of one city on one day, the first with a minimum; nothing else is played there. */
async function addGames(db: Db, city: string) {
  const venue = db
    .insertInto("venues")
    // In no list, which other tests count.
    .values({ name: `${city} Hall`, city, is_hidden: true })
    .returning("id");
  const { id: venue_id } = await venue.executeTakeFirstOrThrow();
  const date = addDays(helsinkiDate(new Date()), 20);
  const game = { title: "Futsal", status: "Published" as const, max_players: 10, venue_id, date };
  const first = { ...game, start_time: "18:00", end_time: "19:30", min_players: 6 };
  const second = { ...game, start_time: "20:00", end_time: "21:30" };
  return { gameId: await addGame(db, first), otherId: await addGame(db, second) };
}

const decideNow = (db: Db, gameId: string) =>
  db.updateTable("games").set({ decides_at: new Date() }).where("id", "=", gameId).execute();

async function aPlayerWithCredits(db: Db, credits: number) {
  const { who, userId } = await addPlayer(db);
  const grant = { reason: "Welcome", actor: "command", key: userId, amountCents: credits * 100 };
  await correctBalance(db, SILENT, { ...grant, userId });
  return { who, userId };
}

for (const javaScriptEnabled of WITH_SCRIPTS) {
  const kind = javaScriptEnabled ? "with JavaScript" : "as plain HTML";
  test.describe(kind, () => {
    test.use({ javaScriptEnabled });
    test.setTimeout(120_000);

    test("called off at the decision, and moved to another game by the email's link", async ({
      page,
      signIn,
      database: { db },
    }) => {
      const { who } = await aPlayerWithCredits(db, 10);
      const { gameId, otherId } = await addGames(db, javaScriptEnabled ? "Kerava" : "Porvoo");
      await signIn(who);
      await page.goto(`/events/${gameId}`);
      const main = page.getByRole("main");
      await expect(main).toContainText("On from 6 players. 0 so far. Decided");
      await page.getByRole("button", { name: "Join game" }).click();
      await expect(main.getByText("You're attending this game!")).toBeVisible();
      await expect(main).toContainText("On from 6 players. 1 so far.");

      await decideNow(db, gameId);
      await expect(async () => {
        await page.goto(`/events/${gameId}`);
        const text = "This game was called off: too few players.";
        await expect(main).toContainText(text, { timeout: 200 });
      }).toPass(DECIDED);
      const mail = await openMail(page, `${who}@uni.example`, "Game cancelled");
      await expect(mail).toContainText("10 credits are back in your wallet.");
      await mail.getByRole("link", { name: "Open the link" }).click();
      await expect(page).toHaveURL(new RegExp(`/events/${otherId}#join$`));
      await expect(main).toContainText("Balance after: 0 credits");
      await page.getByRole("button", { name: "Join game" }).click();
      await expect(main.getByText("You're attending this game!")).toBeVisible();
    });

    test("the organiser plays with too few, and everybody reads so", async ({
      page,
      signIn,
      database: { db },
    }) => {
      const { who } = await addPlayer(db);
      await makeAdmin(db, `${who}@uni.example`, "command");
      const { gameId } = await addGames(db, javaScriptEnabled ? "Lohja" : "Salo");
      await signIn(who);
      await page.goto(`/admin/games/${gameId}`);
      const main = page.getByRole("main");
      await expect(main).toContainText("0 of 6 players");
      await page.getByRole("button", { name: "Play anyway" }).click();
      const dialog = page.getByRole("dialog", { name: "Play with fewer?" });
      await expect(dialog).toContainText("Nobody is in yet.");
      await dialog.getByRole("button", { name: "Play with however many come" }).click();
      await expect(main).toContainText("It is played with however many come: 0 so far.");
      await expect(page.getByRole("button", { name: "Play anyway" })).toHaveCount(0);
      await page.goto(`/events/${gameId}`);
      await expect(main).toContainText("On in any case: 0 players so far.");
    });
  });
}
