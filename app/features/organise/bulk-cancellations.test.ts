import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import { useDatabase, watchQueries } from "#test/db.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { aGame, aPlayer, balanceCents, ben, NOW, somePlayers } from "#test/fixtures.ts";
import { account, expectLockOrder, game, untilWaiting, wallet } from "#test/lock-order.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import type { Db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import {
  acceptCancellation,
  cancelGames,
  refundCancelled,
  refundUnfinished,
} from "./bulk-cancellations.server.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import {
  cancelBooking,
  leaveGames,
  lockSeatsOf,
} from "#app/features/bookings/cancel-booking.server.ts";
import { cancelKey, readGames } from "./cancel-games.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import {
  findCancellation,
  listUnfinishedCancellations,
  purgeCancellations,
} from "./stored-cancellations.server.ts";

const database = useDatabase();
withoutTimeouts(database);
let actor: string;
beforeAll(async () => {
  actor = await ben(database.db);
});

async function join(gameId: string, playerId: string) {
  const joined = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return joined.bookingId;
}

/** On days that follow each other, all of these players in each. */
async function someGames(count: number, playerIds: string[]): Promise<string[]> {
  const gameIds: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const gameId = await aGame(database.db, { startsIn: 48 + 24 * n, spots: 100 });
    for (const playerId of playerIds) await join(gameId, playerId);
    gameIds.push(gameId);
  }
  return gameIds;
}

/** The request's own part, for games as they are. */
async function accept(gameIds: string[], formKey: string = crypto.randomUUID()) {
  const games = await readGames(database.db, gameIds);
  const shown = new Map(games.map((game) => [game.id, cancelKey(game)]));
  const form = { shown, actor, message: "The hall is flooded.", formKey, now: NOW };
  const { id } = await acceptCancellation(database.db, database.jobs, form);
  return id;
}

/** How often each booking of these games was refunded, and its player emailed. */
async function outcomes(gameIds: string[]) {
  const { rows } = await sql<{ status: string; refunds: number; mails: number }>`
    select payment_status as status,
      (select count(*) from wallet_transactions where booking_id = bookings.id
        and type = 'refund') as refunds,
      (select count(*) from pgboss.job where name = 'mail.send' and data->>'kind' = 'game-cancelled'
        and data->>'bookingId' = bookings.id::text) as mails
    from bookings where game_id = any(${gameIds}::uuid[])`.execute(database.db);
  return rows;
}
const onceEach = (count: number) => Array(count).fill({ status: "Refunded", refunds: 1, mails: 1 });

async function countWaiting(db: Db): Promise<number> {
  const waiting = sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(db)).rows.length;
}

/** Starts a worker that works until it waits for a player of this game, kills it there. */
async function killWorkerAt(playerId: string, cancellationId: string) {
  await database.db.transaction().execute(async (holder) => {
    await wallet(playerId).hold(holder);
    const worker = startWorker(cancellationId);
    // It takes seconds to start on a busy machine.
    const isThere = async () => worker.exitCode !== null || (await countWaiting(database.db)) > 0;
    await vi.waitUntil(isThere, { interval: 5 });
    expect(worker.exitCode).toBeNull();
    worker.kill("SIGKILL");
    await once(worker, "exit");
  });
}

function startWorker(cancellationId: string) {
  const script = path.join(projectRoot, "test", "refund-worker.ts");
  const args = [script, JSON.stringify(database.connection), cancellationId, NOW.toISOString()];
  return spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
}

test("six games of eight players whose worker is killed twice are refunded and notified once each", async () => {
  const { db, jobs } = database;
  const players = await somePlayers(db, 8, 100);
  const only = await somePlayers(db, 2, 100);
  const gameIds = await someGames(6, players);
  // The third and the fifth have somebody whom the worker waits for.
  await join(gameIds[2]!, only[0]!);
  await join(gameIds[4]!, only[1]!);
  const id = await accept(gameIds);
  const finished = async () => {
    const [unfinished] = await listUnfinishedCancellations(db);
    return unfinished ? unfinished.games - unfinished.left : "all";
  };
  expect(await finished()).toBe(0);
  await killWorkerAt(only[0]!, id);
  expect(await finished()).toBe(2);
  await killWorkerAt(only[1]!, id);
  expect(await finished()).toBe(4);
  await refundUnfinished(db, jobs, NOW);
  expect(await finished()).toBe("all");
  expect(await outcomes(gameIds)).toEqual(onceEach(6 * 8 + 2));
  expect((await checkBooks(db)).differences).toEqual([]);
});

test("a game of a cancellation cannot be joined, or left for less, before its refunds are done", async () => {
  const { db, jobs } = database;
  const [playerId = "", other = ""] = await somePlayers(db, 2, 20);
  const gameIds = await someGames(1, [playerId]);
  const [gameId = ""] = gameIds;
  const seat = await db.selectFrom("bookings").select("id").where("game_id", "=", gameId).execute();
  const id = await accept(gameIds);
  const joining = await joinGame(db, jobs, { gameId, playerId: other, now: NOW });
  expect(joining.ok).toBe(false);
  const leaving = { bookingId: seat[0]!.id, playerId, now: NOW };
  expect(await cancelBooking(db, jobs, leaving)).toEqual({
    ...{ ok: false, reason: "already-cancelled" },
  });
  await refundCancelled(db, jobs, { cancellationId: id, now: NOW });
  expect(await outcomes(gameIds)).toEqual(onceEach(1));
});

