import type { KyselyPlugin } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { monthlyPurchase, singlePurchase, somePacks } from "#test/payments.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { balanceCents, ben, NOW } from "#test/fixtures.ts";
import { type Database, openDatabase } from "#app/platform/db.server.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { applyStripeEvent } from "#app/features/wallet/stripe/apply-stripe-event.server.ts";
import { isLong } from "#test/long.ts";

const ROUNDS = isLong ? 100 : 6;
// Where the guard is gone, a round that shows it ends the test.
const MOST_ROUNDS = 100;
const database = useDatabase(20);
withoutTimeouts(database);
beforeAll(() => somePacks(database.db));

/** Delivers events at once; what Stripe would have to send again ends the test at the first round. */
async function deliverAll(events: SentEvent[]): Promise<void> {
  const outcomes = await deliver(events);
  expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
}

/** Delivers events at once; one that Stripe would have to send again counts as not delivered. */
const deliver = (events: SentEvent[], { db } = database as Pick<Database, "db">) => {
  const { jobs } = database;
  return Promise.allSettled(
    events.map((event) => applyStripeEvent(db, event, { jobs, isLive: false, now: NOW })),
  );
};
const twentyTimes = <T>(thing: T) => Array.from({ length: 20 }, () => thing);

test("twenty copies of one event at once: one grant", { timeout: 300_000 }, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const userId = await ben(database.db);
    await deliverAll(twentyTimes(singlePurchase(userId).completed));
    expect(await balanceCents(database.db, userId)).toBe(1_000);
  }
  expect((await checkBooks(database.db)).differences).toEqual([]);
});

test("two different events of one session at once: one grant", { timeout: 300_000 }, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const userId = await ben(database.db);
    const { completed, succeeded } = singlePurchase(userId);
    await deliverAll([completed, succeeded, completed, succeeded]);
    expect(await balanceCents(database.db, userId)).toBe(1_000);
  }
  expect((await checkBooks(database.db)).differences).toEqual([]);
});

test("an invoice never misses the session that names its player", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const userId = await ben(database.db);
    const { completed, paid } = monthlyPurchase(userId);
    await deliverAll([paid(0), completed]);
    expect(await balanceCents(database.db, userId)).toBe(4_000);
  }
});

describe("without a guard", () => {
  const lockless = {} as Database;
  beforeAll(async () => {
    // Found before the real one, which it hides.
    await database.pool.query(`
      create schema lockless;
      create function lockless.pg_advisory_xact_lock(bigint) returns void language sql as 'select';
    `);
    const options = "-c search_path=lockless,public,pg_catalog";
    Object.assign(lockless, openDatabase({ ...database.connection, options }, 20));
    return () => lockless.close();
  });

  test("without the lock an invoice stays unmatched beside its session", async () => {
    let missed = 0;
    for (let round = 0; round < MOST_ROUNDS && missed === 0; round += 1) {
      const userId = await ben(database.db);
      const { completed, paid } = monthlyPurchase(userId);
      await deliver([paid(0), completed], lockless);
      if ((await balanceCents(database.db, userId)) === 0) missed += 1;
    }
    expect(missed).toBe(1);
  });

  test("without the lock the keys still allow one grant", async () => {
    for (let round = 0; round < 20; round += 1) {
      const userId = await ben(database.db);
      const { completed, succeeded } = singlePurchase(userId);
      await deliver([...twentyTimes(completed), ...twentyTimes(succeeded)], lockless);
      expect(await balanceCents(database.db, userId)).toBe(1_000);
    }
  });

  test("without the lock and the keys it is granted again and again", async () => {
    await database.pool.query(`
      alter table payments drop constraint payments_stripe_object_id_key;
      alter table payments drop constraint payments_receipt;
      alter table wallet_transactions drop constraint wallet_transactions_business_key_key;
    `);
    const keyless = lockless.db.withPlugin(withoutConflicts).withPlugin(withoutLocks);
    const userId = await ben(database.db);
    const { completed, succeeded } = singlePurchase(userId);
    await deliver([completed, succeeded], { db: keyless });
    expect(await balanceCents(database.db, userId)).toBe(2_000);
  });
});

/** Takes the answer to a conflict out of the inserts of payments, where no key is left to name. */
const withoutConflicts: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== "InsertQueryNode" || !node.onConflict) return node;
    const { onConflict, ...rest } = node;
    const isPayment = JSON.stringify(node.into).includes('"payments"');
    return isPayment ? rest : { ...rest, onConflict };
  },
  transformResult: async ({ result }) => result,
};
