import type { Connection } from "#app/platform/connect.server.ts";
import { OTHERS } from "../db/demo/people.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { randomUUID } from "node:crypto";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { closeJoinedDialog } from "./joined.ts";
import { addPlayer, SILENT } from "./players.ts";
import { signInAs } from "./site.ts";

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

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("who pays for a game is in it, with the tab closed and on another device", async ({
      page,
      signIn,
      database,
      browser,
      baseURL,
      dataDir,
    }) => {
      const { who, id, line } = await stage(database, 400);
      await signIn(who);
      await goToPay(page, id, line);
      await expect(page.getByText(HELD)).toBeVisible();
      await expect(page.getByText("Once it is paid, you are in.")).toBeVisible();
      // Another device of the same player.
      const phone = await browser.newContext({ baseURL, javaScriptEnabled });
      await signInAs(phone, { url: baseURL!, dataDir, db: database.db }, who);
      const other = await phone.newPage();
      await other.goto(`/events/${id}`);
      await expect(other.getByText(HELD)).toBeVisible();
      await expect(other.getByRole("button", { name: "Continue to payment" })).toBeVisible();
      const paid = await payWithoutPage(page);
      await expect(async () => {
        await other.goto(`/events/${id}`);
        await expect(other.getByText("You're attending this game!")).toBeVisible({ timeout: 500 });
      }).toPass();
      await other.goto(paid);
      await expect(other.getByText("You're in", { exact: true })).toBeVisible();
      await expect(other.getByText("added, 10 spent on this game. New balance: 4")).toBeVisible();
      await other.getByRole("link", { name: "Go to the game" }).click();
      await closeJoinedDialog(other);
      await expect(other).toHaveURL(`/events/${id}`);
      await phone.close();
    });

    test("a card that fails keeps the spot, and a bank that confirms later books it", async ({
      page,
      signIn,
      database,
    }) => {
      const { who, id, line } = await stage(database, 400);
      await signIn(who);
      await goToPay(page, id, line);
      await page.getByRole("button", { name: "Fail" }).click();
      await expect(page.getByRole("alert")).toContainText("Nothing was paid.");
      await expect(page.getByText(HELD)).toBeVisible();
      await page.getByRole("button", { name: "Pay later" }).click();
      const bank = page.getByRole("heading", { name: "Your bank will confirm" });
      await expect(bank).toBeVisible();
      const checkout = page.url();
      await page.getByRole("link", { name: "Go on without waiting" }).click();
      await expect(page.getByText("Waiting for your bank")).toBeVisible();
      // The spot's time is over long before the bank's.
      await endHold(database, id);
      await page.goto(checkout);
      await page.getByRole("button", { name: "The bank confirms" }).click();
      await expect(page.getByText("You're in", { exact: true })).toBeVisible();
      await expect(page.getByText(/^Your spot was held no more, but another one/)).toBeVisible();
    });

    test("money that comes after the last spot is taken stays as credits", async ({
      page,
      signIn,
      database,
    }) => {
      const { who, id, line } = await stage(database, 400);
      await signIn(who);
      await goToPay(page, id, line);
      await endHold(database, id);
      const places = await fillGame(database, id);
      try {
        await page.reload();
        await page.getByRole("button", { name: "Pay 9.99 €" }).click();
        await expect(page.getByText("You are not in, and your credits stay")).toBeVisible();
        await expect(page.getByText(/^By then the game was full\. New balance: 14/)).toBeVisible();
        await expect(page.getByRole("link", { name: "Find another game" })).toBeVisible();
        await page.getByRole("link", { name: "Go to the waitlist" }).click();
        await expect(page.getByRole("button", { name: "Join waitlist" })).toBeVisible();
      } finally {
        const games = database.db.updateTable("games").set({ max_players: places });
        await games.where("id", "=", id).execute();
      }
    });
  });
}

/** Until when is read out, and without JavaScript shown. */
const HELD = /^Spot held for you until \d\d:\d\d/;

async function goToPay(page: Page, gameId: string, line: RegExp) {
  await page.goto(`/events/${gameId}`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Pay and join" }).click();
  const plans = page.getByRole("dialog", { name: "Choose Your Plan" });
  await expect(plans).toContainText("This game costs 10 credits. You have 4.");
  await expect(plans).toContainText(line);
  await expect(plans).toContainText("Your spot is held for 15 minutes.");
  await expect(plans.getByRole("radio", { name: "Just what is missing" })).toBeChecked();
  await plans.getByRole("radio", { name: /9,99 € per game/ }).check();
  await plans.getByRole("button", { name: "START PLAYING" }).click();
  await expect(page.getByText("Sandbox checkout — no real money")).toBeVisible();
}

/** The money arrives after the tab is closed; answers the page that nobody comes back to. */
async function payWithoutPage(page: Page): Promise<string> {
  const [url, context] = [page.url(), page.context()];
  const fields = page.locator("main form input");
  const form = await fields.evaluateAll((inputs) =>
    Object.fromEntries((inputs as HTMLInputElement[]).map(({ name, value }) => [name, value])),
  );
  await page.close();
  const paid = await context.request.post(url, {
    form: { ...form, intent: "pay" },
    maxRedirects: 0,
  });
  return paid.headers()["location"]!;
}

async function endHold({ db }: Connection, gameId: string) {
  const holds = db.updateTable("payment_holds").set({ expires_at: new Date() });
  await holds.where("game_id", "=", gameId).where("status", "=", "Held").execute();
}

/** Answers how many could play before. */
async function fillGame({ db }: Connection, gameId: string): Promise<number> {
  const game = db.selectFrom("games").select(["max_players", "seats_taken"]);
  const row = await game.where("id", "=", gameId).executeTakeFirstOrThrow();
  // Once the sweep has let the spot go.
  await expect(async () => {
    const full = db.updateTable("games").set({ max_players: row.seats_taken });
    await full.where("id", "=", gameId).execute();
  }).toPass();
  return row.max_players;
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

/** A new player with so many cents of credits, and a game with spots. */
async function stage({ db }: Connection, amountCents: number) {
  const { who, userId } = await addPlayer(db);
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
    .orderBy("starts_at")
    .executeTakeFirstOrThrow();
  const spots = game.max_players - game.seats_taken;
  return {
    who,
    id: game.id,
    line: new RegExp(`${game.name}\\s*.*\\d\\d:\\d\\d\\s*${spots} spots left`),
  };
}
