import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutLocks, withoutWaitlist } from "#test/disable-locks.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { somePlayers } from "#test/fixtures.ts";
import {
  aCrowdAtAFreedSpot,
  fiveMoreSpots,
  freeSpotsOfTwoGames,
  leavesWhilePromoted,
  manyPromotions,
} from "#test/waitlist-races.ts";
import { statusesIn, waitlistOf } from "#test/waitlist.ts";

/*
 * The negative controls of waitlist-races.test.ts: the same rounds with the guard taken away. What
 * was proved there has to break here, otherwise the proof would prove nothing.
 */
const database = useDatabase(40);
withoutTimeouts(database);
const list = waitlistOf(database);
const scene = (guard = withoutLocks) => ({
  ...{ database, list },
  unguarded: database.db.withPlugin(guard),
});

/** Repeats a round until it breaks the property; fails where it never does. */
async function breaks(round: (turn: number) => Promise<boolean>) {
  for (let turn = 0; turn < 200; turn += 1) if (await round(turn)) return;
  expect.fail("the property held in 200 rounds without its guard");
}

test("without the rule a newcomer gets the spot of the first who waits", async () => {
  const newcomers = await somePlayers(database.db, 25, 100);
  await breaks(async () => {
    const { results } = await aCrowdAtAFreedSpot(scene(withoutWaitlist), newcomers);
    return results.includes("joined");
  });
});

test("without the rule newcomers get some of five more spots", async () => {
  const newcomers = await somePlayers(database.db, 20, 100);
  await breaks(async () => {
    const { results } = await fiveMoreSpots(scene(withoutWaitlist), newcomers);
    return results.includes("joined");
  });
});

test("without locks somebody who has left is in the game", () =>
  breaks(async (turn) => {
    const { left, isIn } = await leavesWhilePromoted(scene(), turn);
    return left === "left" && isIn;
  }));

test("without locks the same promotion runs into the constraints", () =>
  breaks(async () => {
    const { results } = await manyPromotions(scene());
    return results.some((result) => Number.isNaN(Number(result)));
  }));

test("without locks two games take the same credits, and the constraint throws", () =>
  breaks(async () => {
    const { results } = await freeSpotsOfTwoGames(scene(), {});
    return results.includes("profiles_balance_not_negative");
  }));

test("without locks a player is promoted to two games at the same hour", () =>
  breaks(async () => {
    const { games } = await freeSpotsOfTwoGames(scene(), { isSameHour: true });
    const statuses = await Promise.all(games.map((id) => statusesIn(database.db, id)));
    return statuses.every(([first]) => first === "Promoted");
  }));

test("without locks a player is asked by two games at the same hour", () =>
  breaks(async () => {
    const { games } = await freeSpotsOfTwoGames(scene(), { isSameHour: true, mode: "ask" });
    const statuses = await Promise.all(games.map((id) => statusesIn(database.db, id)));
    return statuses.every(([first]) => first === "Offered");
  }));
