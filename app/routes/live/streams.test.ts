import { randomUUID } from "node:crypto";
import { connect, type AddressInfo } from "node:net";
import { once } from "node:events";
import type { Server } from "node:http";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { closeServers } from "#app/platform/serve.server.ts";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase, watchQueries } from "#test/db.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { type Following, follow, lastOf, LIVE_LIMITS, serveHttp } from "#test/live.ts";
import { signIn } from "#test/visit.ts";
import type { App } from "#app/routes/context.server.ts";
import { isLiveRequest, type LiveStreams } from "#app/live/streams.server.ts";
import { openLiveStreams } from "./topics.server.ts";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

/** What a test has opened, closed after it. */
let running: { server: Server; live: LiveStreams }[] = [];
let following: Following[] = [];
afterEach(async () => {
  for (const stream of following) stream.leave();
  for (const { server, live } of running) {
    await live.close();
    server.closeAllConnections();
    server.close();
  }
  [running, following] = [[], []];
});

/** A web process as far as /live goes, with a listening connection of its own. */
async function aProcess(limits = {}, own = app) {
  const live = openLiveStreams(own, database.pool, { ...LIVE_LIMITS, ...limits });
  const { server, url } = await serveHttp((request, response) => {
    if (isLiveRequest(request)) void live.serve(request, response);
    else response.end("a page");
  });
  running.push({ server, live });
  return { server, url, live };
}

async function open(url: string, gameIds: string[], headers?: Record<string, string>) {
  const stream = await follow(url, gameIds, headers);
  following.push(stream);
  return stream;
}

async function join(gameId: string): Promise<string> {
  const playerId = await aPlayer(database.db, { credits: 20 });
  expect(await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW })).toMatchObject({
    ok: true,
  });
  return playerId;
}

const update = (gameId: string, set: Record<string, unknown>) =>
  database.db.updateTable("games").set(set).where("id", "=", gameId).execute();

/** The connections that listen. */
async function listeners(): Promise<number[]> {
  const { rows } = await database.pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and query like 'listen %'",
  );
  return rows.map(({ pid }) => pid);
}

test("a join is sent to those who follow the game, over two processes, without proxies' buffers", async () => {
  const [one, two] = [await aProcess(), await aProcess()];
  const [game, other] = [await aGame(app.db, { spots: 4 }), await aGame(app.db, { spots: 2 })];
  const streams = [await open(one.url, [game, other]), await open(two.url, [game])];
  expect(streams[0]).toMatchObject({
    status: 200,
    headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" },
  });
  expect(streams[0]!.headers["cache-control"]).toContain("no-store");
  expect(streams[0]!.headers["content-encoding"]).toBeUndefined();
  await Promise.all([lastOf(streams[0]!, 2), lastOf(streams[1]!, 1)]);
  expect(streams[0]!.events()).toContainEqual(
    expect.objectContaining({ id: other, spots: 2, joined: 0 }),
  );
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(2));
  await join(game);
  expect(await lastOf(streams[0]!, 3)).toMatchObject({ id: game, spots: 3, joined: 1 });
  expect(await lastOf(streams[1]!, 2)).toMatchObject({ id: game, spots: 3, joined: 1 });
});

test("held spots and another capacity count, and an update that changes nothing is not sent", async () => {
  const { url } = await aProcess();
  const game = await aGame(app.db, { spots: 4 });
  const stream = await open(url, [game]);
  await lastOf(stream, 1);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1));
  await update(game, { title: "Indoor futsal" });
  await update(game, { spots_held: 1 });
  expect(await lastOf(stream, 2)).toMatchObject({ id: game, spots: 3, joined: 0 });
  await update(game, { max_players: 9 });
  expect(await lastOf(stream, 3)).toMatchObject({ id: game, spots: 8, joined: 0 });
});

test("a hundred changes are read a few times, not a hundred times for each who watches", async () => {
  const { url } = await aProcess();
  const game = await aGame(app.db, { spots: 200 });
  const streams = await Promise.all(Array.from({ length: 5 }, () => open(url, [game])));
  await Promise.all(streams.map((stream) => lastOf(stream, 1)));
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1));
  for (let joined = 1; joined <= 100; joined += 1) await update(game, { seats_taken: joined });
  await vi.waitFor(() => {
    for (const each of streams) expect(each.events().at(-1)).toMatchObject({ joined: 100 });
  });
  expect(streams[0]!.events().length).toBeLessThan(90);
});

