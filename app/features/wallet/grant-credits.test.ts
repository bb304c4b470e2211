import { expect, test } from "vitest";
import { useDatabase } from "../../../test/db.ts";
import { ada, balanceCents, ben, everything } from "../../../test/world.ts";
import { checkBooks } from "../bookings/check-books.server.ts";
import { grantCredits } from "./grant-credits.server.ts";
import { topUp } from "./top-up.server.ts";

const world = useDatabase(20);
let number = 0;
const grant = (userId: string, amountCents: number, key = `key-${(number += 1)}`) =>
  grantCredits(world.db, { userId, amountCents, reason: "Sorry", actor: "command", key });
const deed = (key: string, credits: string, before: string, after: string) => ({
  key,
  credits,
  before: { balance: before },
  after: { balance: after },
});
const entriesOf = (userId: string) =>
  world.db
    .selectFrom("wallet_transactions")
    .select(["type", "amount_eur", "notes"])
    .where("user_id", "=", userId)
    .orderBy("seq")
    .execute();

test("up and down are entries with their reason, and are recorded without it", async () => {
  const userId = await ben(world.db);
  expect(await grant(userId, 1_250, "up")).toBe(true);
  expect(await grant(userId, -250, "down")).toBe(true);
  expect(await balanceCents(world.db, userId)).toBe(1_000);
  expect(await entriesOf(userId)).toEqual([
    { type: "adjustment", amount_eur: "12.50", notes: "Sorry" },
    { type: "adjustment", amount_eur: "-2.50", notes: "Sorry" },
  ]);
  const deeds = await world.db.selectFrom("audit_log").selectAll().orderBy("id").execute();
  expect(
    deeds.map(({ actor, action, subject, details }) => [actor, action, subject, details]),
  ).toEqual([
    ["command", "wallet.grant", userId, deed("up", "12.50", "0", "12.50")],
    ["command", "wallet.grant", userId, deed("down", "-2.50", "12.50", "10")],
  ]);
});

test("down to 0 and no further; a refusal writes nothing, no record either", async () => {
  const userId = await ada(world.db);
  expect(await grant(userId, -9_999)).toBe(true);
  const before = await everything(world.db);
  expect(await grant(userId, -2)).toBe(false);
  expect(await everything(world.db)).toEqual(before);
  expect(await grant(userId, -1)).toBe(true);
  expect(await balanceCents(world.db, userId)).toBe(0);
});

test("the same key is booked once", async () => {
  const userId = await ben(world.db);
  await grant(userId, 500, "once");
  const other = await ada(world.db);
  const before = await everything(world.db);
  expect(await grant(userId, 500, "once")).toBe(true);
  expect(await grant(userId, 600, "once")).toBe(false);
  expect(await grant(other, 500, "once")).toBe(false);
  expect(await everything(world.db)).toEqual(before);
});

test("an amount of nothing, or of a fraction of a cent, is a bug and writes nothing", async () => {
  const userId = await ada(world.db);
  const before = await everything(world.db);
  await expect(grant(userId, 0)).rejects.toThrow("wallet_transactions_amount_eur_check");
  await expect(grant(userId, 0.5)).rejects.toThrow("not a whole number of cents");
  await expect(grant(crypto.randomUUID(), 100)).rejects.toThrow("no result");
  expect(await everything(world.db)).toEqual(before);
});

test("a payment told twice is topped up once, also at once", async () => {
  const userId = await ben(world.db);
  const told = Array.from({ length: 10 }, () =>
    topUp(world.db, { userId, amountCents: 1_000, key: "payment-1" }).then(
      () => "added",
      () => "refused",
    ),
  );
  expect((await Promise.all(told)).filter((answer) => answer === "added")).toHaveLength(1);
  expect(await balanceCents(world.db, userId)).toBe(1_000);
});

test("grants up and down at once never lose one and never go below 0", async () => {
  const userId = await ada(world.db);
  const amounts = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? -1_500 : 500));
  const answers = await Promise.all(amounts.map((amount) => grant(userId, amount)));
  const moved = amounts.filter((_, n) => answers[n]).reduce((sum, amount) => sum + amount, 0);
  expect(await balanceCents(world.db, userId)).toBe(10_000 + moved);
  expect(answers).toContain(false);
  expect((await checkBooks(world.db)).differences).toEqual([]);
});
