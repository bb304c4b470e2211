import { describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { isLong } from "#test/long.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import {
  makeWhileMoved,
  makeWhilePublished,
  makeWhileRecorded,
  type Raced,
  type Scene,
  twoMoves,
} from "#test/team-races.ts";

const ROUNDS = isLong ? 200 : 6;
const LIMIT = { timeout: isLong ? 1_800_000 : 120_000 };
const database = useDatabase(20);
withoutTimeouts(database);

type Round = (scene: Scene, round: number) => Promise<Raced>;
/** What may come out, either way, and what the log has of each of the two where it is done. */
const ONE = ["done changed", "changed done"];
const RACES: [string, Round, string[], [string, string]][] = [
  // The new teams may have the player where the other one wants them.
  [
    "teams are made again while a player is moved",
    makeWhileMoved,
    [...ONE, "done there already"],
    ["teams.make", "teams.move"],
  ],
  [
    "teams are made again while they are published",
    makeWhilePublished,
    ONE,
    ["teams.make", "teams.publish"],
  ],
  ["two organisers move a player each", twoMoves, ONE, ["teams.move", "teams.move"]],
  [
    "teams are made again while their result is recorded",
    makeWhileRecorded,
    ["recorded done", "done teams-changed"],
    ["teams.make", "game.result"],
  ],
];

describe("of two organisers exactly one reads that it was changed:", () => {
  test.each(RACES)("%s", LIMIT, async (_, race, allowed, actions) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { results, recorded } = await race({ database, unguarded: database.db }, round);
      expect(allowed).toContain(results.join(" "));
      expect(recorded).toEqual(actions.filter((__, one) => results[one] === "done"));
    }
  });
});

// What is proved above has to break here, otherwise the proof would prove nothing.
describe("without the game's lock both change the same teams:", () => {
  test.each(RACES)("%s", LIMIT, async (_, race) => {
    const scene = { database, unguarded: database.db.withPlugin(withoutLocks) };
    for (let round = 0; round < 200; round += 1) {
      const { results, recorded } = await race(scene, round);
      if (results.every((result) => result === "done") && recorded.length === 2) return;
    }
    expect.fail("the property held in 200 rounds without its guard");
  });
});
