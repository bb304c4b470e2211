import { afterEach, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { aGame, aPlayer, bookingsOf, everything, hoursLater } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { addPlayer, type SeatPayment } from "./add-player.server.ts";
import { markAttendance } from "./roster.server.ts";

const database = useDatabase(10);
withoutTimeouts(database);
afterEach(() => expectRightBooks(database));

const AFTER_KICK_OFF = hoursLater(1.5);

type Wish = { raisedTo?: number; now?: Date; db?: Db; payment?: SeatPayment };

async function add(gameId: string, wish: Wish & { playerId?: string } = {}) {
  const { db = database.db, playerId = await aPlayer(database.db), ...rest } = wish;
  const addition = { gameId, playerId, actorId: playerId, now: AFTER_KICK_OFF, ...rest };
  return addPlayer(db, database.jobs, addition);
}

/** Begun, and full with one player, who did not come. */
async function aFullGame() {
  const gameId = await aGame(database.db, { startsIn: 1, spots: 1 });
  await add(gameId);
  const [absent] = await bookingsOf(database.db, gameId);
  const mark = { gameId, bookingId: absent!.id, actorId: absent!.user_id, now: AFTER_KICK_OFF };
  await markAttendance(database.db, { ...mark, from: null, to: "NoShow" });
  return gameId;
}

const maxOf = async (gameId: string) => {
  const game = database.db.selectFrom("games").select("max_players").where("id", "=", gameId);
  return (await game.executeTakeFirstOrThrow()).max_players;
};

test("a walk-in is seated in a full game that has begun once one spot more is agreed to", async () => {
  const gameId = await aFullGame();
  const playerId = await aPlayer(database.db);
  const before = await everything(database.db);
  const asked = await add(gameId, { playerId });
  expect(asked).toMatchObject({ ok: false, reason: "over-max", raisedTo: 2 });
  expect(await everything(database.db)).toEqual(before);
  expect(await add(gameId, { playerId, raisedTo: 2 })).toMatchObject({ ok: true });
  expect(await maxOf(gameId)).toBe(2);
  const bookings = await bookingsOf(database.db, gameId);
  expect(bookings.map(({ payment_status, attendance }) => [payment_status, attendance])).toEqual(
    expect.arrayContaining([
      ["Unpaid", "NoShow"],
      ["Unpaid", null],
    ]),
  );
  const entries = database.db.selectFrom("audit_log").select("details");
  const [entry] = await entries.where("subject", "=", gameId).execute();
  expect(entry?.details).toMatchObject({ before: { maxPlayers: 1 }, after: { maxPlayers: 2 } });
});

test("before kick-off a full game stays full, whatever is agreed to", async () => {
  const gameId = await aGame(database.db, { startsIn: 1, spots: 1 });
  await add(gameId);
  const early = { raisedTo: 2, now: hoursLater(0.5) };
  expect(await add(gameId, early)).toEqual({ ok: false, reason: "full" });
  expect(await maxOf(gameId)).toBe(1);
});

test("a walk-in who cannot pay raises nothing", async () => {
  const gameId = await aFullGame();
  const result = await add(gameId, { raisedTo: 2, payment: { by: "credits" } });
  expect(result).toMatchObject({ ok: false, reason: "not-enough-credits" });
  expect(await maxOf(gameId)).toBe(1);
});

/** Two organisers agree to the same spot at once. */
async function twoAtOnce(db: Db) {
  const gameId = await aFullGame();
  const results = await Promise.all(
    [1, 2].map(() =>
      add(gameId, { raisedTo: 2, db }).then(
        (result) => (result.ok ? "in" : result.reason),
        (error: { constraint?: string }) => error.constraint ?? String(error),
      ),
    ),
  );
  return { results: results.toSorted(), max: await maxOf(gameId) };
}

test("of two organisers who agree to one spot at once the second is asked again", async () => {
  for (let round = 0; round < 10; round += 1) {
    expect(await twoAtOnce(database.db)).toEqual({ results: ["in", "over-max"], max: 2 });
  }
});

test("without the lock the second one fails on the database's constraint", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let round = 0; round < 200; round += 1) {
    const { results } = await twoAtOnce(unlocked);
    if (results.includes("games_seats_within_capacity")) return;
  }
  expect.fail("the property held in 200 rounds without its guard");
});
