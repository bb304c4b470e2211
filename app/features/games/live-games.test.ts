import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { listenTo } from "#app/platform/postgres/listener.server.ts";
import { useDatabase, watchQueries } from "#test/db.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { entriesIn, waitlistOf } from "#test/waitlist.ts";
import { leaveWaitlist } from "#app/features/waitlist/join-waitlist.server.ts";
import { createLiveGames, type LiveGames } from "./live-games.server.ts";

const database = useDatabase();
const list = waitlistOf(database);

let undo: (() => Promise<void>)[] = [];
const stop = async () => {
  for (const each of undo.splice(0)) await each();
};
beforeEach(stop);
afterAll(stop);

interface Heard {
  id: string;
  spots: number;
  joined: number;
  minimum: string | null;
  revision: string;
}

/** What a watcher of this game has heard, from a process of its own that listens. */
async function watch(gameId: string, { isListening = true, db = database.db } = {}) {
  const games = aProcess(db);
  if (isListening) await listen(games.change);
  const { heard } = follow(games, [gameId]);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  return { heard, games, next: (count: number) => next(heard, count) };
}

function aProcess(db = database.db): LiveGames {
  const games = createLiveGames(db, () => NOW);
  undo.push(async () => games.close());
  return games;
}

function follow(games: LiveGames, gameIds: string[]) {
  const heard: Heard[] = [];
  const gone: string[] = [];
  games.watch(gameIds, {
    send(event, data) {
      const update = JSON.parse(data) as Heard;
      if (event === "game") heard.push(update);
      else gone.push(update.id);
    },
  });
  return { heard, gone };
}

/** How many ids each query asked for. */
function countIds(counts: number[]) {
  return watchQueries(database.db, (query) => {
    counts.push(JSON.stringify(query).match(UUIDS)?.length ?? 0);
  });
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const unknownIds = (count: number) => Array.from({ length: count }, () => randomUUID());

async function listen(onPayload: (gameId: string) => void) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = listenTo(database.pool, {
    onListening: resolve,
    onPayload: { live_games: onPayload },
  });
  undo.push(() => listener.close());
  await promise;
}

async function next(heard: Heard[], count: number): Promise<Heard> {
  await vi.waitFor(() => {
    if (heard.length < count) throw new Error(`so far: ${JSON.stringify(heard)}`);
  });
  return heard.at(-1)!;
}

/** How often the game had changed, after the first that was heard. */
function revisionsOf(heard: Heard[]): number[] {
  const revisions = heard.map(({ revision }) => Number(revision.split(".")[0]));
  return revisions.map((revision) => revision - revisions[0]!);
}

const update = (gameId: string, set: Record<string, unknown>) =>
  database.db.updateTable("games").set(set).where("id", "=", gameId).execute();

test("joining or leaving the waitlist updates its game, though no spot changes", async () => {
  const { gameId } = await list.fullGame();
  const { heard, next } = await watch(gameId);
  const [playerId = ""] = await list.waiters(gameId, 1);
  expect(await next(2)).toMatchObject({ spots: 0, joined: 1 });
  const { db, jobs } = database;
  expect(await leaveWaitlist(db, jobs, { gameId, playerId, now: NOW })).toEqual({ ok: true });
  expect(await next(3)).toMatchObject({ spots: 0, joined: 1 });
  expect(revisionsOf(heard)).toEqual([0, 1, 2]);
});

test("an offer, its end and the order of the list update the game", async () => {
  const { gameId, seat } = await list.fullGame();
  await list.waiters(gameId, 1, { mode: "ask" });
  const { heard, next } = await watch(gameId);
  await list.cancel(seat);
  await next(2);
  await list.promote(gameId);
  await next(3);
  expect(heard.map(({ spots }) => spots)).toEqual([0, 1, 0]);
  const [entry] = await entriesIn(database.db, gameId);
  const updated = database.db.updateTable("waitlist_entries").where("id", "=", entry!.id);
  await updated.set({ missed_offers: 3 }).execute();
  await next(4);
  expect(revisionsOf(heard)).toEqual([0, 1, 2, 3]);
});

test("a waitlist entry that has ended updates nothing", async () => {
  const { gameId } = await list.fullGame();
  const [playerId = ""] = await list.waiters(gameId, 1);
  const { db, jobs } = database;
  await leaveWaitlist(db, jobs, { gameId, playerId, now: NOW });
  const { heard, next } = await watch(gameId);
  await db.updateTable("waitlist_entries").set({ agreed_text: "" }).execute();
  await update(gameId, { max_players: 9 });
  await next(2);
  expect(revisionsOf(heard)).toEqual([0, 1]);
});

test("the minimum, its time and its decision update the game, with the text of the card", async () => {
  const gameId = await aGame(database.db, { spots: 9, startsIn: 30 });
  const { next } = await watch(gameId);
  await update(gameId, { min_players: 8 });
  expect((await next(2)).minimum).toBe("On from 8 players. 0 so far. Decided Sun 15:00.");
  await update(gameId, { decides_hours: "4" });
  expect((await next(3)).minimum).toBe("On from 8 players. 0 so far. Decided Sun 14:00.");
  await list.join(gameId, await aPlayer(database.db, { credits: 10 }));
  expect((await next(4)).minimum).toBe("On from 8 players. 1 so far. Decided Sun 14:00.");
  await update(gameId, { decision: "PlayAnyway", decided_at: NOW });
  expect((await next(5)).minimum).toBe("On in any case: 1 player so far.");
  await update(gameId, { min_players: null });
  expect((await next(6)).minimum).toBeNull();
});

