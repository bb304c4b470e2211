import { describe, expect, test } from "vitest";
import type { Bib } from "#app/platform/schema.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { holdsOf } from "#test/holds.ts";
import { sizesOf, teamsOf } from "#test/teams.ts";
import { BIBS } from "./bibs.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { changeBibs, makeTeams, removeTeams } from "./change-teams.server.ts";
import { findLineup, listLineupPlayers } from "./lineups.server.ts";
import { recordResult } from "./record-result.server.ts";

const database = useDatabase();
const teams = teamsOf(database);
const no = (reason: string) => ({ ok: false, reason });
const OK = { ok: true };

const entriesOn = async (gameId: string) => {
  const entries = database.db.selectFrom("audit_log").select(["actor", "action", "details"]);
  return entries.where("subject", "=", gameId).orderBy("id").execute();
};
const actionsOn = async (gameId: string) =>
  (await entriesOn(gameId)).map(({ action }) => action.replace("teams.", ""));

describe("teams are made", () => {
  test.each([2, 3, 4] as const)("%i of them, with everybody in one", async (count) => {
    const { gameId } = await teams.aGameOf(9);
    expect(await teams.make(gameId, count)).toEqual(OK);
    const sizes = { 2: [4, 5], 3: [3, 3, 3], 4: [2, 2, 2, 3] }[count];
    expect(sizesOf(await teams.seats(gameId)).toSorted()).toEqual(sizes);
    const lineup = await findLineup(database.db, gameId);
    expect(lineup?.publishedAt).toBeNull();
    expect(lineup?.teams.map(({ bib }) => bib)).toEqual(
      ["Yellow", "Blue", "Orange", "Green"].slice(0, count),
    );
    expect(await entriesOn(gameId)).toMatchObject([
      { actor: "an organiser", action: "teams.make", details: { after: { teams: count } } },
    ]);
  });

  test("without those who did not come", async () => {
    const { gameId, bookings } = await teams.aGameOf(6);
    const [absent = ""] = bookings;
    const marked = database.db.updateTable("bookings").set({ attendance: "NoShow" });
    await marked.where("id", "=", absent).execute();
    await teams.make(gameId);
    expect(sizesOf(await teams.seats(gameId)).toSorted()).toEqual([2, 3]);
    await teams.place(gameId);
    expect(await teams.teamOf(gameId, absent)).toBeNull();
  });

  test("again, as others, in the same bibs and not seen by players until they are published", async () => {
    const { gameId } = await teams.aGameOf(8);
    await teams.make(gameId);
    const bibs: Bib[] = ["Red", "None"];
    const version = await teams.version(gameId);
    await changeBibs(database.db, { gameId, actorId: "an organiser", version, bibs });
    await teams.publish(gameId);
    for (let n = 0; n < 5; n += 1) {
      const before = JSON.stringify(await teams.seats(gameId));
      expect(await teams.make(gameId, 2, { seed: 1 })).toEqual(OK);
      expect(JSON.stringify(await teams.seats(gameId))).not.toBe(before);
    }
    const lineup = await findLineup(database.db, gameId);
    expect(lineup).toMatchObject({ publishedAt: null, teams: [{ bib: "Red" }, { bib: "None" }] });
  });

  test("once by a form that is sent twice", async () => {
    const { gameId } = await teams.aGameOf(4);
    const form = { gameId, actorId: "an organiser", version: 0, formKey: crypto.randomUUID() };
    expect(await makeTeams(database.db, { ...form, count: 2 })).toEqual(OK);
    const once = await teams.seats(gameId);
    expect(await makeTeams(database.db, { ...form, count: 2 })).toEqual(OK);
    expect(await teams.seats(gameId)).toEqual(once);
    expect(await actionsOn(gameId)).toEqual(["make"]);
  });

  test("with friends together, and by position and earlier results", async () => {
    const { gameId, players } = await teams.aGameOf(6, { spots: 12 });
    const holds = holdsOf(database);
    const friend = await ada(database.db);
    await holds.take(gameId, friend, await holds.hold(gameId, players[0]!));
    for (const [index, position] of (["GK", "GK", "DEF", "DEF"] as const).entries()) {
      const profile = database.db.updateTable("profiles").set({ position });
      await profile.where("user_id", "=", players[index]!).execute();
    }
    await won(players[4]!);
    for (let seed = 1; seed < 6; seed += 1) {
      await teams.make(gameId, 2, { seed });
      const made = await listLineupPlayers(database.db, gameId);
      const teamOf = new Map(made.map(({ playerId, team }) => [playerId, team]));
      expect(teamOf.get(friend)).toBe(teamOf.get(players[0]!));
      expect(teamOf.get(players[0]!)).not.toBe(teamOf.get(players[1]!));
      expect(teamOf.get(players[2]!)).not.toBe(teamOf.get(players[3]!));
      const winner = made.find(({ playerId }) => playerId === players[4]);
      expect([winner, made.find((one) => one !== winner)]).toMatchObject([
        { level: 57 },
        { level: 50 },
      ]);
    }
  });

  test("only of enough players, in a game that takes place and has no result", async () => {
    const { gameId } = await teams.aGameOf(5);
    expect(await teams.make(gameId, 3)).toEqual(no("too-few"));
    const played = await teams.aGameOf(4, { startsIn: 1 });
    await recordScore(played.gameId, { firstScore: 1, secondScore: 1 });
    expect(await teams.make(played.gameId)).toEqual(no("recorded"));
    await cancelGame(database.db, database.jobs, { gameId, now: NOW });
    expect(await teams.make(gameId)).toEqual(no("not-on"));
    expect(await teams.make(crypto.randomUUID())).toEqual(no("not-found"));
    const unknown = { gameId: "x", actorId: "an organiser", version: 0 };
    expect(await makeTeams(database.db, { ...unknown, count: 2 })).toEqual(no("not-found"));
    expect(await findLineup(database.db, gameId)).toBeNull();
  });
});

