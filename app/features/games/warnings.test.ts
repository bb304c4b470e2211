import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aVenue, ben, everything, NOW } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { findPlannedGame, listSeries } from "./admin-games.server.ts";
import type { Confirmed } from "./warnings.server.ts";
import { createGames } from "./create-games.server.ts";
import { publishGame } from "#app/features/organise/publish-game.server.ts";
import type { GamePlan } from "./plan.ts";

const database = useDatabase();
const list = waitlistOf(database);
let [venueId, actorId] = ["", ""];
beforeEach(async () => {
  venueId = await aVenue(database.db);
  actorId = await ben(database.db);
});

interface Wish extends Partial<GamePlan> {
  weeks?: number;
  status?: "Draft" | "Published";
  confirmed?: Confirmed;
}

function create({ weeks = 1, status = "Published", confirmed, ...plan }: Wish = {}) {
  const games = { plan: aPlan(venueId, plan), weeks, status, actorId, confirmed, now: NOW };
  return createGames(database.db, games);
}

async function made(wish: Wish = {}): Promise<string> {
  const result = await create({ confirmed: true, ...wish });
  if (!result.ok) throw new Error(result.reason);
  return result.gameIds[0]!;
}

type Asked = { ok: false; reason: string; warnings: { about: string }[]; key: string };
const aboutOf = (result: unknown) => (result as Asked).warnings?.map(({ about }) => about) ?? [];
const confirmationKey = (result: unknown) => (result as Asked).key;

describe("a game at the same place and time as another one", () => {
  test("is asked about by name, and nothing is written", async () => {
    const id = await made({ title: "Tuesday futsal", startTime: "18:00", endTime: "19:30" });
    const before = await everything(database.db);
    expect(await create()).toMatchObject({
      ...{ ok: false, reason: "unconfirmed" },
      warnings: [
        {
          about: "overlap",
          game: { date: "2026-12-02", startTime: "19:00", endTime: "20:30" },
          others: [{ id, title: "Tuesday futsal", startTime: "18:00", endTime: "19:30" }],
        },
      ],
    });
    expect(await everything(database.db)).toEqual(before);
  });

  test.each<[string, Wish, string[]]>([
    ["ends as it begins", { startTime: "17:30", endTime: "19:00" }, []],
    ["begins as it ends", { startTime: "20:30", endTime: "22:00" }, []],
    ["is inside it", { startTime: "19:15", endTime: "19:45" }, ["overlap"]],
    ["is around it", { startTime: "18:00", endTime: "21:30" }, ["overlap"]],
    ["is a draft", { status: "Draft" }, ["overlap"]],
    [
      "runs past midnight",
      { date: "2026-12-01", startTime: "23:00", endTime: "19:30" },
      ["overlap"],
    ],
    ["is on another day", { date: "2026-12-03" }, []],
  ])("where the other one %s", async (_, other, asked) => {
    await made(other);
    expect(aboutOf(await create())).toEqual(asked);
  });

  test("is asked about in each week of a series, and by drafts too", async () => {
    await made({ date: "2026-12-16" });
    expect(await create({ weeks: 4, status: "Draft" })).toMatchObject({
      warnings: [{ about: "overlap", game: { date: "2026-12-16" } }],
    });
  });

  test("is not where that one was cancelled, or is elsewhere", async () => {
    const id = await made();
    await made({ venueId: await aVenue(database.db) });
    const games = database.db.updateTable("games").set({ status: "Cancelled" });
    await games.where("id", "=", id).execute();
    expect(await create()).toMatchObject({ ok: true });
  });

  test("a confirmation is for what was shown only", async () => {
    await made();
    const confirmed = confirmationKey(await create());
    expect(aboutOf(await create({ confirmed, startTime: "19:15" }))).toEqual(["overlap"]);
    expect(aboutOf(await create({ confirmed, status: "Draft" }))).toEqual(["overlap"]);
    await made({ startTime: "19:30" });
    const again = await create({ confirmed });
    expect(aboutOf(again)).toEqual(["overlap"]);
    expect(await create({ confirmed: confirmationKey(again) })).toMatchObject({ ok: true });
  });

  test("a repeated form is not asked about its own games", async () => {
    const formKey = crypto.randomUUID();
    const wish = { plan: aPlan(venueId), weeks: 3, status: "Published" as const, formKey };
    const send = () => createGames(database.db, { ...wish, actorId, now: NOW });
    const first = await send();
    expect(first).toMatchObject({ ok: true });
    expect(await send()).toEqual(first);
  });

  test("publishing a draft asks, a whole series too", async () => {
    const gameId = await made({ status: "Draft", weeks: 2 });
    await made({ date: "2026-12-09" });
    const publish = (withFollowing: boolean, confirmed?: string) =>
      publishGame(database.db, { gameId, actorId, withFollowing, confirmed, now: NOW });
    const asked = await publish(true);
    expect(asked).toMatchObject({
      reason: "unconfirmed",
      warnings: [{ game: { date: "2026-12-09" } }],
    });
    expect(await publish(true, confirmationKey(asked))).toEqual({ ok: true, published: 2 });
  });
});

