import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGameToDecide, DECISION, decisionOf } from "#test/decisions.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { aPlayer, balanceCents, bookingsOf, hoursLater } from "#test/fixtures.ts";
import { isLong } from "#test/long.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import type { Db } from "#app/platform/db.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { decideGame, decideGames } from "./decide-games.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase(40);
withoutTimeouts(database);

/** The last player who is needed joins at the moment of the decision. */
async function round(db: Db, turn: number) {
  const { gameId } = await aGameToDecide(database, 2);
  const playerId = await aPlayer(database.db, { credits: 10 });
  const decide = () => decideGame(db, database.jobs, { gameId, now: DECISION });
  const join = async () => {
    // A little later in each round, so that it comes before, between and after the decision's steps.
    for (let trip = 0; trip < turn; trip += 1) await sql`select 1`.execute(database.db);
    const { ok } = await joinGame(database.db, database.jobs, { gameId, playerId, now: DECISION });
    return ok ? "joined" : "too late";
  };
  const results = await Promise.all([decide(), join()]);
  const { status } = await decisionOf(database, gameId);
  const bookings = await bookingsOf(database.db, gameId);
  const live = bookings.filter((booking) => booking.payment_status === "Paid").length;
  const balance = await balanceCents(database.db, playerId);
  return [...results.toSorted(), status, live, balance].join(" ");
}

const ON = "joined on Published 3 0";
const OFF = "called-off too late Cancelled 0 1000";

test("who joins at the moment of the decision is in a game that is on, or has paid nothing", async () => {
  const seen = new Set<string>();
  const fewest = isLong ? 100 : 10;
  for (let turn = 0; turn < fewest || (seen.size < 2 && turn < 200); turn += 1) {
    seen.add(await round(database.db, turn));
  }
  expect([...seen].toSorted()).toEqual([OFF, ON]);
  expect((await checkBooks(database.db)).differences).toEqual([]);
});

test("without the lock a game is called off although enough are in", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let turn = 0; turn < 200; turn += 1) {
    const outcome = await round(unlocked, turn).catch(String);
    if (outcome !== ON && outcome !== OFF) return;
  }
  expect.fail("it was decided by who is in, in 200 rounds without the lock");
});

/** Twenty processes that look for what is due at the same time. */
const twenty = (db: Db) =>
  Promise.all(Array.from({ length: 20 }, () => decideGames(db, database.jobs, DECISION)));

/** How often twenty processes at once have called off the same game, by what is recorded of it. */
async function callOffAtOnce(db: Db) {
  const { gameId, playerIds } = await aGameToDecide(database, 2);
  const outcome = await twenty(db).then(() => "decided", String);
  const { rows: mails } = await database.pool.query(
    `select 1 from pgboss.job where name = 'mail.send' and data->>'kind' = 'game-cancelled'
       and data->>'bookingId' in (select id::text from bookings where game_id = $1)`,
    [gameId],
  );
  const { rows: entries } = await database.pool.query(
    "select 1 from audit_log where action = 'game.cancel' and subject = $1",
    [gameId],
  );
  const balances = await Promise.all(playerIds.map((id) => balanceCents(database.db, id)));
  const { decision } = await decisionOf(database, gameId);
  return { outcome, decision, mails: mails.length, entries: entries.length, balances };
}

const ONCE = {
  ...{ outcome: "decided", decision: "CalledOff", mails: 2, entries: 1 },
  balances: [1_000, 1_000],
};

test("a game is decided once, by however many processes at once", async () => {
  for (let turn = 0; turn < (isLong ? 20 : 2); turn += 1)
    expect(await callOffAtOnce(database.db)).toEqual(ONCE);
});

test("without the lock more than one of them calls it off", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let turn = 0; turn < 50; turn += 1) {
    if (!isDeepStrictEqual(await callOffAtOnce(unlocked), ONCE)) return;
  }
  expect.fail("it was called off once in each of 50 rounds without the lock");
});

/** How many warnings twenty processes at once have queued. */
async function warnAtOnce(db: Db): Promise<number> {
  const { gameId } = await aGameToDecide(database, 2);
  const now = hoursLater(6);
  await Promise.all(
    Array.from({ length: 20 }, () => decideGame(db, database.jobs, { gameId, now })),
  );
  const { rowCount } = await database.pool.query(
    "select from pgboss.job where name = 'mail.send' and data->>'kind' = 'too-few-players' and data->>'gameId' = $1",
    [gameId],
  );
  return rowCount ?? 0;
}

test("organisers are warned once, by however many processes at once", async () => {
  for (let turn = 0; turn < (isLong ? 20 : 2); turn += 1)
    expect(await warnAtOnce(database.db)).toBe(1);
});

test("without the lock they are warned more than once", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let turn = 0; turn < 50; turn += 1) if ((await warnAtOnce(unlocked)) > 1) return;
  expect.fail("they were warned once in each of 50 rounds without the lock");
});