/** One game of this player's that was won. */
async function won(playerId: string) {
  const gameId = await aGame(database.db, { startsIn: 1 });
  const bookingId = await teams.join(gameId, playerId);
  const players = [{ bookingId, goals: 1, hasWon: true }];
  await recordScore(gameId, { firstScore: 1, secondScore: 0, players });
}

async function recordScore(
  gameId: string,
  result: Partial<Parameters<typeof recordResult>[1]>,
  teamsVersion = 0,
) {
  const score = { firstScore: 0, secondScore: 0, players: [] };
  const form = { gameId, actorId: "an organiser", version: 0, teamsVersion, now: hoursLater(9) };
  const recorded = await recordResult(database.db, { ...form, ...score, ...result });
  if (!recorded.ok) throw new Error(recorded.reason);
}

describe("a player", () => {
  test("is moved by hand, once", async () => {
    const { gameId, players, bookings } = await teams.aGameOf(4);
    await teams.make(gameId);
    const from = (await teams.teamOf(gameId, bookings[0]!))!;
    const to = 3 - from;
    const seen = await teams.version(gameId);
    for (let n = 0; n < 2; n += 1) {
      expect(await teams.move(gameId, bookings[0]!, to, seen)).toEqual(OK);
    }
    expect(await teams.teamOf(gameId, bookings[0]!)).toBe(to);
    const [, moved, ...others] = await entriesOn(gameId);
    expect(others).toEqual([]);
    expect(moved).toMatchObject({
      action: "teams.move",
      details: {
        ...{ playerId: players[0], bib: BIBS[to - 1] },
        ...{ before: { team: from }, after: { team: to } },
      },
    });
  });

  test("is not moved to a team that is none, or out of another game", async () => {
    const { gameId, bookings } = await teams.aGameOf(4);
    expect(await teams.move(gameId, bookings[0]!, 1)).toEqual(no("no-teams"));
    await teams.make(gameId);
    const before = await teams.seats(gameId);
    for (const team of [0, 3, 1.5, Number.NaN]) {
      expect(await teams.move(gameId, bookings[0]!, team)).toEqual(no("no-teams"));
    }
    const other = await teams.aGameOf(4);
    expect(await teams.move(gameId, other.bookings[0]!, 1)).toEqual(no("gone"));
    expect(await teams.move(gameId, "x", 1)).toEqual(no("gone"));
    expect(await teams.seats(gameId)).toEqual(before);
  });

  test("who leaves is out of the team, and who comes back is in none", async () => {
    const { gameId, players, bookings } = await teams.aGameOf(4);
    await teams.make(gameId);
    const [bookingId, playerId] = [bookings[0]!, players[0]!];
    await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
    expect(sizesOf(await teams.seats(gameId)).toSorted()).toEqual([1, 2]);
    expect((await listLineupPlayers(database.db, gameId)).map(({ id }) => id)).not.toContain(
      bookingId,
    );
    const again = await teams.join(gameId, playerId);
    expect(await teams.seats(gameId)).toContainEqual({ id: again, team: null });
  });

  test("who joins later is placed where players are missing, and nobody else is moved", async () => {
    const { gameId } = await teams.aGameOf(5);
    await teams.make(gameId);
    const before = await teams.seats(gameId);
    const late = await teams.join(gameId, await ada(database.db));
    expect(await teams.place(gameId)).toEqual(OK);
    const after = await teams.seats(gameId);
    expect(after.filter(({ id }) => id !== late)).toEqual(before);
    expect(sizesOf(after)).toEqual([3, 3]);
    expect(await teams.place(gameId, 0)).toEqual(OK);
    expect(await actionsOn(gameId)).toEqual(["make", "place"]);
  });
});

