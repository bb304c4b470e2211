import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGameToDecide, DECISION, decisionOf, editPlan } from "#test/decisions.ts";
import { aGame, aVenue, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { wallClock } from "#app/platform/clock.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import { publishGame } from "./publish-game.server.ts";
import type { GamePlan } from "#app/features/games/plan.ts";
import { decideGames } from "./decide-games.server.ts";

const database = useDatabase();
beforeEach(async () => {
  // What other tests have left to be decided.
  await database.pool.query("update games set min_players = null where min_players is not null");
});

const game = (players: number) => aGameToDecide(database, players);
const decisionState = (gameId: string) => decisionOf(database, gameId);
const decideAll = (now: Date) => decideGames(database.db, database.jobs, now);
const edit = (gameId: string, wish: Partial<GamePlan>, more = {}) =>
  editPlan(database, gameId, wish, more);
const run = (text: string, values: unknown[]) => database.pool.query(text, values);

describe("the decision moves", () => {
  test("with an edit of the hours or of the time, and a game that was on is decided again", async () => {
    const { gameId } = await game(3);
    await decideAll(DECISION);
    await edit(gameId, { decidesHours: 2 }, { now: DECISION });
    expect(await decisionState(gameId)).toMatchObject({ decision: null, decidesAt: hoursLater(8) });
    await edit(gameId, { startTime: "23:00", endTime: "23:30" }, { now: DECISION });
    expect(await decisionState(gameId)).toMatchObject({
      decidesAt: hoursLater(9),
      decidesHours: 2,
    });
  });

  test("not into the past, and the minimum not above the capacity", async () => {
    const { gameId } = await game(2);
    expect(await edit(gameId, { decidesHours: 10 })).toMatchObject({ reason: "decision-over" });
    expect(await edit(gameId, { minPlayers: 11 })).toMatchObject({ reason: "minimum-too-high" });
    expect(await edit(gameId, { maxPlayers: 2 })).toMatchObject({ reason: "minimum-too-high" });
    expect(await decisionState(gameId)).toMatchObject({ decision: null, decidesAt: DECISION });
  });

  test("with an edit of its times by SQL, and is carried out then", async () => {
    const { gameId } = await game(2);
    const { date, time } = wallClock(hoursLater(4));
    await run("update games set date = $2, start_time = $3, end_time = '23:59' where id = $1", [
      gameId,
      date,
      time,
    ]);
    expect((await decisionState(gameId)).decidesAt).toEqual(hoursLater(1));
    await decideAll(new Date(hoursLater(1).getTime() - 1));
    expect((await decisionState(gameId)).decision).toBeNull();
    await decideAll(hoursLater(1));
    expect((await decisionState(gameId)).decision).toBe("CalledOff");
  });

  test("to the time that is written by SQL, which counts as an edit and moves with the game", async () => {
    const gameId = await aGame(database.db, { startsIn: 10, min_players: 3 });
    const before = await decisionState(gameId);
    expect(before).toMatchObject({ decidesAt: DECISION, decidesHours: 3 });
    const at = new Date(hoursLater(9).getTime() + 7_123);
    await run("update games set decides_at = $2 where id = $1", [gameId, at]);
    const after = await decisionState(gameId);
    expect(after).toMatchObject({ decidesAt: at, decidesHours: 1, version: before.version + 1 });
    // An edit of something else saves all of the plan, and leaves the odd time as it is.
    await edit(gameId, { title: "Cup" });
    expect((await decisionState(gameId)).decidesAt).toEqual(at);
    await run("update games set start_time = '23:00', end_time = '23:30' where id = $1", [gameId]);
    expect((await decisionState(gameId)).decidesAt).toEqual(hoursLater(10));
  });

  test("into nothing with its minimum, and back to its hours with a new one", async () => {
    const gameId = await aGame(database.db, { startsIn: 10, min_players: 3, decides_hours: 2 });
    await run("update games set min_players = null where id = $1", [gameId]);
    expect(await decisionState(gameId)).toMatchObject({ decidesAt: null, decidesHours: 2 });
    await run("update games set min_players = 2 where id = $1", [gameId]);
    expect((await decisionState(gameId)).decidesAt).toEqual(hoursLater(8));
  });

  test("is that of the row that is inserted, by its hours or by its own time", async () => {
    const own = hoursLater(6);
    const gameId = await aGame(database.db, { startsIn: 10, min_players: 3, decides_at: own });
    expect(await decisionState(gameId)).toMatchObject({ decidesAt: own, decidesHours: 4 });
  });
});

describe("a series", () => {
  const aSeries = async (wish: Partial<GamePlan> = {}) => {
    const venueId = await aVenue(database.db);
    const plan = aPlan(venueId, { minPlayers: 8, decidesHours: 2, ...wish });
    const made = { plan, weeks: 3, status: "Draft" as const, now: NOW };
    const result = await createGames(database.db, { ...made, actorId: await ben(database.db) });
    if (!result.ok) throw new Error(result.reason);
    return result.gameIds;
  };
  const decisions = async (ids: string[]) =>
    (await Promise.all(ids.map(decisionState))).map(
      ({ decidesAt }) => decidesAt?.toISOString() ?? null,
    );

  test("has the minimum in each game, decided so many hours before each", async () => {
    expect(await decisions(await aSeries())).toEqual([
      "2026-12-02T15:00:00.000Z",
      "2026-12-09T15:00:00.000Z",
      "2026-12-16T15:00:00.000Z",
    ]);
  });

  test("moves with one edit, all games or none", async () => {
    const ids = await aSeries();
    expect(await edit(ids[1]!, { decidesHours: 4 }, { withFollowing: true })).toMatchObject({
      games: 2,
    });
    expect(await decisions(ids)).toEqual([
      "2026-12-02T15:00:00.000Z",
      "2026-12-09T13:00:00.000Z",
      "2026-12-16T13:00:00.000Z",
    ]);
    await edit(ids[2]!, { maxPlayers: 9 });
    const before = await decisions(ids);
    expect(await edit(ids[0]!, { minPlayers: 10 }, { withFollowing: true })).toEqual({
      ...{ ok: false, reason: "minimum-too-high", date: "2026-12-16", maxPlayers: 9 },
    });
    expect(await decisions(ids)).toEqual(before);
    expect((await decisionState(ids[0]!)).minPlayers).toBe(8);
  });

  test("is not created where the first decision is over, nor published", async () => {
    const [venueId, actorId] = [await aVenue(database.db), await ben(database.db)];
    const plan = aPlan(venueId, { date: "2026-11-21", minPlayers: 8, decidesHours: 9 });
    const made = { plan, weeks: 2, status: "Published" as const, actorId, now: NOW };
    expect(await createGames(database.db, made)).toMatchObject({ reason: "decision-over" });
    const [gameId] = await aSeries();
    const scope = { gameId: gameId!, actorId, now: new Date("2026-12-02T15:00:00Z") };
    expect(await publishGame(database.db, scope)).toEqual({ ok: false, reason: "decision-over" });
    await run("update games set decision = 'PlayAnyway', decided_at = now() where id = $1", [
      gameId,
    ]);
    expect(await publishGame(database.db, scope)).toMatchObject({ ok: true });
    await run(
      "update games set status = 'Draft', decision = null, decided_at = null where id = $1",
      [gameId],
    );
    const earlier = { ...scope, now: new Date("2026-12-02T14:59:59Z") };
    expect(await publishGame(database.db, earlier)).toMatchObject({ ok: true });
  });
});