test("a change of the list that nobody heard of is found by the next look, once", async () => {
  const { gameId } = await list.fullGame();
  const { games, heard, next } = await watch(gameId, { isListening: false });
  await list.waiters(gameId, 1);
  games.catchUp();
  await next(2);
  expect(revisionsOf(heard)).toEqual([0, 1]);
  games.catchUp();
  await update(gameId, { max_players: 9 });
  games.catchUp();
  expect(await next(3)).toMatchObject({ spots: 8 });
  expect(heard).toHaveLength(3);
});

test("a change that the version before announces, without a revision, is sent too", async () => {
  const gameId = await aGame(database.db);
  const { heard, next } = await watch(gameId);
  await database.pool.query("select pg_notify('live_games', $1)", [gameId]);
  await next(2);
  expect(revisionsOf(heard)).toEqual([0, 0]);
});

test("a change is not lost while its game is read for the first who watches it", async () => {
  const gameId = await aGame(database.db, { spots: 4 });
  let isFirst = true;
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isFirst) return result;
      isFirst = false;
      await update(gameId, { max_players: 9 });
      games.change(gameId);
      return result;
    },
  });
  const games = aProcess(db);
  const { heard } = follow(games, [gameId]);
  await next(heard, 2);
  expect(heard.map(({ spots }) => spots)).toEqual([4, 9]);
});

describe("however many ids are asked for", () => {
  test("those of no game keep nobody from hearing of others, and are asked for once", async () => {
    const counts: number[] = [];
    const games = aProcess(countIds(counts));
    await listen(games.change);
    // More than a statement can have parameters.
    const crowd = Array.from({ length: 1_400 }, () => follow(games, unknownIds(50)));
    const gameId = await aGame(database.db, { spots: 4 });
    const { heard } = follow(games, [gameId]);
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    await update(gameId, { max_players: 9 });
    expect(await next(heard, 2)).toMatchObject({ spots: 9 });
    for (const { gone } of crowd) expect(gone).toHaveLength(50);
    const asked = counts.length;
    games.catchUp();
    await update(gameId, { max_players: 8 });
    await next(heard, 3);
    expect(counts.slice(asked).every((count) => count === 1)).toBe(true);
  });

  test("they are read in parts, at the start and after an outage", async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into games (title, date, start_time, end_time, max_players, status, venue_id)
       select title, date, start_time, end_time, max_players, status, venue_id
       from games, generate_series(1, 2500) where id = $1 returning id`,
      [await aGame(database.db)],
    );
    const ids = rows.map(({ id }) => id);
    const counts: number[] = [];
    const games = aProcess(countIds(counts));
    const heard = Array.from({ length: 50 }, (_, n) =>
      follow(games, ids.slice(n * 50, n * 50 + 50)),
    );
    const areAllSent = (count: number) =>
      vi.waitFor(() => expect(heard.every((one) => one.heard.length === count)).toBe(true));
    await areAllSent(50);
    await database.pool.query("update games set max_players = 9 where id = any($1)", [ids]);
    games.catchUp();
    await areAllSent(100);
    expect(Math.max(...counts)).toBeLessThanOrEqual(1_050);
  });

  test("a part that cannot be read keeps no other, and is read later", async () => {
    const gameId = await aGame(database.db, { spots: 4 });
    let isBroken = true;
    const db = watchQueries(database.db, (query) => {
      if (isBroken && JSON.stringify(query).includes(gameId)) throw new Error("cannot be read");
    });
    const games = aProcess(db);
    await listen(games.change);
    const other = await aGame(database.db, { spots: 2 });
    const first = follow(games, [gameId]);
    const { heard } = follow(games, [other]);
    expect(await next(heard, 1)).toMatchObject({ spots: 2 });
    await update(other, { max_players: 3 });
    expect(await next(heard, 2)).toMatchObject({ spots: 3 });
    expect(first.heard).toEqual([]);
    isBroken = false;
    expect(await next(first.heard, 1)).toMatchObject({ spots: 4 });
  });
});

describe("of what is not published", () => {
  const ENDS = ["Draft", "Cancelled", "Completed"] as const;

  test("every newcomer gets the same answer, whatever the game is and whether there is one", async () => {
    const games = aProcess();
    const [unknown = ""] = unknownIds(1);
    const ids = [unknown];
    for (const status of ENDS) ids.push(await aGame(database.db, { status }));
    for (const id of ids) {
      const { heard, gone } = follow(games, [id]);
      await vi.waitFor(() => expect(gone).toEqual([id]));
      expect(heard).toEqual([]);
    }
  });

  test.each(ENDS)("an end is sent once, and to who comes back after it: %s", async (status) => {
    const [gameId, other] = [await aGame(database.db), await aGame(database.db, { spots: 4 })];
    const games = aProcess();
    await listen(games.change);
    const stayed = follow(games, [gameId, other]);
    await next(stayed.heard, 2);
    await update(gameId, { status });
    await vi.waitFor(() => expect(stayed.gone).toEqual([gameId]));
    const back = follow(games, [gameId, other]);
    await next(back.heard, 1);
    await update(gameId, { max_players: 5 });
    await update(other, { max_players: 5 });
    expect(await next(back.heard, 2)).toMatchObject({ id: other, spots: 5 });
    expect([stayed.gone, back.gone]).toEqual([[gameId], [gameId]]);
    await update(gameId, { status: "Published" });
    for (const { heard } of [stayed, back])
      await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ id: gameId, spots: 5 }));
  });
});