test("that a game is gone is sent to everybody alike, without a look at any session", async () => {
  const asked: string[] = [];
  const db = watchQueries(app.db, (query) => asked.push(JSON.stringify(query)));
  const { url } = await aProcess({}, { ...app, db });
  const game = await aGame(app.db, { spots: 4 });
  const player = await join(game);
  const { cookie: admin, id: actor } = await anAdmin(app);
  const cookies: Record<string, string>[] = [
    {},
    { cookie: await signIn(app, player) },
    { cookie: admin },
  ];
  const streams = await Promise.all(cookies.map((headers) => open(url, [game], headers)));
  for (const each of streams) await lastOf(each, 1);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1));
  await cancelGame(app.db, app.jobs, { gameId: game, actor, now: NOW, formKey: randomUUID() });
  const late = await Promise.all(cookies.map((headers) => open(url, [game], headers)));
  for (const each of [...streams, ...late])
    expect(await lastOf(each, 1, "gone")).toEqual({ id: game });
  // Cancelling changes the row twice; what lies between may be heard by who watches already.
  expect(late.map((each) => each.events().length)).toEqual([0, 0, 0]);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((query) => !query.includes("seats_taken"))).toEqual([]);
});

test("a listening connection that was ended is opened again, and sends what was missed", async () => {
  const { url } = await aProcess();
  const [game, same] = [await aGame(app.db, { spots: 4 }), await aGame(app.db)];
  const stream = await open(url, [game, same]);
  await lastOf(stream, 2);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1));
  const [pid] = await listeners();
  // In one transaction: the change is notified while nobody listens.
  await database.pool.query(`do $$ begin perform pg_terminate_backend(${pid}, 5000);
    update games set max_players = 9 where id = '${game}'; end $$`);
  expect(await lastOf(stream, 3)).toMatchObject({ id: game, spots: 9, joined: 0 });
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1));
  expect(await listeners()).not.toEqual([pid]);
  await update(same, { max_players: 7 });
  expect(await lastOf(stream, 4)).toMatchObject({ id: same, spots: 7, joined: 0 });
});

test("an outage of the database ends no stream, and what changed in it is sent afterwards", async () => {
  let isDown = false;
  const db = watchQueries(app.db, () => {
    if (isDown) throw new Error("no database");
  });
  const { url } = await aProcess({}, { ...app, db });
  const game = await aGame(app.db, { spots: 4 });
  const stream = await open(url, [game]);
  await lastOf(stream, 1);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1));
  isDown = true;
  await update(game, { max_players: 9 });
  const late = await open(url, [game]);
  await vi.waitFor(() => expect(late.text()).toContain(":\n\n"));
  expect([stream.events().length, late.status, late.events().length]).toEqual([1, 200, 0]);
  isDown = false;
  const now = { id: game, spots: 9, joined: 0 };
  expect([await lastOf(stream, 2), await lastOf(late, 1)]).toMatchObject([now, now]);
});

test("a comment comes to every stream each 20 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { url } = await aProcess();
  const game = await aGame(app.db);
  const streams = [await open(url, [game]), await open(url, [game]), await open(url, [game])];
  for (const stream of streams) await lastOf(stream, 1);
  const comments = (stream: Following) => stream.text().match(/^:$/gm)?.length ?? 0;
  const before = streams.map(comments);
  for (let beat = 1; beat <= 3; beat += 1) {
    vi.advanceTimersByTime(20_000);
    await vi.waitFor(() =>
      expect(streams.map(comments)).toEqual(before.map((count) => count + beat)),
    );
  }
});

