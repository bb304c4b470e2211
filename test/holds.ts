import { holdSpot, giveBackHold } from "#app/features/friends/holds.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { sweepHolds } from "#app/features/waitlist/promote-waiting.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { TestDatabase } from "./db.ts";
import { ada, aGame, NOW } from "./fixtures.ts";

type Wish = Parameters<typeof aGame>[1] & { host?: string };

/** Spots that players hold for friends. `unguarded`: the same database without a guard. */
export function holdsOf(database: TestDatabase, unguarded?: Db) {
  const tryHold = (gameId: string, playerId: string, now = NOW, formKey = crypto.randomUUID()) =>
    holdSpot(unguarded ?? database.db, database.jobs, { gameId, playerId, formKey, now });
  const tryTake = (gameId: string, playerId: string, holdToken: string, now = NOW) =>
    joinGame(unguarded ?? database.db, database.jobs, { gameId, playerId, holdToken, now });
  return {
    tryHold,
    tryTake,
    /** The token of the link. */
    async hold(gameId: string, playerId: string, now = NOW): Promise<string> {
      const formKey = crypto.randomUUID();
      const held = await tryHold(gameId, playerId, now, formKey);
      if (!held.ok) throw new Error(held.reason);
      const hold = database.db.selectFrom("friend_holds").select("token").where("id", "=", formKey);
      return (await hold.executeTakeFirstOrThrow()).token;
    },
    async take(gameId: string, playerId: string, token: string, now = NOW): Promise<string> {
      const taken = await tryTake(gameId, playerId, token, now);
      if (!taken.ok) throw new Error(taken.reason);
      return taken.bookingId;
    },
    giveBack: (gameId: string, playerId: string, now = NOW) =>
      giveBackHold(database.db, database.jobs, { gameId, playerId, now }),
    sweep: (now = NOW) => sweepHolds(database.db, database.jobs, now),
    /** A game of so many spots with one player in it, who may hold one of the others. */
    async aGameWithAHost({ host: known, ...wish }: Wish = {}, now = NOW) {
      const { db, jobs } = database;
      const gameId = await aGame(db, { spots: 2, ...wish });
      const host = known ?? (await ada(db));
      const joined = await joinGame(db, jobs, { gameId, playerId: host, now });
      if (!joined.ok) throw new Error(joined.reason);
      return { gameId, host, bookingId: joined.bookingId };
    },
    /** One player in games that begin in so many hours. */
    async gamesWith(host: string, hours: number[]): Promise<string[]> {
      const games: string[] = [];
      for (const startsIn of hours) {
        games.push((await this.aGameWithAHost({ host, startsIn })).gameId);
      }
      return games;
    },
  };
}

/** How often the queue was asked to serve those who wait for a game. */
export async function promotionsOf({ pool }: TestDatabase, gameId: string): Promise<number> {
  const { rowCount } = await pool.query(
    "select from pgboss.job where name = 'waitlist.promote' and data->>'gameId' = $1",
    [gameId],
  );
  return rowCount ?? 0;
}

/** All holds of a game, as they came. */
export const holdsIn = (db: Db, gameId: string) =>
  db
    .selectFrom("friend_holds")
    .selectAll()
    .where("game_id", "=", gameId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export async function holdStatuses(db: Db, gameId: string) {
  return (await holdsIn(db, gameId)).map(({ status }) => status);
}

export async function heldCount(db: Db, gameId: string): Promise<number> {
  const game = db.selectFrom("games").select("spots_held").where("id", "=", gameId);
  return (await game.executeTakeFirstOrThrow()).spots_held;
}
