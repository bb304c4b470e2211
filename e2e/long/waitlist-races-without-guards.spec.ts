import { sql } from "kysely";
import type { Guard } from "#test/without-guards.ts";
import { expect, test } from "../fixtures.ts";
import { type Lists, openLists } from "../lists.ts";
import type { Player } from "../players.ts";
import { type Processes, startProcesses, without } from "../processes.ts";
import * as races from "../waitlist-races.ts";

/*
 * The negative controls of waitlist-races.spec.ts: the same rounds with servers that lack a guard.
 * What was proved there has to break here, otherwise the proof would prove nothing.
 */
test.describe.configure({ mode: "serial", timeout: 240_000 });
let processes: Processes;
let lists: Lists;
let holder: Player;

function useServersWithout(guard: Guard) {
  test.beforeAll(async () => {
    processes = await startProcesses(2, without(guard));
    lists = openLists(processes);
    holder = await lists.player(9_000);
  });
  test.afterAll(async () => {
    await processes?.stop();
  });
}

/** Repeats a round until it breaks the property; fails where it never does. */
async function breaks(round: () => Promise<boolean>) {
  for (let turn = 0; turn < 50; turn += 1) if (await round()) return;
  expect(null, "the property held in 50 rounds without its guard").toBe("broken");
}

test.describe("without the rule of the waitlist", () => {
  useServersWithout("waitlist");

  test("a newcomer gets the spot of the first who waits", async () => {
    const race = { holder, waiting: await lists.players(1), newcomers: await lists.players(50) };
    await breaks(async () => {
      const { joins } = await races.aCrowdAtAFreedSpot(lists, race);
      return joins.includes(302);
    });
  });

  test("newcomers get some of five more spots", async () => {
    const race = { holder, waiting: await lists.players(1), newcomers: await lists.players(20) };
    await breaks(async () => {
      const { joins } = await races.fiveMoreSpots(lists, race);
      return joins.includes(302);
    });
  });
});

test.describe("without locks", () => {
  useServersWithout("locks");
  // They would stop what the locks do not.
  test.beforeAll(async () => {
    for (const statement of NO_CONSTRAINTS) await sql.raw(statement).execute(lists.db);
  });

  test("somebody who has left is in the game, and has paid", () =>
    breaks(async () => {
      const { left, paid } = await races.leavesWhilePromoted(lists, holder, false);
      return left === 302 && paid === 1;
    }));

  test("the same job books and charges twice", () =>
    breaks(async () => {
      const { gameId } = await races.oneJobManyTimes(lists, holder, 50);
      const players = await lists.playersIn(gameId);
      return new Set(players).size < players.length;
    }));

  test("two games take the same credits", () =>
    breaks(async () => {
      const { gameIds, player } = await races.freeSpotsOfTwoGames(lists, holder);
      await expect
        .poll(async () => (await Promise.all(gameIds.map(lists.playersIn))).flat().length)
        .toBeGreaterThanOrEqual(2);
      const players = (await Promise.all(gameIds.map(lists.playersIn))).flat();
      return players.filter((id) => id === player.userId).length === 2;
    }));
});

const NO_CONSTRAINTS = [
  "drop index bookings_one_live_per_game",
  "alter table games drop constraint games_seats_within_capacity",
  "alter table games drop constraint games_spots_within_capacity",
  "alter table profiles drop constraint profiles_balance_not_negative",
  "alter table credit_lots drop constraint credit_lots_remaining",
];
