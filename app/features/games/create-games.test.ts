import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { aGame, aVenue, ben, everything, NOW } from "#test/fixtures.ts";
import { addDays } from "#app/platform/clock.ts";
import { createGames } from "./create-games.server.ts";
import type { GamePlan } from "./plan.ts";
import { aPlan } from "#test/games.ts";
import { publishGame, unpublishGame } from "#app/features/organise/publish-game.server.ts";
import { isLong } from "#test/long.ts";

const database = useDatabase();
withoutTimeouts(database);
let venueId: string;
let actorId: string;
beforeAll(async () => {
  venueId = await aVenue(database.db);
  actorId = await ben(database.db);
});

const create = (wish: Partial<GamePlan> = {}, weeks = 1) =>
  createGames(database.db, {
    ...{ plan: aPlan(venueId, wish), weeks, actorId, now: NOW },
    status: "Published",
    confirmed: true,
  });

async function created(wish: Partial<GamePlan>, weeks: number): Promise<string[]> {
  const result = await create(wish, weeks);
  if (!result.ok) throw new Error(result.reason);
  return result.gameIds;
}

test.each([1, 3])(
  "a form that arrives several times makes its games once (%i weeks)",
  async (weeks) => {
    const formKey = crypto.randomUUID();
    const games = { plan: aPlan(venueId), weeks, actorId, formKey, confirmed: true, now: NOW };
    const send = (more: object = {}) =>
      createGames(database.db, { ...games, status: "Published", ...more });
    const results = await Promise.all(Array.from({ length: 4 }, () => send()));
    const [first] = results;
    expect(first).toMatchObject({ ok: true, gameIds: expect.arrayContaining([formKey]) });
    expect(results).toEqual(results.map(() => first));
    expect(await entriesOf(formKey)).toHaveLength(1);
    // The form was gone back to, and changed.
    for (const other of [
      { plan: aPlan(venueId, { startTime: "17:15" }) },
      { weeks: 2 },
      { status: "Draft" },
    ]) {
      expect(await send(other)).toEqual({ ok: false, reason: "form-used" });
    }
  },
);

/** Date, start and end of games as the database's own clock of Helsinki shows them. */
async function wallClock(ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ at: string }>`
    select to_char(starts_at at time zone 'Europe/Helsinki', 'YYYY-MM-DD HH24:MI') || '–' ||
      to_char(ends_at at time zone 'Europe/Helsinki', 'HH24:MI') as at
    from games where id = any(${ids}::uuid[]) order by starts_at`.execute(database.db);
  return rows.map(({ at }) => at);
}

const entriesOf = (gameId: string) =>
  database.db
    .selectFrom("audit_log")
    .selectAll()
    .where("subject", "=", gameId)
    .orderBy("id")
    .execute();

test("a game is created as planned, and recorded with its author", async () => {
  const [id = ""] = await created({ endTime: "00:30" }, 1);
  const game = await database.db
    .selectFrom("games")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(game).toMatchObject({
    status: "Published",
    series_id: null,
    price_eur: "10.00",
    ends_at: new Date("2026-12-02T22:30:00Z"),
  });
  const [entry] = await entriesOf(id);
  expect(entry).toMatchObject({
    actor: actorId,
    action: "game.create",
    details: { before: null, after: { date: "2026-12-02", status: "Published" } },
  });
});

describe("repeated weekly", () => {
  test("any date and time: real rows, seven days apart, the local time kept", async () => {
    const days = fc.integer({ min: 1, max: 700 });
    const minutes = fc.integer({ min: 4 * 60, max: 22 * 60 });
    const weeks = fc.integer({ min: 2, max: 26 });
    const property = fc.asyncProperty(days, minutes, weeks, async (day, minute, count) => {
      const clock = (n: number) => new Date(n * 60_000).toISOString().slice(11, 16);
      const [date, startTime, endTime] = [
        addDays("2026-11-21", day),
        clock(minute),
        clock(minute + 90),
      ];
      const ids = await created({ date, startTime, endTime }, count);
      expect(await wallClock(ids)).toEqual(
        ids.map((_, n) => `${addDays(date, 7 * n)} ${startTime}–${endTime}`),
      );
    });
    await fc.assert(property, { numRuns: isLong ? 300 : 15 });
  });

  test("half a year holds both clock changes of 2027, and one series", async () => {
    const ids = [
      ...(await created({ date: "2027-03-10" }, 26)),
      ...(await created({ date: "2027-09-08" }, 26)),
    ];
    expect(new Set((await wallClock(ids)).map((at) => at.slice(11)))).toEqual(
      new Set(["19:00–20:30"]),
    );
    const series = database.db.selectFrom("games").select("series_id").distinct();
    expect(await series.where("id", "in", ids).execute()).toHaveLength(2);
  });
});

describe("fails without writing:", () => {
  test.each([
    ["a start that the clocks jump over", { date: "2027-03-28", startTime: "03:30" }, 1],
    ["such a start in a later week", { date: "2027-03-14", startTime: "03:30" }, 3],
  ])("%s", async (_, wish, weeks) => {
    const before = await everything(database.db);
    expect(await create({ ...wish, endTime: "05:00" }, weeks)).toEqual({
      ...{ ok: false, reason: "no-such-time" },
      ...{ date: "2027-03-28", time: "03:30" },
    });
    expect(await everything(database.db)).toEqual(before);
  });

  test("the past, and a venue that is none", async () => {
    const before = await everything(database.db);
    expect(await create({ date: "2026-11-21", startTime: "11:59" })).toMatchObject({
      reason: "past",
    });
    for (const nowhere of [crypto.randomUUID(), "7", ""]) {
      expect(await create({ venueId: nowhere })).toEqual({ ok: false, reason: "no-venue" });
    }
    expect(await everything(database.db)).toEqual(before);
  });
});

