import { entriesIn } from "#test/waitlist.ts";
import { tally } from "#test/waitlist-races.ts";
import { expect, test } from "../fixtures.ts";
import { type Lists, openLists } from "../lists.ts";
import type { Player } from "../players.ts";
import { type Processes, startProcesses } from "../processes.ts";
import { runCommand } from "../site.ts";
import * as races from "../waitlist-races.ts";

/*
 * Two processes on one database, each with its jobs; requests go to both in turn. What these prove is
 * proved in turn by waitlist-races-without-guards.spec.ts.
 */
const ROUNDS = { crowd: 100, leaving: 200, few: 20 };

test.describe.configure({ mode: "serial", timeout: 1_200_000 });
let processes: Processes;
let lists: Lists;
let holder: Player;
let newcomers: Player[];

test.beforeAll(async () => {
  processes = await startProcesses(2);
  lists = openLists(processes);
  holder = await lists.player(9_000);
  newcomers = await lists.players(50);
});

test.afterAll(async () => {
  await processes?.stop();
});

test("50 newcomers join while a player cancels: the first of 20 gets the spot", async () => {
  let waiting = await lists.players(20);
  for (let round = 0; round < ROUNDS.crowd; round += 1) {
    const race = { holder, waiting, newcomers };
    const { gameId, joins } = await races.aCrowdAtAFreedSpot(lists, race);
    expect(tally(joins.map(String))).toEqual({ 409: 50 });
    await lists.untilIn(gameId, [waiting[0]!.userId]);
    waiting = [...waiting.slice(1), await lists.player()];
  }
});

test("who leaves while being promoted is either in or gone, never both", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS.leaving; round += 1) {
    const race = await races.leavesWhilePromoted(lists, holder, round % 2 === 0);
    const { gameId, left, status, paid, cents } = race;
    seen.add(status);
    if (status === "Left") {
      expect({ left, paid, cents }).toEqual({ left: 302, paid: 0, cents: 1_000 });
      // The spot is not lost.
      expect(await lists.join(holder, gameId)).toBe(302);
    } else {
      // 503 where a busy machine was too slow to say so.
      expect([409, 503]).toContain(left);
      expect({ status, paid, cents }).toEqual({ status: "Promoted", paid: 1, cents: 0 });
    }
  }
  // In so many rounds each comes first now and then.
  expect(seen.size).toBe(2);
});

test("the same job twenty times at once gives each spot once, and is paid once", async () => {
  for (let round = 0; round < ROUNDS.few; round += 1) {
    const { gameId, waiting, failed } = await races.oneJobManyTimes(lists, holder);
    expect(failed).toBe(0);
    const [first, second] = waiting;
    expect(await lists.playersIn(gameId)).toEqual([holder, first!, second!].map(idOf));
    const places = await entriesIn(lists.db, gameId);
    const statuses = places.map(({ status }) => status);
    expect(statuses).toEqual(["Promoted", "Promoted", "Waiting", "Waiting"]);
  }
});

test("an organiser adds five spots: the first five who can pay are in, in order", async () => {
  for (let round = 0; round < ROUNDS.few; round += 1) {
    const waiting = await lists.players(20);
    for (const poor of [1, 3]) waiting[poor] = await lists.player(5);
    const race = { holder, waiting, newcomers: newcomers.slice(0, 20) };
    const { gameId, joins } = await races.fiveMoreSpots(lists, race);
    expect(tally(joins.map(String))).toEqual({ 409: 20 });
    const able = waiting.filter((_, n) => n !== 1 && n !== 3);
    await lists.untilIn(gameId, [holder, ...able.slice(0, 5)].map(idOf));
    const places = await entriesIn(lists.db, gameId);
    expect([places[1]?.passed_over, places[3]?.passed_over]).toEqual(["credits", "credits"]);
    expect(places.filter(({ status }) => status === "Waiting")).toHaveLength(15);
  }
});

test("two games free a spot for one player with credits for one: each is filled", async () => {
  for (let round = 0; round < ROUNDS.few * 2; round += 1) {
    const { gameIds, player, seconds } = await races.freeSpotsOfTwoGames(lists, holder);
    const whoIsIn = () => Promise.all(gameIds.map(lists.playersIn));
    const one = [[player.userId], [seconds[1]!.userId]];
    const other = [[seconds[0]!.userId], [player.userId]];
    await expect
      .poll(async () => (await whoIsIn()).flat().length, { intervals: [50], timeout: 30_000 })
      .toBe(2);
    expect([one, other]).toContainEqual(await whoIsIn());
  }
});

test("afterwards the books are right", async () => {
  expect(await runCommand(processes.dataDir, "check-ledger.ts")).toContain("The books are right");
});

const idOf = ({ userId }: Player) => userId;
