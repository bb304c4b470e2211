import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutLocks, withoutWaitlist } from "#test/disable-locks.ts";
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
import { withoutTimeouts } from "#test/no-timeouts.ts";

/*
 * The negative controls of hold-races.test.ts: the same rounds with the guard taken away. What was
 * proved there has to break here, otherwise the proof would prove nothing.
 */
const database = useDatabase(40);
withoutTimeouts(database);
const scene = (guard = withoutLocks) => ({
  database,
  unguarded: database.db.withPlugin(guard),
});
const CAPACITY = "games_spots_within_capacity";
const SPOTS = [CAPACITY, "games_seats_within_capacity"];

/** Repeats a round until it breaks the property; fails where it never does. */
async function breaks(round: (turn: number) => Promise<boolean>) {
  for (let turn = 0; turn < 200; turn += 1) if (await round(turn)) return;
  expect.fail("the property held in 200 rounds without its guard");
}

test("without locks the last spot is held and joined, and the constraint throws", () =>
  breaks(async (turn) => (await holdWhileJoined(scene(), turn)).includes(CAPACITY)));

test("without locks two players hold the last spot, and the constraint throws", () =>
  breaks(async (turn) => (await twoHolds(scene(), turn)).includes(CAPACITY)));

test("without locks the last spot is held and taken away, and the constraint throws", () =>
  breaks(async (turn) => (await holdWhileSmaller(scene(), turn)).includes(CAPACITY)));

test("without locks a player holds two spots, and the index throws", () =>
  breaks(async () => (await manyHolds(scene())).includes("friend_holds_one_live_per_game")));

test("without locks a player holds spots in more than three games", () =>
  breaks(async () => {
    const results = await holdInManyGames(scene());
    return results.filter((result) => result === "held").length > 3;
  }));

test("without locks several friends come by one link", async () => {
  const friends = await somePlayers(database.db, 20, 2_000);
  await breaks(async () => {
    const results = await oneLinkForAll(scene(), friends);
    return results.filter((result) => result === "taken").length > 1;
  });
});

test("without locks a spot goes to the friend and to the list, and the constraint rejects one", () =>
  breaks(async (turn) => {
    const { taken, promoted } = await lapseWhileTaken(scene(), turn);
    return [taken, promoted].some((result) => SPOTS.includes(result));
  }));

test("without its rule a spot is held while somebody waits", () =>
  breaks(async (turn) => {
    const { held } = await holdWhileSomebodyWaits(scene(withoutWaitlist), turn);
    return held === "held";
  }));