const edit = async (gameId: string, wish: Wish, withFollowing = false) => {
  const { confirmed, ...change } = wish;
  const { plan, version } = (await findPlannedGame(database.db, gameId))!;
  const to = { ...plan, ...change };
  const form = { gameId, actorId, version, withFollowing, confirmed, now: NOW };
  return editGame(database.db, database.jobs, { ...form, plan: to });
};

async function seriesOf(gameId: string): Promise<string[]> {
  const { seriesId } = (await findPlannedGame(database.db, gameId))!;
  return (await listSeries(database.db, seriesId)).map(({ id }) => id);
}

describe("an edit", () => {
  test("of the time or the place asks; of a text it does not", async () => {
    await made({ title: "There already" });
    const elsewhere = await made({ venueId: await aVenue(database.db) });
    const later = await made({ startTime: "21:00", endTime: "22:00" });
    expect(aboutOf(await edit(elsewhere, { venueId }))).toEqual(["overlap"]);
    const asked = await edit(later, { startTime: "20:00" });
    expect(aboutOf(asked)).toEqual(["overlap"]);
    const confirmed = confirmationKey(asked);
    expect(await edit(later, { startTime: "20:00", confirmed })).toMatchObject({ ok: true });
    expect(await edit(later, { title: "Late one" })).toMatchObject({ ok: true });
  });

  test("of this and following games asks about each", async () => {
    const gameId = await made({ weeks: 3 });
    await made({ date: "2026-12-17", title: "Thursdays" });
    expect(await edit(gameId, { date: "2026-12-03" }, true)).toMatchObject({
      warnings: [{ game: { date: "2026-12-17" }, others: [{ title: "Thursdays" }] }],
    });
  });
});

describe("an edit that matters to players", () => {
  test("a change that only those who wait have to agree to is asked about too", async () => {
    const gameId = await made({ maxPlayers: 1 });
    const { playerId, bookingId } = await list.join(gameId, await ada(database.db));
    await list.wait(gameId, await ada(database.db));
    await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
    const asked = await edit(gameId, { startTime: "20:00" });
    expect(asked).toMatchObject({
      ...{ ok: false, reason: "unconfirmed" },
      effects: [{ gameId, players: 0, waiting: 1 }],
    });
    expect(await edit(gameId, { startTime: "20:00", confirmed: true })).toMatchObject({
      ...{ ok: true, notified: 0 },
    });
  });

  test("with players in one of them names all that change", async () => {
    const gameId = await made({ weeks: 3 });
    const [, second = "", third = ""] = await seriesOf(gameId);
    await list.join(third, await ada(database.db));
    const asked = await edit(second, { startTime: "18:30" }, true);
    expect(asked).toMatchObject({
      ...{ ok: false, reason: "unconfirmed" },
      effects: [{ gameId: third, players: 1 }],
      games: [{ id: second }, { id: third }],
    });
  });
});

describe("long and far games", () => {
  test.each<[string, Wish]>([
    ["four hours", { endTime: "23:00" }],
    ["eight weeks ahead", { date: "2027-01-16" }],
    ["seven weeks of a series", { weeks: 7 }],
  ])("%s is not asked about", async (_, wish) => {
    expect(await create(wish)).toMatchObject({ ok: true });
  });

  test.each<[string, Wish, object]>([
    [
      "an end in the morning",
      { startTime: "18:00", endTime: "07:30" },
      { about: "long", dates: ["2026-12-02"], minutes: 810 },
    ],
    ["a day more", { date: "2027-01-17" }, { about: "far", dates: ["2027-01-17"] }],
    ["the last week of a series", { weeks: 8 }, { about: "far", dates: ["2027-01-20"] }],
  ])("%s is asked about", async (_, wish, ask) => {
    const asked = await create(wish);
    expect(asked).toMatchObject({ reason: "unconfirmed", warnings: [ask] });
    expect(await create({ ...wish, confirmed: confirmationKey(asked) })).toMatchObject({
      ok: true,
    });
  });
});
