import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aPlayer, markDeleted } from "#test/fixtures.ts";
import { deliverEvents, monthlyPurchase, singlePurchase, somePacks } from "#test/payments.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { findReceipt } from "./receipts.server.ts";

const database = useDatabase(20);
withoutTimeouts(database);
beforeAll(() => somePacks(database.db));

const numbers = async () => {
  const rows = await sql<{ year: number; number: number }>`
    select receipt_year as year, receipt_number as number from payments order by 1, 2`.execute(
    database.db,
  );
  return rows.rows;
};

async function paymentOf(objectId: string): Promise<string> {
  const payments = database.db.selectFrom("payments").select("id");
  const { id } = await payments.where("stripe_object_id", "=", objectId).executeTakeFirstOrThrow();
  return id;
}

async function aPayment(created_at = new Date()) {
  const pack = await database.db.selectFrom("credit_packs").select("id").executeTakeFirstOrThrow();
  const ids = { user_id: await aPlayer(database.db), pack_id: pack.id };
  const amounts = { amount_eur: "9.99", credits_eur: "10.00" };
  const row = { stripe_object_id: `cs_${crypto.randomUUID()}`, ...ids, ...amounts, created_at };
  return database.db.insertInto("payments").values(row).execute();
}

const manyAtOnce = async () => {
  const inserts = Array.from({ length: 20 }, () => aPayment());
  const outcomes = await Promise.allSettled(inserts);
  return outcomes.filter(({ status }) => status === "rejected").length;
};

test("receipts are numbered 1, 2, 3 in each year of Helsinki, however often an event comes", async () => {
  await database.db.deleteFrom("payments").execute();
  for (const at of ["2025-12-31T21:59:59Z", "2025-12-31T22:00:00Z", "2025-06-01T12:00:00Z"]) {
    await aPayment(new Date(at));
  }
  expect(await numbers()).toEqual([
    { year: 2025, number: 1 },
    { year: 2025, number: 2 },
    { year: 2026, number: 1 },
  ]);
  const year = new Date().getUTCFullYear();
  const before = (await numbers()).filter((one) => one.year === year).length;
  const { completed, succeeded } = singlePurchase(await aPlayer(database.db));
  await deliverEvents(database, [completed, succeeded, completed]);
  await deliverEvents(database, singlePurchase(await aPlayer(database.db)).completed);
  const own = (await numbers()).filter((one) => one.year === year).slice(before);
  expect(own.map(({ number }) => number)).toEqual([before + 1, before + 2]);
});

test("payments inserted at once get numbers without a gap, and without the lock they do not", async () => {
  expect(await manyAtOnce()).toBe(0);
  const all = (await numbers()).filter(({ year }) => year === new Date().getUTCFullYear());
  expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));

  const found = await sql<{ source: string }>`
    select pg_get_functiondef('number_receipt()'::regprocedure) as source`.execute(database.db);
  const { source } = found.rows[0]!;
  await database.pool.query(source.replace(/perform pg_advisory_xact_lock\(\d+\);/, ""));
  let failed = 0;
  for (let round = 0; round < 100 && failed === 0; round += 1) failed = await manyAtOnce();
  await database.pool.query(source);
  expect(failed).toBeGreaterThan(0);
});

test("a receipt has what was bought, by whom, and what was refunded and disputed when", async () => {
  const userId = await aPlayer(database.db, { name: "Cleo" });
  const { id, completed, refunded, disputed } = singlePurchase(userId);
  const [returned, again] = [refunded(400), refunded(400)];
  const dispute = disputed("needs_response");
  const at = (seconds: number) => new Date(seconds * 1_000);
  await deliverEvents(database, [completed, { ...returned, created: 1_700_000_000 }]);
  await deliverEvents(database, [
    { ...again, created: 1_800_000_000 },
    { ...dispute, created: 1_750_000_000 },
  ]);
  const paymentId = await paymentOf(id);
  expect(await findReceipt(database.db, { paymentId, userId })).toMatchObject({
    paymentId,
    buyer: expect.stringMatching(/^Cleo Number/),
    pack: "Single game",
    creditsCents: 1_000,
    amountCents: 999,
    refundedCents: 400,
    refundedAt: at(1_700_000_000),
    disputes: [{ amountCents: 999, status: "needs_response", at: at(1_750_000_000) }],
  });
  const anotherUser = await aPlayer(database.db);
  expect(await findReceipt(database.db, { paymentId, userId: anotherUser })).toBeNull();
  expect(await findReceipt(database.db, { paymentId: "x", userId })).toBeNull();
});

test("a deleted account leaves amount and number to the books, and no name", async () => {
  const userId = await aPlayer(database.db);
  const { id, completed } = singlePurchase(userId);
  await deliverEvents(database, completed);
  await markDeleted(database.db, userId);
  const receipt = await findReceipt(database.db, { paymentId: await paymentOf(id) });
  expect(receipt).toMatchObject({ buyer: null, amountCents: 999, number: expect.any(Number) });
});

test("each month of a plan has a receipt of its own, with the pack's name as it was sold", async () => {
  const userId = await aPlayer(database.db);
  const plan = monthlyPurchase(userId);
  await deliverEvents(database, [plan.completed, plan.created, plan.paid(0), plan.paid(1)]);
  const renamed = database.db.updateTable("credit_packs").set({ pack_name: "Renamed" });
  await renamed.where("pack_key", "=", "monthly_4").execute();
  const [first, second] = await Promise.all(
    [0, 1].map(async (month) =>
      findReceipt(database.db, { paymentId: await paymentOf(plan.invoiceId(month)) }),
    ),
  );
  expect(first!.pack).not.toBe("Renamed");
  expect(second).toMatchObject({
    amountCents: 3_400,
    pack: first!.pack,
    number: first!.number + 1,
  });
});