describe("limits", () => {
  test("200 games a stream, and what is no id is ignored", async () => {
    const { url } = await aProcess();
    const ids = Array.from({ length: 201 }, () => randomUUID());
    expect((await open(url, ids)).status).toBe(400);
    expect((await open(url, ids.slice(1))).status).toBe(200);
    expect((await open(url, [])).status).toBe(400);
    expect((await open(url, ["1", "%00", "'--"])).status).toBe(400);
    const game = await aGame(app.db);
    const stream = await open(url, ["no-id", game, game.toUpperCase()]);
    await lastOf(stream, 1);
    expect(stream.events()).toHaveLength(1);
  });

  test("streams of one address, and of the process; one that ends makes room", async () => {
    const { url, live } = await aProcess({ perNetwork: 2, perProcess: 3 });
    const game = await aGame(app.db);
    const first = await open(url, [game]);
    await open(url, [game]);
    const more = await open(url, [game]);
    expect([more.status, more.headers["retry-after"]]).toEqual([429, "30"]);
    first.leave();
    await vi.waitFor(() => expect(live.count()).toBe(1));
    expect((await open(url, [game])).status).toBe(200);
    const full = await aProcess({ perNetwork: 9, perProcess: 1 });
    await open(full.url, [game]);
    expect((await open(full.url, [game])).status).toBe(503);
  });

  test("visitors leave room for who is signed in, of whom each has so many kept", async () => {
    const { url, live } = await aProcess({ perProcess: 5, visitors: 2, keptPerSession: 2 });
    const game = await aGame(app.db);
    const cookies = await Promise.all(
      [1, 2].map(async () => ({ cookie: await signIn(app, await aPlayer(app.db)) })),
    );
    const [ada, ben] = cookies as [{ cookie: string }, { cookie: string }];
    const statusOf = async (headers?: Record<string, string>) =>
      (await open(url, [game], headers)).status;
    const visitor = await open(url, [game]);
    const unsigned = { cookie: ada.cookie.replace(/.$/, (last) => (last === "0" ? "1" : "0")) };
    expect([visitor.status, await statusOf(unsigned), await statusOf()]).toEqual([200, 200, 503]);
    expect(await statusOf(unsigned)).toBe(503);
    expect(live.countVisitors()).toBe(2);
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 200]);
    // The third counts as a visitor's.
    expect([await statusOf(ada), await statusOf(ben), await statusOf(ben)]).toEqual([
      503, 200, 503,
    ]);
    visitor.leave();
    await vi.waitFor(() => expect(live.count()).toBe(4));
    expect(live.countVisitors()).toBe(1);
    expect([await statusOf(ada), await statusOf(ben)]).toEqual([200, 503]);
  });

  test("a reader who takes nothing is dropped, and the others are not", async () => {
    const { url, live, server } = await aProcess({ waitingBytes: 1_000 });
    const game = await aGame(app.db, { spots: 200 });
    const slow = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
    await once(slow, "connect");
    server.once("request", (request) => request.socket.cork());
    slow.write(`GET /live?games=${game} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const stream = await open(url, [game]);
    await vi.waitFor(() => expect(live.count()).toBe(2));
    await vi.waitFor(async () => expect(await listeners()).toHaveLength(1));
    for (let joined = 1; live.count() > 1; joined = (joined % 200) + 1) {
      await update(game, { seats_taken: joined });
    }
    await lastOf(stream, 2);
    expect(live.count()).toBe(1);
    slow.destroy();
  });
});

test("a stop ends all streams at once, and nothing waits for them", async () => {
  const { url, live, server } = await aProcess();
  const game = await aGame(app.db);
  const stream = await open(url, [game]);
  await lastOf(stream, 1);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1));
  await live.close();
  await stream.ended;
  await closeServers([server]);
  await vi.waitFor(async () => expect(await listeners()).toEqual([]));
});

test("a stream that is asked for as the process stops ends too", async () => {
  const live = openLiveStreams(app, database.pool, LIVE_LIMITS);
  const { server, url } = await serveHttp((request, response) => {
    void live.serve(request, response);
    void live.close();
  });
  running.push({ server, live });
  const stream = await open(url, [await aGame(app.db)]);
  await stream.ended;
});

test("pages spread what they read again the more of them there are", async () => {
  const { url } = await aProcess();
  const game = await aGame(app.db);
  const stream = await open(url, [game]);
  await lastOf(stream, 1);
  expect(stream.events("pace")).toEqual([1_000]);
});
