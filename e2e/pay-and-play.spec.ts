import { randomUUID } from "node:crypto";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { OTHERS } from "../db/demo/people.ts";
import { expect, type Page, test } from "./fixtures.ts";

for (const javaScriptEnabled of [true, false]) {
  const who = OTHERS.at(javaScriptEnabled ? -3 : -4)!.key;
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("from too few credits by the sandbox back to the game", async ({
      page,
      signIn,
      database,
    }) => {
      const game = await stage(database, who, 400);
      await signIn(who);
      await page.goto(`/events/${game}`);
      await page.getByRole("button", { name: "Join game" }).click();
      const plans = page.getByRole("dialog", { name: "Choose Your Plan" });
      await expect(plans).toContainText("You need 10 credits and have 4. You need 6 more.");
      await plans.getByRole("radio", { name: /9,99 € per game/ }).check();
      await plans.getByRole("button", { name: "START PLAYING" }).click();
      await page.getByRole("button", { name: "Pay 9.99 €" }).click();
      await expect(page.getByText("10 credits arrived")).toBeVisible();
      // With JavaScript it leads back by itself after a moment.
      if (!javaScriptEnabled) await page.getByRole("link", { name: /game/ }).first().click();
      await expect(page).toHaveURL(`/events/${game}`);
      if (javaScriptEnabled) await expectOldNewsGone(page);
      await page.getByRole("button", { name: "Join game" }).click();
      await expect(page.getByText("You're attending this game!")).toBeVisible();
      await page.goto("/wallet");
      await expect(page.getByRole("main")).toContainText("4 credits");
    });
  });
}

/** The way back from where one was led to does not stop at what has arrived. */
async function expectOldNewsGone(page: Page) {
  await page.goBack();
  await expect(page).toHaveURL(/\/demo\/checkout\//);
  await page.goForward();
  await expect(page).toHaveURL(/\/events\//);
}

/** Leaves a player with so many cents; answers a game with spots that the player is not in. */
async function stage({ db }: Connection, who: string, leftCents: number): Promise<string> {
  const player = await db
    .selectFrom("profiles")
    .select(["user_id", "wallet_balance_eur"])
    .where("email", "=", `${who}@uni.example`)
    .executeTakeFirstOrThrow();
  const { user_id: userId } = player;
  const amountCents = leftCents - centsFromNumeric(player.wallet_balance_eur);
  const grant = { userId, amountCents, reason: "Played", actor: "command", key: randomUUID() };
  await correctBalance(db, grant);
  const game = await db
    .selectFrom("games")
    .select("id")
    .where("status", "=", "Published")
    .where("starts_at", ">", new Date())
    .where("is_first_session_free", "=", false)
    .where("seats_taken", ">", 0)
    .where((eb) => eb("seats_taken", "<", eb("max_players", "-", 4)))
    .where(
      "id",
      "not in",
      db.selectFrom("bookings").select("game_id").where("user_id", "=", userId),
    )
    .orderBy("starts_at")
    .executeTakeFirstOrThrow();
  return game.id;
}
