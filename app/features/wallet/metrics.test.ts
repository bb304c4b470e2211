import { expect, test } from "vitest";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import { useDatabase } from "#test/db.ts";
import { ben, hoursLater, NOW } from "#test/fixtures.ts";
import { sumCredits, sumIncome } from "./metrics.server.ts";
import { isMoneyGone } from "./rules.ts";

const database = useDatabase();
const DAY = 24;
const question = { weeks: weeksUntil(NOW, 3), now: NOW };

let number = 0;
async function pay(userId: string, hours: number, { amount = 10, refunded = 0 } = {}) {
  number += 1;
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into payments (stripe_object_id, user_id, pack_id, amount_eur, credits_eur,
       refunded_eur, created_at)
     select 'cs_' || $1, $2, id, $3, $3, $4, $5 from credit_packs limit 1 returning id`,
    [number, userId, amount, refunded, hoursLater(hours)],
  );
  return rows[0]!.id;
}
const dispute = (id: string, payment: string, status: string) =>
  database.pool.query("insert into disputes values ($1, $2, 4, $3)", [id, payment, status]);

test("income by the week it was paid in, and what of it has gone back since", async () => {
  const userId = await ben(database.db);
  await database.pool.query(
    `insert into credit_packs (pack_key, pack_name, price_eur, total_credit_eur)
     values ('one', 'One', 10, 10)`,
  );
  expect(await sumIncome(database.db, question)).toBeNull();
  await pay(userId, -30 * DAY, { refunded: 10 });
  await pay(userId, -7 * DAY, { amount: 34, refunded: 17 });
  await pay(userId, -1, { amount: 9.99 });
  await pay(userId, 1);
  expect(await sumIncome(database.db, question)).toEqual([
    { payments: 0, paidCents: 0, returnedCents: 0 },
    { payments: 1, paidCents: 3_400, returnedCents: 1_700 },
    { payments: 1, paidCents: 999, returnedCents: 0 },
  ]);
});

const STATUSES = [
  ...["warning_needs_response", "warning_under_review", "warning_closed", "needs_response"],
  ...["under_review", "won", "lost", "prevented"],
];

test.each(STATUSES)("a dispute that is %s", async (status) => {
  const before = (await sumIncome(database.db, question))![2]!;
  const payment = await pay(await ben(database.db), -2, { amount: 10, refunded: 8 });
  await dispute(`dp_${status}`, payment, status);
  const after = (await sumIncome(database.db, question))![2]!;
  // Never more than was paid.
  expect(after.returnedCents - before.returnedCents).toBe(isMoneyGone(status) ? 1_000 : 800);
});

const entry = (userId: string, hours: number, type: string, amount: number, status = "completed") =>
  database.pool.query(
    `insert into wallet_transactions (user_id, type, amount_eur, status, business_key, created_at)
     values ($1, $2, $3, $4, gen_random_uuid(), $5)`,
    [userId, type, amount, status, hoursLater(hours)],
  );

test("what wallets held at the end of each week", async () => {
  expect(await sumCredits(database.db, question)).toBeNull();
  const userId = await ben(database.db);
  await entry(userId, -30 * DAY, "topup", 100);
  await entry(userId, -14 * DAY, "deduction", -10);
  await entry(userId, -7 * DAY, "refund", 9.01);
  await entry(userId, -6 * DAY, "topup", 1_000, "pending");
  await entry(userId, -DAY, "expiry", -50);
  await entry(userId, -1, "topup", 20.5);
  const balance = 69.51;
  await database.pool.query("update profiles set wallet_balance_eur = $2 where user_id = $1", [
    userId,
    balance,
  ]);
  expect(await sumCredits(database.db, question)).toEqual({
    totalCents: 6_951,
    weeks: [
      { addedCents: 0, goneCents: 1_000, outstandingCents: 9_000 },
      { addedCents: 901, goneCents: 0, outstandingCents: 9_901 },
      { addedCents: 2_050, goneCents: 5_000, outstandingCents: 6_951 },
    ],
  });
});
