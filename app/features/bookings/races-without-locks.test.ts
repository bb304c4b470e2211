import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { ada, aGame, aPlayer, balanceCents, NOW, somePlayers } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "./join-game.server.ts";

/*
 * The negative controls of races.test.ts: the same crowds with the guard taken away. What was
 * proved there has to break here, otherwise the proof would prove nothing.
 */
const database = useDatabase(40);
withoutTimeouts(database);
let unlocked: Db;
beforeEach(() => {
  unlocked = database.db.withPlugin(withoutLocks);
});

/** Whether it joined; where the last line has answered instead of the lock, its name. */
const join = (gameId: string, playerId: string): Promise<string> =>
  joinGame(unlocked, database.jobs, { gameId, playerId, now: NOW }).then(
    (result) => (result.ok ? "joined" : result.reason),
    (error: { constraint?: string }) => error.constraint ?? String(error),
  );
const count = (results: string[], wanted: string) =>
  results.filter((result) => result === wanted).length;

/** Repeats a round until it breaks the property; fails where it never does. */
async function breaks(round: () => Promise<boolean>) {
  for (let turn = 0; turn < 200; turn += 1) if (await round()) return;
  expect.fail("the property held in 200 rounds without its guard");
}

const crowdForLastSpot = async () => {
  const gameId = await aGame(database.db, { spots: 1 });
  const players = await somePlayers(database.db, 25, 10);
  return Promise.all(players.map((playerId) => join(gameId, playerId)));
};
const oneWalletTwentyGames = async () => {
  const playerId = await aPlayer(database.db, { credits: 10 });
  const games = await Promise.all(Array.from({ length: 20 }, () => aGame(database.db)));
  const results = await Promise.all(games.map((gameId) => join(gameId, playerId)));
  return { playerId, results };
};
const twentyClicks = async () => {
  const [gameId, playerId] = [await aGame(database.db, { spots: 30 }), await ada(database.db)];
  return Promise.all(Array.from({ length: 20 }, () => join(gameId, playerId)));
};
const fourCancellations = async () => {
  const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
  const joined = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const cancellation = { ...joined, playerId, now: NOW };
  const actions = Array.from({ length: 4 }, () =>
    cancelBooking(unlocked, database.jobs, cancellation).then(
      (result) => (result.ok ? "refunded" : result.reason),
      (error: { constraint?: string }) => error.constraint ?? String(error),
    ),
  );
  return { playerId, results: await Promise.all(actions) };
};

describe("without locks the constraints still hold, by throwing", () => {
  test("the last spot", () =>
    breaks(async () => {
      const results = await crowdForLastSpot();
      expect(count(results, "joined")).toBe(1);
      return results.includes("games_seats_within_capacity");
    }));

  test("one wallet", () =>
    breaks(async () => {
      const { playerId, results } = await oneWalletTwentyGames();
      expect(count(results, "joined")).toBe(1);
      expect(await balanceCents(database.db, playerId)).toBe(0);
      return results.includes("profiles_balance_not_negative");
    }));

  test("one refund", () =>
    breaks(async () => {
      const { playerId, results } = await fourCancellations();
      expect(count(results, "refunded")).toBe(1);
      expect(await balanceCents(database.db, playerId)).toBe(9_901);
      return results.includes("wallet_transactions_business_key_key");
    }));

  test("the books stay correct", async () => {
    expect((await checkBooks(database.db)).differences).toEqual([]);
  });
});

describe("without the constraints everything breaks", () => {
  test("the last spot is sold more than once, and the books say so", async () => {
    await database.pool.query(
      "alter table games drop constraint games_seats_within_capacity, drop constraint games_spots_within_capacity",
    );
    await breaks(async () => count(await crowdForLastSpot(), "joined") > 1);
    expect((await checkBooks(database.db)).differences).not.toEqual([]);
  });

  test("a wallet pays for more than it holds", async () => {
    await database.pool.query(
      `alter table profiles drop constraint profiles_balance_not_negative;
       alter table credit_lots drop constraint credit_lots_remaining`,
    );
    await breaks(async () => {
      const { playerId, results } = await oneWalletTwentyGames();
      return count(results, "joined") > 1 && (await balanceCents(database.db, playerId)) < 0;
    });
  });

  test("a double click pays twice", async () => {
    await database.pool.query("drop index bookings_one_live_per_game");
    await breaks(async () => count(await twentyClicks(), "joined") > 1);
  });

  test("a booking is refunded twice", async () => {
    await database.pool.query(
      `alter table wallet_transactions drop constraint wallet_transactions_business_key_key;
       alter table credit_lots drop constraint if exists credit_lots_remaining`,
    );
    await breaks(async () => {
      const { playerId, results } = await fourCancellations();
      return count(results, "refunded") > 1 && (await balanceCents(database.db, playerId)) > 10_000;
    });
  });

  test("a player stays in a cancelled game", () =>
    breaks(async () => {
      const gameId = await aGame(database.db, { spots: 30 });
      const players = await somePlayers(database.db, 20, 10);
      const entries = players.map((playerId) => join(gameId, playerId));
      await cancelGame(unlocked, database.jobs, { gameId, now: NOW });
      await Promise.all(entries);
      const balances = await Promise.all(players.map((id) => balanceCents(database.db, id)));
      return balances.some((cents) => cents !== 1_000);
    }));
});
