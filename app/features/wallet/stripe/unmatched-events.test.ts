import { beforeAll, beforeEach, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { monthlyPurchase, PACK, singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { ben } from "#test/fixtures.ts";
import { listPacks } from "#app/features/wallet/packs.server.ts";
import { listUnmatchedEvents } from "./unmatched-events.server.ts";

const database = useDatabase();
beforeAll(() => somePacks(database.db));
beforeEach(async () => {
  await database.db.deleteFrom("stripe_events").execute();
});

const list = (limit = 100) => listUnmatchedEvents(database.db, limit);
async function emailOf(userId: string) {
  const profile = database.db.selectFrom("profiles").select("email").where("user_id", "=", userId);
  return (await profile.executeTakeFirstOrThrow()).email;
}
async function idOf(packKey: string) {
  return (await listPacks(database.db)).find(({ key }) => key === packKey)!.id;
}

test("each unmatched event suggests its own player and the pack that costs what was paid", async () => {
  const [one, other] = [await ben(database.db), await ben(database.db)];
  const wrong = singlePurchase(one, { amount_total: 500 });
  const shouting = singlePurchase(one.toUpperCase(), { amount_total: 500 });
  const unnamed = singlePurchase(null);
  const strange = singlePurchase("cus_1", { payment_link: "plink_other" });
  const subscribed = monthlyPurchase(other);
  const month = subscribed.paid(0, { amount_paid: 1 });
  const refund = singlePurchase(null).refunded(999);
  const events = [wrong, shouting, unnamed, strange].map(({ completed }) => completed);
  await deliverEvents(database, [...events, subscribed.completed, month, refund]);
  const byId = new Map((await list()).map((event) => [event.id, event]));
  const single = await idOf(PACK);
  // Nothing on sale costs 5.00 €, so as many credits as were paid.
  const known = { playerEmail: await emailOf(one), packId: await idOf("any_amount") };
  expect(events.map(({ id }) => byId.get(id))).toMatchObject([
    { ...known, canAssign: true, needsPack: true, paid: { amountCents: 500, currency: "eur" } },
    known,
    { playerEmail: null, packId: single },
    { playerEmail: null, packId: single },
  ]);
  expect(byId.get(month.id)).toMatchObject({
    playerEmail: await emailOf(other),
    // A month of another price is for a person to decide.
    packId: null,
    canAssign: true,
  });
  const nothing = { playerEmail: null, packId: null, paid: null, canAssign: false };
  expect(byId.get(refund.id)).toMatchObject({ ...nothing, reason: "unknown-payment" });
  expect(byId.size).toBe(6);
});

test("the list takes four queries, however many events there are", async () => {
  const count = async () => {
    let statements = 0;
    const counting = database.db.withPlugin({
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const events = await listUnmatchedEvents(counting, 100);
    return { statements, events: events.length };
  };
  expect(await count()).toEqual({ statements: 4, events: 0 });
  const userId = await ben(database.db);
  for (let n = 0; n < 20; n += 1) {
    await deliverEvents(
      database,
      singlePurchase(n % 2 ? userId : null, { amount_total: 1 }).completed,
    );
  }
  expect(await count()).toEqual({ statements: 4, events: 20 });
  expect(await list(7)).toHaveLength(7);
});
