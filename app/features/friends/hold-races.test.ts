import { afterEach, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { somePlayers } from "#test/fixtures.ts";
import {
  holdInManyGames,
  holdWhileJoined,
  holdWhileSmaller,
  holdWhileSomebodyWaits,
  lapseWhileTaken,
  manyHolds,
  oneLinkForAll,
  twoHolds,
} from "#test/hold-races.ts";
import { isLong } from "#test/long.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";

// What these prove is proved in turn by hold-races-without-guards.test.ts.
const ROUNDS = isLong ? 200 : 6;
const LIMIT = { timeout: isLong ? 1_800_000 : 120_000 };
const database = useDatabase(40);
withoutTimeouts(database);
const scene = () => ({ database, unguarded: database.db });

afterEach(() => expectRightBooks(database));

test("the last spot is held or joined, never both", LIMIT, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    expect([
      ["held", "full"],
      ["full", "joined"],
    ]).toContainEqual(await holdWhileJoined(scene(), round));
  }
});

test("the last spot is held by one of two players", LIMIT, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = await twoHolds(scene(), round);
    expect(results.toSorted()).toEqual(["full", "held"]);
  }
});

test("the last spot is held or taken away by the organiser, never both", LIMIT, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    expect([
      ["held", "too-few-seats"],
      ["full", "saved"],
    ]).toContainEqual(await holdWhileSmaller(scene(), round));
  }
});

test("a player who presses eight times holds one spot", LIMIT, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = await manyHolds(scene());
    expect(results.toSorted()).toEqual(["held", ...Array(7).fill("held-already")]);
  }
});

test("a player who holds spots in five games at once holds three", LIMIT, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = await holdInManyGames(scene());
    expect(results.toSorted()).toEqual([
      ...Array(3).fill("held"),
      ...Array(2).fill("too-many-games"),
    ]);
  }
});

test("of twenty friends with one link the first is in", LIMIT, async () => {
  const friends = await somePlayers(database.db, 20, 10 * ROUNDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = await oneLinkForAll(scene(), friends);
    expect(results.toSorted()).toEqual([...Array(19).fill("hold-taken"), "taken"]);
  }
});

test("a spot that lapses as it is taken goes to the friend or to the list", LIMIT, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { taken, promoted, players, host, friend, waiter } = await lapseWhileTaken(
      scene(),
      round,
    );
    const second = taken === "taken" ? friend : waiter;
    expect(["taken", "hold-over"]).toContain(taken);
    expect(promoted).toBe("promoted");
    expect(players.toSorted()).toEqual([host, second].toSorted());
  }
});

test("a spot that opens is never held while somebody waits", LIMIT, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { held, promoted } = await holdWhileSomebodyWaits(scene(), round);
    expect(["full", "somebody-waits"]).toContain(held);
    expect(promoted).toBe(1);
  }
});