describe("publish and unpublish", () => {
  const publish = (gameId: string) => publishGame(database.db, { gameId, actorId, now: NOW });
  const unpublish = (gameId: string) => unpublishGame(database.db, { gameId, actorId, now: NOW });

  test("each is recorded once, and a repeat changes nothing", async () => {
    const gameId = await aGame(database.db, { status: "Draft" });
    for (const action of [publish, publish, unpublish, unpublish]) {
      expect(await action(gameId)).toMatchObject({ ok: true });
    }
    const actions = (await entriesOf(gameId)).map(({ action }) => action);
    expect(actions).toEqual(["game.publish", "game.unpublish"]);
  });

  test("a drafted series from one game on, all or none", async () => {
    const plan = aPlan(await aVenue(database.db));
    const drafted = { plan, weeks: 4, actorId, status: "Draft", now: NOW } as const;
    const made = await createGames(database.db, drafted);
    const [first = "", second = "", third = "", fourth = ""] = made.ok ? made.gameIds : [];
    await database.db
      .updateTable("games")
      .set({ status: "Cancelled" })
      .where("id", "=", third)
      .execute();
    const publishFrom = (gameId: string, now = NOW) =>
      publishGame(database.db, { gameId, withFollowing: true, actorId, now });
    expect(await publishFrom(second)).toEqual({ ok: true, published: 2 });
    expect(await publishFrom(second)).toEqual({ ok: true, published: 0 });
    const games = database.db.selectFrom("games").select(["id", "status"]);
    expect(await games.where("id", "in", [first, second, third, fourth]).execute()).toEqual(
      expect.arrayContaining([
        { id: first, status: "Draft" },
        { id: second, status: "Published" },
        { id: third, status: "Cancelled" },
        { id: fourth, status: "Published" },
      ]),
    );
    expect((await entriesOf(fourth)).map(({ action }) => action)).toEqual([
      "game.create",
      "game.publish",
    ]);
  });

  test("a published series goes back from one game on, but for games with players", async () => {
    const plan = aPlan(await aVenue(database.db));
    const published = { plan, weeks: 4, actorId, status: "Published", now: NOW } as const;
    const made = await createGames(database.db, published);
    const [first = "", second = "", third = "", fourth = ""] = made.ok ? made.gameIds : [];
    const booking = { user_id: actorId, game_id: third, payment_status: "Paid" as const };
    await database.db.insertInto("bookings").values(booking).execute();
    const unpublishFrom = (gameId: string) =>
      unpublishGame(database.db, { gameId, withFollowing: true, actorId, now: NOW });
    expect(await unpublishFrom(second)).toEqual({ ok: true, unpublished: 2, kept: 1, waiting: 0 });
    expect(await unpublishFrom(second)).toEqual({ ok: true, unpublished: 0, kept: 1, waiting: 0 });
    const games = database.db.selectFrom("games").select(["id", "status"]);
    expect(await games.where("id", "in", [first, second, third, fourth]).execute()).toEqual(
      expect.arrayContaining([
        { id: first, status: "Published" },
        { id: second, status: "Draft" },
        { id: third, status: "Published" },
        { id: fourth, status: "Draft" },
      ]),
    );
    expect((await entriesOf(fourth)).map(({ action }) => action)).toEqual([
      "game.create",
      "game.unpublish",
    ]);
    expect((await entriesOf(third)).map(({ action }) => action)).toEqual(["game.create"]);
    expect(await unpublishFrom(third)).toEqual({ ok: false, reason: "has-players" });
  });

  test("a game with players cannot be unpublished", async () => {
    const gameId = await aGame(database.db);
    const booking = { user_id: actorId, game_id: gameId, payment_status: "Paid" as const };
    await database.db.insertInto("bookings").values(booking).execute();
    const before = await everything(database.db);
    expect(await unpublish(gameId)).toEqual({ ok: false, reason: "has-players" });
    expect(await everything(database.db)).toEqual(before);
  });

  test("a started, cancelled or missing game cannot change", async () => {
    const past = await aGame(database.db, { status: "Draft", startsIn: -1 });
    const off = await aGame(database.db, { status: "Cancelled" });
    expect(await publish(past)).toMatchObject({ reason: "started" });
    const begun = await aGame(database.db, { startsIn: -1 });
    expect(await unpublish(begun)).toEqual({ ok: false, reason: "started" });
    expect(await entriesOf(begun)).toEqual([]);
    expect(await publish(off)).toMatchObject({ reason: "not-draft" });
    expect(await unpublish(off)).toMatchObject({ reason: "not-published" });
    for (const nowhere of [crypto.randomUUID(), "7"]) {
      expect(await publish(nowhere)).toMatchObject({ reason: "not-found" });
      expect(await unpublish(nowhere)).toMatchObject({ reason: "not-found" });
    }
  });
});
