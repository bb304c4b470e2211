import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { ada, balanceCents, ben, everything, markDeleted } from "#test/fixtures.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { correctBalance } from "./correct-balance.server.ts";
import { listEntries } from "./statement.server.ts";
import { topUp } from "./ledger.server.ts";

const database = useDatabase(20);
let key: string;
beforeEach(() => {
  key = crypto.randomUUID();
});
const correct = (userId: string, amountCents: number, reason = "Rained off", formKey = key) =>
  correctBalance(database.db, database.jobs, {
    userId,
    amountCents,
    reason,
    actor: "admin-1",
    key: formKey,
  });
const auditEntries = () => database.db.selectFrom("audit_log").selectAll().orderBy("id").execute();

test("a form that arrives ten times at once is booked once", async () => {
  const userId = await ben(database.db);
  const results = await Promise.all(Array.from({ length: 10 }, () => correct(userId, 901)));
  expect(results.filter((result) => result.ok && !result.isRepeat)).toHaveLength(1);
  expect(results.filter((result) => result.ok)).toHaveLength(10);
  expect(await balanceCents(database.db, userId)).toBe(901);
  expect((await auditEntries()).filter(({ subject }) => subject === userId)).toHaveLength(1);
  expect((await checkBooks(database.db)).differences).toEqual([]);
});

test("the player reads the reason, the log says what was before and after, and not why", async () => {
  const userId = await ada(database.db);
  await correct(userId, -1_250);
  const [entry] = await listEntries(database.db, { userId, limit: 1 });
  const booked = { type: "adjustment", amountCents: -1_250, balanceCents: 8_750 };
  expect(entry).toMatchObject({ ...booked, note: "Rained off" });
  const auditEntry = (await auditEntries()).at(-1);
  expect(auditEntry).toMatchObject({ actor: "admin-1", action: "wallet.grant", subject: userId });
  expect(auditEntry).toHaveProperty("details", {
    key,
    credits: "-12.50",
    before: { balance: "100" },
    after: { balance: "87.50" },
  });
});

test("concurrent corrections are all applied and no balance falls below 0", async () => {
  const userId = await ada(database.db);
  const amounts = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? -1_500 : 500));
  const results = await Promise.all(
    amounts.map((amount, n) => correct(userId, amount, "Sorry", `${key}-${n}`)),
  );
  const moved = amounts.filter((_, n) => results[n]?.ok).reduce((sum, amount) => sum + amount, 0);
  expect(await balanceCents(database.db, userId)).toBe(10_000 + moved);
  expect(results).toContainEqual(expect.objectContaining({ ok: false, reason: "too-few" }));
  expect((await checkBooks(database.db)).differences).toEqual([]);
});

test("a payment reported twice is topped up once, also concurrently", async () => {
  const userId = await ben(database.db);
  const topUps = Array.from({ length: 10 }, () =>
    topUp(database.db, { userId, amountCents: 1_000, key: "payment-1" }).then(
      () => "added",
      () => "rejected",
    ),
  );
  expect((await Promise.all(topUps)).filter((result) => result === "added")).toHaveLength(1);
  expect(await balanceCents(database.db, userId)).toBe(1_000);
});

describe("nothing is written", () => {
  test("below 0", async () => {
    const userId = await ada(database.db);
    const before = await everything(database.db);
    expect(await correct(userId, -10_001)).toMatchObject({
      ok: false,
      reason: "too-few",
      wallet: { balanceCents: 10_000, debtCents: 0 },
    });
    expect(await everything(database.db)).toEqual(before);
    expect(await correct(userId, -10_000)).toEqual({ ok: true, isRepeat: false });
    expect(await balanceCents(database.db, userId)).toBe(0);
  });

  test("an amount of zero or fractions of a cent, or an unknown player, throws", async () => {
    const userId = await ada(database.db);
    const before = await everything(database.db);
    await expect(correct(userId, 0)).rejects.toThrow("wallet_transactions_amount_eur_check");
    await expect(correct(userId, 0.5)).rejects.toThrow("not a whole number of cents");
    await expect(correct(crypto.randomUUID(), 100)).rejects.toThrow("nobody has this wallet");
    expect(await everything(database.db)).toEqual(before);
  });

  test("under a key that was booked for somebody else or for another amount", async () => {
    const [userId, other] = [await ada(database.db), await ada(database.db)];
    await correct(userId, 500);
    const before = await everything(database.db);
    for (const result of [await correct(userId, -500), await correct(other, 500)]) {
      expect(result).toEqual({ ok: false, reason: "form-used" });
    }
    expect(await everything(database.db)).toEqual(before);
  });

  test("for a deleted account", async () => {
    const userId = await ben(database.db);
    await markDeleted(database.db, userId);
    expect(await correct(userId, 500)).toEqual({ ok: false, reason: "gone" });
    expect(await balanceCents(database.db, userId)).toBe(0);
  });
});

test("granted credits settle a debt first", async () => {
  await somePacks(database.db);
  const userId = await ben(database.db);
  const paid = singlePurchase(userId);
  await deliverEvents(database, paid.completed);
  await correct(userId, -1_000);
  await deliverEvents(database, paid.refunded(999));
  key = crypto.randomUUID();
  expect(await correct(userId, 1_200)).toEqual({ ok: true, isRepeat: false });
  expect(await balanceCents(database.db, userId)).toBe(200);
});
