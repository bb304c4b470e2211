import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGameToDecide, DECISION, decisionOf, editPlan } from "#test/decisions.ts";
import {
  aGame,
  balanceCents,
  ben,
  bookingsOf,
  everything,
  hoursLater,
  NOW,
} from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { playAnyway } from "./play-anyway.server.ts";
import { decideGame, decideGames } from "./decide-games.server.ts";

const database = useDatabase();
beforeEach(async () => {
  // What other tests have left to be decided.
  await database.pool.query("update games set min_players = null where min_players is not null");
});

const game = (players: number, wish = {}) => aGameToDecide(database, players, wish);
const decisionState = (gameId: string) => decisionOf(database, gameId);
const decide = (gameId: string, now = DECISION) =>
  decideGame(database.db, database.jobs, { gameId, now });
const decideAll = (now = DECISION) => decideGames(database.db, database.jobs, now);
async function jobsOf(kind: string, key: string, ids: string[]) {
  const { rows } = await database.pool.query(
    "select data - 'kind' as data from pgboss.job where name = 'mail.send' and data->>'kind' = $1 and data->>$2 = any($3)",
    [kind, key, ids],
  );
  return rows.map(({ data }) => data);
}

describe("at its time a game", () => {
  test("with one player too few is called off: full refunds, an email each, an audit entry", async () => {
    const { gameId, playerIds } = await game(2);
    expect(await decide(gameId)).toBe("called-off");
    expect(await decisionState(gameId)).toMatchObject({
      status: "Cancelled",
      decision: "CalledOff",
    });
    const bookings = await bookingsOf(database.db, gameId);
    expect(bookings.map((booking) => [booking.payment_status, booking.end_reason])).toEqual([
      ["Refunded", "GameCancelled"],
      ["Refunded", "GameCancelled"],
    ]);
    for (const id of playerIds) expect(await balanceCents(database.db, id)).toBe(1_000);
    const ids = bookings.map(({ id }) => id);
    expect(await jobsOf("game-cancelled", "bookingId", ids)).toHaveLength(2);
    const { rows } = await database.pool.query(
      "select actor, details from audit_log where action = 'game.cancel' and subject = $1",
      [gameId],
    );
    expect(rows).toEqual([
      {
        actor: "system",
        details: {
          before: { status: "Published" },
          after: { status: "Cancelled", bookingsCalledOff: 2 },
          ...{ minPlayers: 3, players: 2 },
        },
      },
    ]);
    expect((await checkBooks(database.db)).differences).toEqual([]);
  });

  test("with exactly enough is on, also when somebody leaves afterwards", async () => {
    const { gameId } = await game(3);
    expect(await decide(gameId)).toBe("on");
    expect(await decisionState(gameId)).toMatchObject({ status: "Published", decision: "On" });
    const [booking] = await bookingsOf(database.db, gameId);
    const cancellation = { bookingId: booking!.id, playerId: booking!.user_id };
    await cancelBooking(database.db, database.jobs, { ...cancellation, now: hoursLater(8) });
    await decideAll(hoursLater(9));
    expect(await decisionState(gameId)).toMatchObject({ status: "Published", decision: "On" });
  });

  test("who gave up a spot late gets the full price back too", async () => {
    const { gameId, playerIds } = await game(1);
    const [booking] = await bookingsOf(database.db, gameId);
    const cancellation = { bookingId: booking!.id, playerId: playerIds[0]!, now: hoursLater(1) };
    await cancelBooking(database.db, database.jobs, cancellation);
    expect(await balanceCents(database.db, playerIds[0]!)).toBe(0);
    await decide(gameId);
    expect(await balanceCents(database.db, playerIds[0]!)).toBe(1_000);
  });

  test("is decided at that very moment, not a millisecond earlier", async () => {
    const { gameId } = await game(2);
    expect(await decide(gameId, new Date(DECISION.getTime() - 1))).toBe("warned");
    expect((await decisionState(gameId)).status).toBe("Published");
    expect(await decide(gameId, DECISION)).toBe("called-off");
  });

  test("is decided late where nothing ran, but never from kick-off on", async () => {
    const [{ gameId: late }, { gameId: over }] = [await game(2), await game(2)];
    const kickOff = hoursLater(10);
    await decideAll(kickOff);
    expect(await decide(over, kickOff)).toBeNull();
    expect(await decisionState(over)).toMatchObject({ status: "Published", decision: null });
    expect(await decide(late, new Date(kickOff.getTime() - 1))).toBe("called-off");
  });

  test.each([
    ["a draft", { status: "Draft" as const }],
    ["one without a minimum", { min_players: null }],
    ["one that was completed", { status: "Completed" as const }],
  ])("%s is never decided", async (_, wish) => {
    const gameId = await aGame(database.db, { startsIn: 10, min_players: 3, ...wish });
    const before = await everything(database.db);
    await decideAll();
    expect(await decide(gameId)).toBeNull();
    expect(await everything(database.db)).toEqual(before);
  });
});

