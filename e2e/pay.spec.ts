import type { Connection } from "#app/platform/connect.server.ts";
import { OTHERS } from "../db/demo/people.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { closeJoinedSheet } from "./joined.ts";
import { randomUUID } from "node:crypto";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { SILENT } from "./players.ts";
import { centsFromNumeric } from "#app/platform/money.ts";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  // Each kind has a player of its own, whom no other test uses.
  const who = OTHERS.at(javaScriptEnabled ? -1 : -2)!.key;
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("credits bought, and all that may come of it", async ({ page, signIn, database }) => {
      const before = await creditsOf(database, who);
      const expectMore = (credits: number) =>
        expect.poll(() => creditsOf(database, who)).toBe(before + credits);
      await signIn(who);
      await payOnce(page);
      await expectMore(10);
      await payLater(page, { confirmed: false });
      await expectMore(10);
      await payLater(page, { confirmed: true });
      await expectMore(20);
      await subscribe(page);
      await expectMore(60);
      await openPortal(page);
      const until = await paidUntil(page);
      await press(page, "Subscriptions", "Renew now", "Active");
      await expect.poll(() => paidUntil(page)).toBeGreaterThan(until);
      await expectMore(60);
      await press(page, "Payments", "Refund half", "17.00 € refunded");
      await expectMore(40);
      await press(page, "Payments", "Dispute", "Disputed");
      await expectMore(20);
      await press(page, "Payments", "Win dispute", "17.00 € refunded");
      await expectMore(40);
      await press(page, "Payments", "Refund", "Refunded");
      await expectMore(20);
      await press(page, "Subscriptions", "Cancel at period end", "Ends ");
      await press(page, "Subscriptions", "Cancel now", "Ended");
      await expectMore(20);
    });
  });
}

async function payOnce(page: Page) {
  await openCheckout(page, /9,99 € per game/);
  await page.getByRole("button", { name: "Fail" }).click();
  await expect(page.getByRole("alert")).toContainText("Your card was declined.");
  await page.getByRole("button", { name: "Pay 9.99 €" }).click();
  await expect(page.getByText("10 credits added")).toBeVisible();
}

async function payLater(page: Page, { confirmed }: { confirmed: boolean }) {
  await openCheckout(page, /9,99 € per game/);
  await page.getByRole("button", { name: "Pay later" }).click();
  await expect(page.getByRole("heading", { name: "Your bank will confirm" })).toBeVisible();
  if (confirmed) {
    await page.getByRole("button", { name: "The bank confirms" }).click();
    await expect(page.getByText("10 credits added")).toBeVisible();
  } else {
    await page.getByRole("button", { name: "The bank declines" }).click();
    await expect(page.getByRole("alert")).toContainText("Nothing was paid");
  }
}

async function subscribe(page: Page) {
  await openCheckout(page, /8\.50€ per game/);
  await page.getByRole("button", { name: "Subscribe for 34.00 €" }).click();
  await expect(page.getByText("40 credits added")).toBeVisible();
}

