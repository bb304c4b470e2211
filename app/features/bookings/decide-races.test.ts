import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGameToDecide, DECISION, decisionOf } from "#test/decisions.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { aPlayer, balanceCents, bookingsOf, hoursLater } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import type { Db } from "#app/platform/db.server.ts";
import { checkBooks } from "./check-books.server.ts";
import { decideGame, decideGames } from "./decide-games.server.ts";
import { joinGame } from "./join-game.server.ts";

const database = useDatabase(40);
withoutTimeouts(database);

/** The last player who is needed joins at the moment of the decision. */
async function round(db: Db, turn: number) {
  const { gameId } = await aGameToDecide(database, 2);
  const playerId = await aPlayer(database.db, { credits: 10 });
  const decide = () => decideGame(db, database.jobs, { gameId, now: DECISION });
  const join = () =>
    joinGame(database.db, database.jobs, { gameId, playerId, now: DECISION }).then(({ ok }) =>
      ok ? "joined" : "too late",
    );
  // The one that begins first mostly has the lock first.
  const begun = turn % 2 === 0 ? [decide(), join()] : [join(), decide()];
  const results = await Promise.all(begun);
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
  for (let turn = 0; turn < 30; turn += 1) seen.add(await round(database.db, turn));
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
const mails = async () => {
  const { rows } = await database.pool.query(
    `select count(*)::int as n, count(distinct data->>'bookingId')::int as players
     from pgboss.job where name = 'mail.game-cancelled'`,
  );
  return rows[0];
};

test("a game is decided once, by however many processes at once", async () => {
  await database.pool.query("delete from pgboss.job where name = 'mail.game-cancelled'");
  const { gameId, playerIds } = await aGameToDecide(database, 2);
  await twenty(database.db);
  expect(await decisionOf(database, gameId)).toMatchObject({ decision: "CalledOff" });
  for (const id of playerIds) expect(await balanceCents(database.db, id)).toBe(1_000);
  expect(await mails()).toEqual({ n: 2, players: 2 });
});

/** How many warnings twenty processes at once have queued. */
async function warnAtOnce(db: Db): Promise<number> {
  const { gameId } = await aGameToDecide(database, 2);
  const now = hoursLater(6);
  await Promise.all(
    Array.from({ length: 20 }, () => decideGame(db, database.jobs, { gameId, now })),
  );
  const { rowCount } = await database.pool.query(
    "select from pgboss.job where name = 'mail.too-few-players' and data->>'gameId' = $1",
    [gameId],
  );
  return rowCount ?? 0;
}

test("organisers are warned once, by however many processes at once", async () => {
  for (let turn = 0; turn < 5; turn += 1) expect(await warnAtOnce(database.db)).toBe(1);
});

test("without the lock they are warned more than once", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let turn = 0; turn < 50; turn += 1) if ((await warnAtOnce(unlocked)) > 1) return;
  expect.fail("they were warned once in each of 50 rounds without the lock");
});
