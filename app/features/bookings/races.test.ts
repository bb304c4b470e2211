import { afterEach, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { ada, aGame, aPlayer, balanceCents, NOW, somePlayers } from "#test/fixtures.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "./join-game.server.ts";
import { isLong } from "#test/long.ts";

// What these prove is proved in turn by races-without-locks.test.ts.
// Without their lock each of these is red in the first round or two.
const ROUNDS = isLong ? { lastSpot: 20, refunds: 5, few: 5 } : { lastSpot: 2, refunds: 1, few: 2 };
const database = useDatabase(40);
withoutTimeouts(database);

afterEach(() => expectRightBooks(database));

async function join(gameId: string, playerId: string): Promise<string> {
  const result = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  return result.ok ? "joined" : result.reason;
}

async function cancel(cancellation: Parameters<typeof cancelBooking>[2]): Promise<string> {
  const result = await cancelBooking(database.db, database.jobs, cancellation);
  return result.ok ? `refunded ${result.creditsBackCents}` : result.reason;
}

/** How often each answer was given. */
async function tally(actions: Promise<string>[]): Promise<Record<string, number>> {
  const results = Object.groupBy(await Promise.all(actions), (result) => result);
  return Object.fromEntries(Object.entries(results).map(([key, all]) => [key, all?.length ?? 0]));
}

test("one of fifty concurrent players gets the last spot, every time", async () => {
  const players = await somePlayers(database.db, 50, 200);
  for (let round = 0; round < ROUNDS.lastSpot; round += 1) {
    const gameId = await aGame(database.db, { spots: 1 });
    const entries = players.map((playerId) => join(gameId, playerId));
    expect(await tally(entries)).toEqual({ joined: 1, full: 49 });
  }
  const balances = await Promise.all(players.map((id) => balanceCents(database.db, id)));
  expect(balances.reduce((sum, cents) => sum + cents, 0)).toBe(
    50 * 20_000 - ROUNDS.lastSpot * 1_000,
  );
});

test("credits for one game, twenty games at once: one is joined", async () => {
  for (let round = 0; round < ROUNDS.few; round += 1) {
    const playerId = await aPlayer(database.db, { credits: 10 });
    const games = await Promise.all(Array.from({ length: 20 }, () => aGame(database.db)));
    const actions = games.map((gameId) => join(gameId, playerId));
    expect(await tally(actions)).toEqual({ joined: 1, "not-enough-credits": 19 });
    expect(await balanceCents(database.db, playerId)).toBe(0);
  }
});

test("twenty clicks of one player: one booking, one deduction", async () => {
  for (let round = 0; round < ROUNDS.few; round += 1) {
    const [gameId, playerId] = [await aGame(database.db, { spots: 30 }), await ada(database.db)];
    const actions = Array.from({ length: 20 }, () => join(gameId, playerId));
    expect(await tally(actions)).toEqual({ joined: 1, "already-joined": 19 });
    expect(await balanceCents(database.db, playerId)).toBe(9_000);
  }
});

test("forty bookings, each cancelled four times at once: each is refunded once", async () => {
  const games = await Promise.all(
    Array.from({ length: 5 }, () => aGame(database.db, { spots: 40 })),
  );
  for (let round = 0; round < ROUNDS.refunds; round += 1) {
    const players = await somePlayers(database.db, 8, 50);
    const cancelFourTimes = async (gameId: string, playerId: string) => {
      const result = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
      if (!result.ok) throw new Error(result.reason);
      const cancellation = { ...result, playerId, now: NOW };
      return Array.from({ length: 4 }, () => cancel(cancellation));
    };
    const all = games.flatMap((gameId) => players.map((id) => cancelFourTimes(gameId, id)));
    const actions = (await Promise.all(all)).flat();
    expect(await tally(actions)).toEqual({ "refunded 901": 40, "already-cancelled": 120 });
    const balances = await Promise.all(players.map((id) => balanceCents(database.db, id)));
    expect(new Set(balances)).toEqual(new Set([5_000 - 5 * 99]));
  }
});

test("no player stays in or pays for a game that is cancelled while they join", async () => {
  const players = await somePlayers(database.db, 20, 100);
  for (let round = 0; round < ROUNDS.few; round += 1) {
    const gameId = await aGame(database.db, { spots: 30 });
    const actions: Promise<string>[] = players.map((playerId) => join(gameId, playerId));
    const cancelled = cancelGame(database.db, database.jobs, { gameId, now: NOW });
    const results = await tally(actions);
    const joined = results.joined ?? 0;
    expect(await cancelled).toEqual({ ok: true, players: joined });
    expect(results["not-published"] ?? 0).toBe(20 - joined);
    for (const id of players) expect(await balanceCents(database.db, id)).toBe(10_000);
  }
});

test("there are never more players than seats while the capacity changes", async () => {
  const players = await somePlayers(database.db, 30, 100);
  for (let round = 0; round < ROUNDS.few; round += 1) {
    const gameId = await aGame(database.db, { spots: 6 });
    const actions: Promise<string>[] = players.map((playerId) => join(gameId, playerId));
    const edits = [12, 3, 9, 2, 7, 5].map((spots) =>
      database.pool
        .query("update games set max_players = $2 where id = $1", [gameId, spots])
        .then(() => "edited")
        .catch((error: Error) => (/within_capacity/.test(error.message) ? "rejected" : "broken")),
    );
    const results = await tally([...actions, ...edits]);
    const { joined = 0, full = 0, edited = 0, rejected = 0 } = results;
    expect([joined + full, edited + rejected]).toEqual([30, 6]);
    const game = database.db.selectFrom("games").select(["seats_taken", "max_players"]);
    const { seats_taken, max_players } = await game
      .where("id", "=", gameId)
      .executeTakeFirstOrThrow();
    expect(seats_taken).toBe(joined);
    expect(seats_taken).toBeLessThanOrEqual(max_players);
  }
});

test("the books stay correct while a crowd joins and cancels", async () => {
  const games = await Promise.all(
    Array.from({ length: 4 }, () => aGame(database.db, { spots: 3 })),
  );
  const players = await somePlayers(database.db, 12, 20);
  const wander = async (playerId: string, turn: number) => {
    for (let step = 0; step < 6; step += 1) {
      const gameId = games[(turn + step) % games.length]!;
      const result = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
      if (!result.ok || step % 2 === 0) continue;
      await cancelBooking(database.db, database.jobs, { ...result, playerId, now: NOW });
    }
  };
  await Promise.all(players.map(wander));
  for (const id of players) expect(await balanceCents(database.db, id)).toBeGreaterThanOrEqual(0);
});
