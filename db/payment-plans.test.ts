import { beforeAll, expect, test } from "vitest";
import { findPaidOutcome } from "#app/features/bookings/paid-outcome.server.ts";
import { listGamesWithHoldsOver } from "#app/features/seats/hold-ends.server.ts";
import {
  findPaymentHold,
  listOpenGameIds,
  listPaidHolds,
} from "#app/features/wallet/payment-holds.server.ts";
import {
  findPendingPayment,
  listAwaited,
  listPaymentsUnderWay,
} from "#app/features/wallet/pending-payments.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import {
  addManyPapers,
  addManyPlayers,
  rowsRead,
  scannedTables,
  statementsSent,
} from "#test/plans.ts";

// Years of payments that are over, and what pages and the worker read of those that are not.
const GROWING = ["users", "profiles", "payments", "stripe_events"];
const OWN = ["payment_holds", "pending_payments"];
const database = useDatabase();
withoutTimeouts(database);
let gameId: string;
let userId: string;

beforeAll(async () => {
  const players = await addManyPlayers(database.pool, 1_000);
  userId = players[7]!;
  for (let n = 0; n < 30; n += 1) gameId = await aGame(database.db, { startsIn: 5 + n * 9 });
  await addManyPapers(database.pool, players);
  await database.pool.query("analyze");
});

const own = () => ({ userId, now: NOW });

test.each<[string, (db: Db) => Promise<unknown>]>([
  ["a player's open intention to join a game", (db) => findPaymentHold(db, { gameId, ...own() })],
  ["games that a payment may still book", (db) => listOpenGameIds(db, userId)],
  ["a player's payments under way", (db) => listPaymentsUnderWay(db, own())],
  ["those for a game", (db) => listPaymentsUnderWay(db, { gameId, ...own() })],
  ["a payment under way", (db) => findPendingPayment(db, "cs_7")],
  ["what has come of a payment", (db) => findPaidOutcome(db, { userId, sessionId: "cs_7" })],
])("%s is read from indexes", async (_, read) => {
  const statements = await statementsSent(database.pool, read);
  expect(statements).toHaveLength(1);
  expect(await scannedTables(database.pool, statements[0]!, [...GROWING, ...OWN])).toEqual([]);
});

test.each<[string, (db: Db) => Promise<unknown>]>([
  ["what is paid and not booked", (db) => listPaidHolds(db)],
  ["games with spots that are held no more", (db) => listGamesWithHoldsOver(db, NOW)],
  ["what Stripe is asked about", (db) => listAwaited(db, NOW)],
])("%s is read without what is over", async (_, read) => {
  const statements = await statementsSent(database.pool, read);
  expect(statements).toHaveLength(1);
  expect(await scannedTables(database.pool, statements[0]!, [...GROWING, ...OWN])).toEqual([]);
  expect(await rowsRead(database.pool, statements[0]!, ...OWN)).toBe(0);
});
