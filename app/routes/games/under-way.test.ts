import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, ben, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { mailJobs, pushOf } from "#test/notices.ts";
import { payingOf } from "#test/payment-holds.ts";
import { deliverEvents, singlePurchase, somePacks } from "#test/payments.ts";
import { signIn } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import type { Mail } from "#app/platform/mail.server.ts";

const database = useDatabase();
const paying = payingOf(database);
beforeAll(() => somePacks(database.db));

/** A game that a player went to pay for, by a bank that has yet to confirm it. */
async function aPayer() {
  const [userId, gameId] = [await ben(database.db), await aGame(database.db, { startsIn: 96 })];
  await paying.hold(gameId, userId);
  const purchase = singlePurchase(userId);
  await deliverEvents(database, purchase.unpaid);
  return { userId, gameId, purchase };
}

async function pageOf(userId: string, path: string, now = NOW) {
  const app = testApp(database, () => now);
  const cookie = await signIn(app, userId);
  return (await (await openSite(app))(path, { cookie })).text();
}

const LATER = "If it comes later and no spot is free, you keep the credits.";
const AFTER = "If a spot is free when the money comes, you are in. If not, you keep the credits.";

test("a game that a bank's payment is for says until when its spot is held, and what follows", async () => {
  const { userId, gameId } = await aPayer();
  const html = await pageOf(userId, `/events/${gameId}`);
  expect(html).toContain("Waiting for your bank · 9.99\u00a0€, since");
  const said = `Not in yet. If the money comes by 12:15, you are in.\n${LATER}`;
  // Once, in the bar; the page's data has it too.
  const shown = html.replaceAll(/<script.*?<\/script>/gs, "");
  expect(shown.split(said)).toHaveLength(2);
  expect(shown.match(/Waiting for your bank/g)).toHaveLength(1);
  await paying.sweep(hoursLater(1));
  expect(await pageOf(userId, `/events/${gameId}`, hoursLater(1))).toContain(
    `Not in yet: your spot was held until 12:15.\n${AFTER}`,
  );
});

test("neither another game nor another player's page says it", async () => {
  const { userId, gameId } = await aPayer();
  const other = await aGame(database.db);
  expect(await pageOf(userId, `/events/${other}`)).not.toContain("Waiting for your bank");
  const page = await pageOf(await ben(database.db), `/events/${gameId}`);
  expect(page).not.toContain("Waiting for your bank");
});

test("money that a bank confirms two days later books the game, and nothing waits any more", async () => {
  const { userId, gameId, purchase } = await aPayer();
  const later = hoursLater(48);
  await paying.sweep(hoursLater(1));
  await deliverEvents(database, purchase.succeeded, later);
  await paying.work(later);
  expect(await bookingsOf(database.db, gameId)).toMatchObject([
    { user_id: userId, payment_status: "Paid" },
  ]);
  const html = await pageOf(userId, `/events/${gameId}`, later);
  expect(html).not.toContain("Waiting for your bank");
});

test("a player who stopped paying for the game reads that the money does not book it", async () => {
  const { userId, gameId } = await aPayer();
  await paying.stop(gameId, userId);
  expect(await pageOf(userId, `/events/${gameId}`)).toContain(
    "It does not book this game any more: its credits go to your wallet.",
  );
});

test("a failure is said at its game, where email and push lead, and the next payment books it", async () => {
  const { userId, gameId, purchase } = await aPayer();
  await deliverEvents(database, purchase.failed);
  expect(await pageOf(userId, `/events/${gameId}`)).toContain("Payment failed · 9.99\u00a0€");
  const sent: Mail[] = [];
  const mailer = async (mail: Mail) => void sent.push(mail);
  const mails = mailJobs({ ...testApp(database, () => NOW), mailer });
  await mails["payment-failed"]({ userId, payment: purchase.id });
  expect(sent[0]!.text).toContain("You are not in the game by it.");
  expect(sent[0]!.html).toContain(`redirectTo=%2Fevents%2F${gameId}"`);
  const push = await pushOf(database, "payment-failed", [purchase.id, "", userId]);
  expect(push).toMatchObject({ url: `/events/${gameId}` });
  await paying.pay(userId);
  expect(await bookingsOf(database.db, gameId)).toMatchObject([{ user_id: userId }]);
});
