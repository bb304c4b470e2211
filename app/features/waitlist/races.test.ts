import { afterEach, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { isLong } from "#test/long.ts";
import { ada, aPlayer, balanceCents, bookingsOf, somePlayers } from "#test/fixtures.ts";
import { game, untilWaiting } from "#test/lock-order.ts";
import { aboutToLeave } from "#test/waitlist-races.ts";
import { aCrowdAtAFreedSpot, leavesWhilePromoted, manyPromotions } from "#test/waitlist-races.ts";
import { fiveMoreSpots, freeSpotsOfTwoGames, tally } from "#test/waitlist-races.ts";
import { entryOf, statusesIn, waitlistOf } from "#test/waitlist.ts";

// What these prove is proved in turn by waitlist-races-without-guards.test.ts.
const ROUNDS = isLong ? { crowd: 100, leaving: 200, few: 20 } : { crowd: 1, leaving: 6, few: 1 };
const LIMIT = { timeout: isLong ? 1_800_000 : 120_000 };
const database = useDatabase(40);
withoutTimeouts(database);
const list = waitlistOf(database);
const scene = () => ({ database, list, unguarded: database.db });

afterEach(() => expectRightBooks(database));

test("50 newcomers join while a player cancels: the first of 20 gets the spot", LIMIT, async () => {
  const newcomers = await somePlayers(database.db, 50, 10);
  for (let round = 0; round < ROUNDS.crowd; round += 1) {
    const { gameId, first, results } = await aCrowdAtAFreedSpot(scene(), newcomers);
    const { full = 0, "belongs-to-waitlist": belongs = 0, ...others } = tally(results);
    expect([full + belongs, others]).toEqual([50, {}]);
    const live = (await bookingsOf(database.db, gameId)).filter(
      ({ payment_status }) => payment_status === "Paid",
    );
    expect(live.map(({ user_id }) => user_id)).toEqual([first]);
  }
});

test("who leaves while being promoted is either in or gone, never both", LIMIT, async () => {
  for (let round = 0; round < ROUNDS.leaving; round += 1) {
    const { status, left, isIn, cents } = await leavesWhilePromoted(scene(), round);
    const outcome = { status, left, isIn, cents };
    expect([
      { status: "Promoted", left: "not-waiting", isIn: true, cents: 0 },
      { status: "Left", left: "left", isIn: false, cents: 1_000 },
    ]).toContainEqual(outcome);
  }
});

test.each([
  ["leaves first is out", "leave", { status: "Left", left: "left", isIn: false, cents: 1_000 }],
  [
    "is promoted first is in",
    "promote",
    { status: "Promoted", left: "not-waiting", isIn: true, cents: 0 },
  ],
] as const)("who %s", async (_, first, expected) => {
  const { gameId, begin, outcome } = await aboutToLeave(scene());
  await database.db.transaction().execute(async (holder) => {
    await game(gameId).hold(holder);
    begin(first);
    await untilWaiting(database.db, 1);
    begin(first === "leave" ? "promote" : "leave");
    await untilWaiting(database.db, 2);
  });
  expect(await outcome()).toEqual(expected);
});

test("the same promotion twenty times at once gives each spot once", LIMIT, async () => {
  for (let round = 0; round < ROUNDS.few; round += 1) {
    const { results, promoted } = await manyPromotions(scene());
    expect(results.reduce((sum, given) => sum + Number(given), 0)).toBe(2);
    expect(promoted).toEqual(["Promoted", "Promoted", "Waiting", "Waiting"]);
  }
});

test(
  "five more spots go to the first five of twenty, while others try to join",
  LIMIT,
  async () => {
    const newcomers = await somePlayers(database.db, 20, 10);
    for (let round = 0; round < ROUNDS.few; round += 1) {
      const { results, promoted } = await fiveMoreSpots(scene(), newcomers);
      expect(results).not.toContain("joined");
      expect(promoted).toEqual([...Array(5).fill("Promoted"), ...Array(15).fill("Waiting")]);
    }
  },
);

test(
  "two games free a spot for one player with credits for one: each is filled",
  LIMIT,
  async () => {
    for (let round = 0; round < ROUNDS.few * 3; round += 1) {
      const { games, playerId, seconds, results } = await freeSpotsOfTwoGames(scene(), {});
      expect(results).toEqual(["1", "1"]);
      const entries = await Promise.all(games.map((id) => entryOf(database.db, id, playerId)));
      expect(entries.map(({ status }) => status).toSorted()).toEqual(["Promoted", "Waiting"]);
      const lost = entries.findIndex(({ status }) => status === "Waiting");
      expect(entries[lost]?.passed_over).toBe("credits");
      const next = await entryOf(database.db, games[lost]!, seconds[lost]!);
      expect(next.status).toBe("Promoted");
      expect(await balanceCents(database.db, playerId)).toBe(0);
    }
  },
);

test("nobody is promoted to two games at the same hour", LIMIT, async () => {
  for (let round = 0; round < ROUNDS.few * 3; round += 1) {
    const { games, playerId } = await freeSpotsOfTwoGames(scene(), { isSameHour: true });
    const entries = await Promise.all(games.map((id) => entryOf(database.db, id, playerId)));
    expect(entries.map(({ status }) => status).toSorted()).toEqual(["Promoted", "Waiting"]);
    expect(entries.find(({ status }) => status === "Waiting")?.passed_over).toBe("busy");
  }
});

test.each([
  ["with credits for one", false],
  ["at the same hour", true],
])("nobody is asked by two games %s: each is filled", LIMIT, async (_, isSameHour) => {
  for (let round = 0; round < ROUNDS.few * 3; round += 1) {
    const asked = await freeSpotsOfTwoGames(scene(), { isSameHour, mode: "ask" });
    const statuses = await Promise.all(asked.games.map((id) => statusesIn(database.db, id)));
    expect(statuses.toSorted()).toEqual([
      ["Offered", "Waiting"],
      ["Waiting", "Promoted"],
    ]);
  }
});

test("lists of the same players in opposite orders do not wait for each other", LIMIT, async () => {
  for (let round = 0; round < ROUNDS.few; round += 1) {
    const players = await somePlayers(database.db, 6, 50);
    const games = await Promise.all(
      [48, 96].map((startsIn) => list.fullGame({ spots: 6, startsIn })),
    );
    await list.waitAll(games[0]!.gameId, players);
    await list.waitAll(games[1]!.gameId, players.toReversed());
    for (const { seats } of games) for (const seat of seats) await list.cancel(seat);
    expect(await Promise.all(games.map(({ gameId }) => list.promote(gameId)))).toEqual([6, 6]);
  }
});

test("players who take each other's late spots are both refunded", LIMIT, async () => {
  for (let round = 0; round < ROUNDS.few * 3; round += 1) {
    const games = await Promise.all([4, 8].map((startsIn) => list.fullGame({ startsIn })));
    const [one, other] = [games[0]!, games[1]!];
    for (const { seat } of games) await list.cancel(seat);
    await Promise.all([
      list.join(one.gameId, other.seat.playerId),
      list.join(other.gameId, one.seat.playerId),
    ]);
    for (const { seat } of games) {
      expect(await balanceCents(database.db, seat.playerId)).toBe(10_000 - 2_000 + 901);
    }
  }
});

test("ten late spots that ten players take at once are refunded once each", LIMIT, async () => {
  for (let round = 0; round < ROUNDS.few; round += 1) {
    const { gameId, seats } = await list.fullGame({ spots: 10, startsIn: 20 });
    await Promise.all(seats.map((seat) => list.cancel(seat)));
    const joins = Array.from({ length: 10 }, async () => list.join(gameId, await ada(database.db)));
    await Promise.all([...joins, list.promote(gameId)]);
    for (const { playerId } of seats) {
      expect(await balanceCents(database.db, playerId)).toBe(9_901);
    }
    await expect(list.join(gameId, await aPlayer(database.db))).rejects.toThrow("full");
  }
});