async function openCheckout(page: Page, pack: RegExp) {
  // A person looks before pressing; by then the page is awake.
  await page.goto("/bookings", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Buy credits" }).click();
  const dialog = page.getByRole("dialog", { name: "Choose Your Plan" });
  await expect(dialog).toBeVisible();
  const radio = dialog.getByRole("radio", { name: pack });
  if (!(await radio.isVisible())) {
    await dialog.getByRole("tab", { name: "Monthly Subscription" }).click();
  }
  await radio.check();
  await dialog.getByRole("button", { name: "START PLAYING" }).click();
  await expect(page).toHaveURL(/\/demo\/checkout\//);
  await expect(page.getByText("Sandbox checkout — no real money")).toBeVisible();
}

async function openPortal(page: Page) {
  await page.goto("/wallet");
  await page.getByRole("button", { name: "Manage subscription" }).click();
  await expect(page.getByText("Sandbox portal — no real money")).toBeVisible();
}

/** Presses a button of the newest subscription or payment, and reads the badge that follows. */
async function press(page: Page, list: string, button: string, badge: string) {
  const newest = newestOf(page, list);
  await newest.getByRole("button", { name: button, exact: true }).click();
  await expect(page.getByLabel("Notifications")).toContainText(`Done: ${button}`);
  await expect(newest).toContainText(badge);
}

/** The day to which the newest subscription is paid, as a number. */
async function paidUntil(page: Page): Promise<number> {
  const words = await newestOf(page, "Subscriptions").innerText();
  return Date.parse(/paid until (.+)/.exec(words)?.[1] ?? "");
}

function newestOf(page: Page, list: string) {
  return page.getByRole("region", { name: list }).getByRole("listitem").first();
}

async function creditsOf({ db }: Connection, who: string): Promise<number> {
  const profile = db.selectFrom("profiles").select("wallet_balance_eur as credits");
  const row = await profile.where("email", "=", `${who}@uni.example`).executeTakeFirstOrThrow();
  return Number(row.credits);
}

for (const javaScriptEnabled of [true, false]) {
  const who = OTHERS.at(javaScriptEnabled ? -3 : -4)!.key;
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("from too few credits by the sandbox into the game, with one tap", async ({
      page,
      signIn,
      database,
    }) => {
      const { id, line } = await stage(database, who, 400);
      await signIn(who);
      await page.goto(`/events/${id}`);
      await page.getByRole("button", { name: "Pay and join" }).click();
      const plans = page.getByRole("dialog", { name: "Choose Your Plan" });
      await expect(plans).toContainText("This game costs 10 credits. You have 4.");
      await expect(plans).toContainText(line);
      await expect(plans.getByRole("radio", { name: /9,99 € per game/ })).toBeChecked();
      await plans.getByRole("button", { name: "START PLAYING" }).click();
      await expect(page.getByText("Your spot is held for 15 minutes while you pay.")).toBeVisible();
      await page.getByRole("link", { name: "Back to game" }).click();
      await expect(page).toHaveURL(`/events/${id}`);
      await page.goBack();
      await page.getByRole("button", { name: "Pay 9.99 €" }).click();
      await expect(page.getByText("10 credits added")).toBeVisible();
      const game = page.getByRole("region", { name: "The game you bought credits for" });
      await expect(game).toContainText("Balance after: 4 credits");
      await page.reload();
      await game.getByRole("button", { name: "Join game" }).click();
      await closeJoinedSheet(page);
      await expect(page).toHaveURL(`/events/${id}`);
      await expect(page.getByText("You're attending this game!")).toBeVisible();
      await page.goto("/wallet");
      await expect(page.getByRole("main")).toContainText("4 credits");
    });
  });
}

test("with JavaScript a purchase from My Games leads back there by itself", async ({
  page,
  signIn,
}) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await signIn(OTHERS.at(-7)!.key);
  await payOnce(page);
  await expect(page).toHaveURL(/\/bookings$/);
  // The way back does not stop at what has been added.
  await page.goBack();
  await expect(page).toHaveURL(/\/demo\/checkout\//);
});

/** Sets a player's balance in cents; returns a game with spots that the player is not in. */
async function stage({ db }: Connection, who: string, leftCents: number) {
  const player = await db
    .selectFrom("profiles")
    .select(["user_id", "wallet_balance_eur"])
    .where("email", "=", `${who}@uni.example`)
    .executeTakeFirstOrThrow();
  const { user_id: userId } = player;
  const amountCents = leftCents - centsFromNumeric(player.wallet_balance_eur);
  const grant = { userId, amountCents, reason: "Played", actor: "command", key: randomUUID() };
  await correctBalance(db, SILENT, grant);
  const game = await db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select(["games.id", "name", "max_players", "seats_taken"])
    .where("status", "=", "Published")
    .where("starts_at", ">", new Date())
    .where("is_first_session_free", "=", false)
    .where("seats_taken", ">", 0)
    .where((eb) => eb("seats_taken", "<", eb("max_players", "-", 4)))
    .where(
      "games.id",
      "not in",
      db.selectFrom("bookings").select("game_id").where("user_id", "=", userId),
    )
    .orderBy("starts_at")
    .executeTakeFirstOrThrow();
  const spots = game.max_players - game.seats_taken;
  return {
    id: game.id,
    line: new RegExp(`${game.name}, .*\\d\\d:\\d\\d\\s·\\s${spots} spots left`),
  };
}
