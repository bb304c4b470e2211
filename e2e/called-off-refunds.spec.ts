import { randomUUID } from "node:crypto";
import { expect, test, WITH_SCRIPTS } from "./fixtures.ts";
import { addPlayer, addRaceGames } from "./players.ts";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("the page of a cancellation follows its refunds until they are done", async ({
      page,
      signIn,
      database: { db },
    }) => {
      await signIn("admin");
      const { userId: user_id } = await addPlayer(db);
      const [game_id = ""] = await addRaceGames(db, { count: 1, spots: 10 });
      const seat = { user_id, game_id, payment_status: "Paid" as const, price_eur: "0" };
      await db.insertInto("bookings").values(seat).execute();
      const game = db.updateTable("games").set({ status: "Cancelled" });
      await game.where("id", "=", game_id).execute();
      const admins = db.selectFrom("user_roles").select("user_id").where("role", "=", "admin");
      const { user_id: cancelled_by } = await admins.limit(1).executeTakeFirstOrThrow();
      const id = randomUUID();
      await db.transaction().execute(async (holder) => {
        // The worker waits for the player meanwhile.
        const wallet = holder.selectFrom("profiles").select("user_id");
        await wallet.where("user_id", "=", user_id).forUpdate().execute();
        const row = { id, cancelled_by, created_at: new Date() };
        await db.insertInto("bulk_cancellations").values(row).execute();
        const rows = { cancellation_id: id, game_id };
        await db.insertInto("bulk_cancellation_games").values(rows).execute();
        await page.goto(`/admin/games/cancellations/${id}`);
        await expect(page.getByText("0 of 1 game refunded.")).toBeVisible();
        await expect(page.getByText("Refunds of 1 player to come")).toBeVisible();
      });
      const done = page.getByText("All refunds are done.");
      // The worker looks for what is unfinished every 15 seconds.
      await expect(done).toBeVisible({ timeout: 60_000 });
      await expect(page.getByText("1 booking has ended, with an email.")).toBeVisible();
    });
  });
}