test("a form whose refunds meet an outage is accepted, and not reported as failed", async () => {
  const [playerId = ""] = await somePlayers(database.db, 1, 10);
  const gameIds = await someGames(1, [playerId]);
  const shown = new Map(
    (await readGames(database.db, gameIds)).map((one) => [one.id, cancelKey(one)]),
  );
  const failing = watchQueries(database.db, (query) => {
    const text = JSON.stringify(query);
    // What is left of a cancellation, which is read once it is accepted.
    if (text.includes("bulk_cancellation_games") && text.includes("starts_at"))
      throw Object.assign(new Error("gone"), { code: "ECONNRESET" });
  });
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  const form = { shown, actor, message: null, formKey: crypto.randomUUID(), now: NOW };
  const result = await cancelGames(failing, database.jobs, form);
  expect(result).toMatchObject({ games: 1, isFinished: false });
  expect(logged).toHaveBeenCalledTimes(1);
  logged.mockRestore();
  await refundUnfinished(database.db, database.jobs, NOW);
  expect(await outcomes(gameIds)).toEqual(onceEach(1));
});

test("a cancellation that cannot be refunded keeps no other from its refunds", async () => {
  const [playerId = ""] = await somePlayers(database.db, 1, 20);
  const [broken = "", other = ""] = await someGames(2, [playerId]);
  await accept([broken]);
  await accept([other]);
  const failing = watchQueries(database.db, (query) => {
    const text = JSON.stringify(query);
    if (text.includes(broken) && text.includes("games")) throw new Error("broken");
  });
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  await expect(refundUnfinished(failing, database.jobs, NOW)).rejects.toThrow("refunds of a");
  logged.mockRestore();
  expect(await outcomes([other])).toEqual(onceEach(1));
  await refundUnfinished(database.db, database.jobs, NOW);
  expect(await outcomes([broken])).toEqual(onceEach(1));
});

test("one form sent with other games at the same moment closes both", async () => {
  const [playerId = ""] = await somePlayers(database.db, 1, 20);
  const gameIds = await someGames(2, [playerId]);
  const formKey = crypto.randomUUID();
  const ids = await Promise.all(gameIds.map((gameId) => accept([gameId], formKey)));
  expect(new Set(ids).size).toBe(2);
  await refundUnfinished(database.db, database.jobs, NOW);
  expect(await outcomes(gameIds)).toEqual(onceEach(2));
});

test("an old cancellation is deleted once it is finished, and not before", async () => {
  const [playerId = ""] = await somePlayers(database.db, 1, 20);
  const gameIds = await someGames(1, [playerId]);
  const id = await accept(gameIds);
  const inTwoYears = new Date(NOW.getTime() + 2 * 365 * 86_400_000);
  await purgeCancellations(database.db, inTwoYears);
  expect(await findCancellation(database.db, id)).not.toBeNull();
  await refundUnfinished(database.db, database.jobs, NOW);
  await purgeCancellations(database.db, inTwoYears);
  expect(await findCancellation(database.db, id)).toBeNull();
});

test("several games are closed under the locks of their organiser and of the games, by id", () =>
  expectLockOrder(database.db, async () => {
    const gameIds = (await someGames(3, [])).toSorted();
    return { locks: [account(actor), ...gameIds.map(game)], run: () => accept(gameIds) };
  }));

test("their refunds lock the organiser, the game and then the wallets", () =>
  expectLockOrder(database.db, async () => {
    const players = (await somePlayers(database.db, 2, 10)).toSorted();
    const [gameId = ""] = await someGames(1, players);
    const cancellationId = await accept([gameId]);
    const run = () => refundCancelled(database.db, database.jobs, { cancellationId, now: NOW });
    return { locks: [account(actor), game(gameId), ...players.map(wallet)], run };
  }));

test("a player who deletes the account before the refund has the full price back, and no email", async () => {
  const { db, jobs } = database;
  const [playerId = ""] = await somePlayers(db, 1, 10);
  const gameIds = await someGames(1, [playerId]);
  const cancellationId = await accept(gameIds);
  const leaver = { playerId, now: NOW };
  await db.transaction().execute(async (tx) => {
    await leaveGames(tx, jobs, leaver, await lockSeatsOf(tx, leaver));
  });
  expect(await balanceCents(db, playerId)).toBe(1_000);
  await refundCancelled(db, jobs, { cancellationId, now: NOW });
  expect(await outcomes(gameIds)).toEqual([{ status: "Refunded", refunds: 1, mails: 0 }]);
});

/** Two workers at once; both are in the same game before one has ended it. */
async function workTwice(db: Db) {
  const gameId = await aGame(database.db);
  const playerId = await aPlayer(database.db);
  await addPlayer(database.db, database.jobs, { gameId, playerId, actorId: actor, now: NOW });
  const id = await accept([gameId]);
  const work = () => refundCancelled(db, database.jobs, { cancellationId: id, now: NOW });
  const working = await database.db.transaction().execute(async (holder) => {
    // The last thing that ends a booking, and no lock of the game.
    await sql`lock table friend_holds in exclusive mode`.execute(holder);
    const both = Promise.all([work(), work()]);
    await untilWaiting(database.db, 2);
    return { both };
  });
  await working.both;
  return outcomes([gameId]);
}

test("two workers at once notify a player once", async () => {
  expect(await workTwice(database.db)).toMatchObject([{ mails: 1 }]);
});

test("without the game's lock two workers at once notify a player twice", async () => {
  expect(await workTwice(database.db.withPlugin(withoutLocks))).toMatchObject([{ mails: 2 }]);
});