test("teams are published and hidden again, as often as they are not so already", async () => {
  const { gameId } = await teams.aGameOf(4);
  expect(await teams.publish(gameId)).toEqual(no("no-teams"));
  await teams.make(gameId);
  for (const isPublished of [true, true, false, false]) {
    expect(await teams.publish(gameId, isPublished)).toEqual(OK);
    const at = isPublished ? NOW : null;
    expect((await findLineup(database.db, gameId))?.publishedAt).toEqual(at);
  }
  expect(await actionsOn(gameId)).toEqual(["make", "publish", "unpublish"]);
});

test("bibs are changed, exchanged too, but not for too few teams", async () => {
  const { gameId } = await teams.aGameOf(4);
  const change = async (...bibs: Bib[]) => {
    const version = await teams.version(gameId);
    return changeBibs(database.db, { gameId, actorId: "an organiser", version, bibs });
  };
  expect(await change("Red", "Blue")).toEqual(no("no-teams"));
  await teams.make(gameId);
  expect(await change("Blue", "Yellow")).toEqual(OK);
  expect(await change("Blue", "Yellow")).toEqual(OK);
  expect(await change("Blue")).toEqual(no("changed"));
  const lineup = await findLineup(database.db, gameId);
  expect(lineup?.teams).toEqual([
    { number: 1, bib: "Blue" },
    { number: 2, bib: "Yellow" },
  ]);
  expect(await actionsOn(gameId)).toEqual(["make", "bibs"]);
});

test("teams are removed, and made as new; not once their result is recorded", async () => {
  const { gameId } = await teams.aGameOf(4, { startsIn: 1 });
  const removeTheTeams = async () => {
    const version = await teams.version(gameId);
    return removeTeams(database.db, { gameId, actorId: "an organiser", version });
  };
  await teams.make(gameId);
  await teams.publish(gameId);
  for (let n = 0; n < 2; n += 1) expect(await removeTheTeams()).toEqual(OK);
  expect(await findLineup(database.db, gameId)).toMatchObject({ publishedAt: null, teams: [] });
  expect(sizesOf(await teams.seats(gameId))).toEqual([]);
  expect(await teams.version(gameId)).toBe(0);
  expect(await teams.make(gameId)).toEqual(OK);
  await recordScore(gameId, {}, await teams.version(gameId));
  expect(await removeTheTeams()).toEqual(no("recorded"));
  expect(await actionsOn(gameId)).toEqual(["make", "publish", "remove", "make", "game.result"]);
});

test("a form that shows other teams changes nothing", async () => {
  const { gameId, bookings } = await teams.aGameOf(5);
  await teams.make(gameId);
  const seen = await teams.version(gameId);
  await teams.make(gameId, 2, { seed: 7 });
  await teams.join(gameId, await aPlayer(database.db, { credits: 20 }));
  const before = await teams.seats(gameId);
  const to = 3 - (await teams.teamOf(gameId, bookings[0]!))!;
  const stale = { gameId, actorId: "an organiser", version: seen };
  expect(await teams.make(gameId, 2, { seen })).toEqual(no("changed"));
  expect(await teams.move(gameId, bookings[0]!, to, seen)).toEqual(no("changed"));
  expect(await teams.place(gameId, seen)).toEqual(no("changed"));
  expect(await teams.publish(gameId, true, seen)).toEqual(no("changed"));
  expect(await changeBibs(database.db, { ...stale, bibs: ["Red", "Black"] })).toEqual(
    no("changed"),
  );
  expect(await removeTeams(database.db, stale)).toEqual(no("changed"));
  expect(await teams.seats(gameId)).toEqual(before);
});
