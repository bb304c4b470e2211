import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { useErasure } from "#test/erasure.ts";
import { aPlayer, ben, hoursLater, markDeleted, NOW } from "#test/fixtures.ts";
import { mailJobs, pushOf } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { deliverEvents, everyOrder, singlePurchase, somePacks } from "#test/payments.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { FAILED_DAYS, listPaymentsUnderWay } from "./pending-payments.server.ts";

const database = useDatabase();
beforeAll(() => somePacks(database.db));

const listOf = (userId: string, now = NOW) => listPaymentsUnderWay(database.db, { userId, now });
const statesOf = async (userId: string, now = NOW) =>
  (await listOf(userId, now)).map(({ state }) => state);
async function statusOf(sessionId: string) {
  const rows = database.db.selectFrom("pending_payments").select(["status", "ended_at"]);
  return rows.where("session_id", "=", sessionId).executeTakeFirst();
}
async function noticesOf(userId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ queue: string }>(
    `select name as queue from pgboss.job where data->>'kind' = 'payment-failed'
       and (data->>'userId' = $1::text or data->>'subscriptionId' in
         (select id::text from push_subscriptions where user_id = $1::uuid)) order by 1`,
    [userId],
  );
  return rows.map(({ queue }) => queue);
}

async function aDevice(userId: string): Promise<void> {
  const device = "https://push.example/" + userId;
  await database.pool.query(
    `with session as (
       insert into sessions (user_id, token, expires_at) values ($1, $2, now()) returning id
     ) insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
       select $1, id, $2, 'p', 'a', now() from session`,
    [userId, device],
  );
}

test("a payment that a bank has yet to confirm is under way, with its amount", async () => {
  const userId = await ben(database.db);
  const { id, unpaid } = singlePurchase(userId);
  await deliverEvents(database, unpaid);
  expect(await listOf(userId)).toEqual([
    {
      sessionId: id,
      state: "pending",
      amountCents: 999,
      since: new Date(unpaid.created * 1_000),
      heldUntil: null,
      canBook: false,
      game: null,
    },
  ]);
});

test("a card's payment, a subscription and another's payment are not under way", async () => {
  const userId = await ben(database.db);
  await deliverEvents(database, [
    singlePurchase(userId).completed,
    singlePurchase(userId, { mode: "subscription" }).unpaid,
    singlePurchase(await ben(database.db)).unpaid,
    singlePurchase(userId, { currency: "usd" }).unpaid,
    singlePurchase(null).unpaid,
    singlePurchase(crypto.randomUUID()).unpaid,
  ]);
  expect(await listOf(userId)).toEqual([]);
});

test("a payment by a link that sells no pack is under way too", async () => {
  const userId = await ben(database.db);
  const free = { payment_link: "plink_free_amount", amount_total: 99 };
  await deliverEvents(database, singlePurchase(userId, free).unpaid);
  expect(await listOf(userId)).toMatchObject([{ amountCents: 99 }]);
});

type Purchase = ReturnType<typeof singlePurchase>;
type Part = "unpaid" | "succeeded" | "failed";

describe.each([
  ["Paid", ["unpaid", "succeeded"], [], 0],
  ["Failed", ["unpaid", "failed"], ["failed"], 1],
] as const)("a payment that ends as %s", (status, parts, shown, emails) => {
  test.each(ordersTwice(parts))("ends once in the order %s", async (order) => {
    const userId = await ben(database.db);
    await aDevice(userId);
    const purchase = singlePurchase(userId);
    for (const part of order.split(", ") as Part[]) {
      await deliverEvents(database, again(purchase, part));
    }
    // Where the money came first, nothing was ever under way.
    const isNone = status === "Paid" && order.startsWith("succeeded");
    const ended = isNone ? undefined : { status, ended_at: NOW };
    expect(await statusOf(purchase.id)).toEqual(ended);
    expect(await statesOf(userId)).toEqual(shown);
    const notices = ["mail.send", "push.send"].flatMap((queue) =>
      Array<string>(emails).fill(queue),
    );
    expect(await noticesOf(userId)).toEqual(notices);
  });
});

/** All orders of both events, each sent twice. */
function ordersTwice(parts: readonly Part[]) {
  return [...new Set(everyOrder([...parts, ...parts]).map((order) => order.join(", ")))];
}

let number = 0;
/** The same as another event, as Stripe may send it. */
function again(purchase: Purchase, part: Part): SentEvent {
  number += 1;
  return { ...purchase[part], id: `${purchase[part].id}${number}` };
}