test("every due game is decided once, and one that fails does not keep the others from it", async () => {
  const failing = await game(1);
  const [short, enough] = [await game(1, { startsIn: 9.5 }), await game(4)];
  const [booking] = await bookingsOf(database.db, failing.gameId);
  await database.db
    .insertInto("wallet_transactions")
    .values({
      ...{ user_id: failing.playerIds[0]!, type: "refund", amount_eur: "10.00" },
      ...{ status: "pending", business_key: `refund:${booking!.id}` },
    })
    .execute();
  await expect(decideAll()).rejects.toThrow("decision: 1");
  expect((await decisionState(failing.gameId)).decision).toBeNull();
  expect((await decisionState(short.gameId)).decision).toBe("CalledOff");
  expect((await decisionState(enough.gameId)).decision).toBe("On");
  await database.pool.query("update games set min_players = null where id = $1", [failing.gameId]);
  const before = await everything(database.db);
  await decideAll();
  expect(await everything(database.db)).toEqual(before);
});

describe("organisers are warned", () => {
  const warnings = (gameId: string) => jobsOf("too-few-players", "gameId", [gameId]);

  test("two hours before, once, while there are too few", async () => {
    const [{ gameId: short }, { gameId: enough }] = [await game(2), await game(3)];
    await decideAll(new Date(hoursLater(5).getTime() - 1));
    expect(await warnings(short)).toEqual([]);
    await decideAll(hoursLater(5));
    await decideAll(hoursLater(6));
    expect(await warnings(short)).toEqual([{ gameId: short, decidesAt: DECISION.toISOString() }]);
    expect(await warnings(enough)).toEqual([]);
  });

  test("again after the decision has been moved", async () => {
    const { gameId } = await game(2);
    await decideAll(hoursLater(6));
    await database.pool.query("update games set decides_hours = 2 where id = $1", [gameId]);
    await decideAll(hoursLater(6.5));
    const times = (await warnings(gameId)).map(({ decidesAt }) => decidesAt);
    expect(times.sort()).toEqual([DECISION.toISOString(), hoursLater(8).toISOString()]);
  });
});

describe("played anyway", () => {
  const playIt = async (gameId: string, wish: { version?: number; now?: Date } = {}) => {
    const { version } = await decisionState(gameId);
    const actorId = await ben(database.db);
    return playAnyway(database.db, database.jobs, { gameId, actorId, version, now: NOW, ...wish });
  };

  test("a game is on with too few players; it is recorded once", async () => {
    const { gameId } = await game(2);
    expect(await playIt(gameId)).toEqual({ ok: true, notified: 2 });
    expect(await playIt(gameId)).toEqual({ ok: true, notified: 0 });
    await decideAll();
    expect(await decisionState(gameId)).toMatchObject({
      status: "Published",
      decision: "PlayAnyway",
    });
    const { rows } = await database.pool.query(
      "select details from audit_log where action = 'game.play-anyway' and subject = $1",
      [gameId],
    );
    expect(rows).toEqual([{ details: { minPlayers: 3, players: 2 } }]);
  });

  test("an edit of the minimum or of the time undoes it, another edit does not", async () => {
    const { gameId } = await game(2);
    await playIt(gameId);
    await editPlan(database, gameId, { title: "Cup" });
    expect((await decisionState(gameId)).decision).toBe("PlayAnyway");
    const { version } = await decisionState(gameId);
    await editPlan(database, gameId, { minPlayers: 4 });
    expect((await decisionState(gameId)).decision).toBeNull();
    // The form from before the edit, sent once more.
    expect(await playIt(gameId, { version })).toEqual({ ok: false, reason: "changed" });
    expect(await decide(gameId)).toBe("called-off");
  });

  test.each([
    ["not-published", { status: "Draft" as const }],
    ["no-minimum", { min_players: null }],
    ["started", { startsIn: -1 }],
  ])("not where it is %s", async (reason, wish) => {
    const gameId = await aGame(database.db, { startsIn: 10, min_players: 3, ...wish });
    expect(await playIt(gameId)).toEqual({ ok: false, reason });
  });

  test.each([crypto.randomUUID(), "7"])("not where there is no game: %s", async (gameId) => {
    const wish = { gameId, actorId: await ben(database.db), version: 1, now: NOW };
    expect(await playAnyway(database.db, database.jobs, wish)).toEqual({
      ok: false,
      reason: "not-found",
    });
  });
});