test("money that comes after a failure counts, and a failure after the money does not", async () => {
  const userId = await ben(database.db);
  for (const order of [
    ["unpaid", "failed", "succeeded"],
    ["unpaid", "succeeded", "failed"],
  ] as const) {
    const purchase = singlePurchase(userId);
    for (const part of order) await deliverEvents(database, purchase[part]);
    expect(await statusOf(purchase.id)).toMatchObject({ status: "Paid" });
  }
  expect(await statesOf(userId)).toEqual([]);
  expect(await noticesOf(userId)).toEqual(["mail.send"]);
  const mails = await sendFailure(userId, (await listSessions(userId))[0]!);
  expect(mails).toEqual([]);
});

async function listSessions(userId: string) {
  const rows = database.db.selectFrom("pending_payments").select("session_id");
  const found = await rows.where("user_id", "=", userId).orderBy("created_at").execute();
  return found.map(({ session_id }) => session_id);
}

async function sendFailure(userId: string, payment: string): Promise<Mail[]> {
  const sent: Mail[] = [];
  const tools = testApp(database, () => NOW);
  const mails = mailJobs({ ...tools, mailer: async (mail) => void sent.push(mail) });
  await mails["payment-failed"]({ userId, payment });
  return sent;
}

test("a failure is said by email and push, with the amount and what to do", async () => {
  const userId = await ben(database.db);
  const { id, unpaid, failed } = singlePurchase(userId);
  await deliverEvents(database, [unpaid, failed]);
  const [mail] = await sendFailure(userId, id);
  expect(mail).toMatchObject({
    subject: "Your payment of 9.99\u00a0€ did not go through",
    key: `payment-failed:${id}`,
  });
  expect(mail!.text).toContain("Nothing was charged, and no credits were added.");
  expect(mail!.html).toContain('redirectTo=%2Fwallet"');
  expect(await pushOf(database, "payment-failed", [id, "", userId])).toMatchObject({
    title: "Your payment of 9.99\u00a0€ did not go through",
    url: "/wallet",
  });
});

test("a failure is in view for a week, and not once something was bought since", async () => {
  const [userId, other] = [await ben(database.db), await ben(database.db)];
  for (const player of [userId, other]) {
    await deliverEvents(database, Object.values(pickFailed(singlePurchase(player))));
  }
  const days = (count: number) => hoursLater(24 * count);
  expect(await statesOf(userId, days(FAILED_DAYS - 0.1))).toEqual(["failed"]);
  expect(await statesOf(userId, days(FAILED_DAYS))).toEqual([]);
  await deliverEvents(database, singlePurchase(userId).completed);
  await database.pool.query("update payments set created_at = $1", [hoursLater(1)]);
  expect(await statesOf(userId)).toEqual([]);
  expect(await statesOf(other)).toEqual(["failed"]);
});

const pickFailed = ({ unpaid, failed }: Purchase) => ({ unpaid, failed });

test("money whose credits an admin has to match is in view until that is done", async () => {
  const userId = await ben(database.db);
  const wrong = singlePurchase(userId, { amount_total: 500 });
  await deliverEvents(database, [wrong.unpaid, wrong.succeeded]);
  expect(await statesOf(userId)).toEqual(["unmatched"]);
  await database.pool.query(
    "update stripe_events set status = 'resolved', payload = null where object_id = $1",
    [wrong.id],
  );
  expect(await statesOf(userId)).toEqual([]);
});

test("what the version before has granted is no longer under way", async () => {
  const userId = await ben(database.db);
  const { id, unpaid, succeeded } = singlePurchase(userId);
  await deliverEvents(database, [unpaid, succeeded]);
  await database.pool.query(
    "update pending_payments set status = 'Pending', ended_at = null where session_id = $1",
    [id],
  );
  expect(await listOf(userId)).toEqual([]);
});

describe("a deleted account", () => {
  const scenario = useErasure();

  test.each(["succeeded", "failed"] as const)(
    "keeps its payment under way until it %s, and gets no email",
    async (end) => {
      const who = await scenario.player({ credits: 0 });
      const { id, unpaid, [end]: ended } = singlePurchase(who.userId);
      await deliverEvents(scenario.app, unpaid);
      expect(await scenario.remove(who)).toEqual({ ok: true });
      await deliverEvents(scenario.app, ended);
      const { rows } = await scenario.database.pool.query(
        "select status from pending_payments where session_id = $1",
        [id],
      );
      expect(rows).toEqual([{ status: end === "failed" ? "Failed" : "Paid" }]);
      const sent: Mail[] = [];
      const mailer = async (mail: Mail) => void sent.push(mail);
      await mailJobs({ ...scenario.app, mailer })["payment-failed"]({
        userId: who.userId,
        payment: id,
      });
      expect(sent).toEqual([]);
    },
  );
});

test("what comes for a deleted account first is not stored", async () => {
  const userId = await aPlayer(database.db);
  await markDeleted(database.db, userId);
  const { id, unpaid, failed } = singlePurchase(userId);
  await deliverEvents(database, [unpaid, failed]);
  expect(await statusOf(id)).toBeUndefined();
});
