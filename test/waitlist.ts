import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinWaitlist } from "#app/features/waitlist/join-waitlist.server.ts";
import { promoteWaiting, sweepWaitlists } from "#app/features/waitlist/promote-waiting.server.ts";
import type { Facts } from "#app/platform/as-shown.ts";
import type { UntilHours } from "#app/features/waitlist/rules.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { WaitMode } from "#app/platform/schema.ts";
import type { TestDatabase } from "./db.ts";
import { ada, aGame, NOW, somePlayers } from "./fixtures.ts";

export interface Seat {
  bookingId: string;
  playerId: string;
}

interface Waiter {
  mode?: WaitMode;
  until?: UntilHours;
  now?: Date;
  formKey?: string;
  shown?: Facts;
}

/** For tests of lists: full games, and who waits for a spot in them. */
export function waitlistOf(database: TestDatabase) {
  const join = async (gameId: string, playerId: string, now = NOW): Promise<Seat> => {
    const joined = await joinGame(database.db, database.jobs, { gameId, playerId, now });
    if (!joined.ok) throw new Error(joined.reason);
    return { bookingId: joined.bookingId, playerId };
  };
  const tryWait = (gameId: string, playerId: string, waiter: Waiter = {}) => {
    const { mode = "auto", until: untilHours = 0, now = NOW, ...form } = waiter;
    const { formKey = crypto.randomUUID(), shown } = form;
    const wait = { gameId, playerId, mode, untilHours, formKey, now, ...(shown && { shown }) };
    return joinWaitlist(database.db, database.jobs, wait);
  };
  const wait = async (gameId: string, playerId: string, waiter: Waiter = {}): Promise<string> => {
    const formKey = waiter.formKey ?? crypto.randomUUID();
    const result = await tryWait(gameId, playerId, { ...waiter, formKey });
    if (!result.ok) throw new Error(result.reason);
    return formKey;
  };
  return {
    join,
    tryWait,
    wait,
    /** Waits a second apart, so that their order is known. */
    async waitAll(gameId: string, playerIds: string[], waiter: Waiter = {}) {
      const { now = NOW } = waiter;
      for (const [n, playerId] of playerIds.entries()) {
        await wait(gameId, playerId, { ...waiter, now: new Date(now.getTime() + n * 1_000) });
      }
    },
    /** Its seats, in the order of joining. */
    async fullGame(wish: Parameters<typeof aGame>[1] = {}, now = NOW) {
      const { spots = 1 } = wish;
      const gameId = await aGame(database.db, { ...wish, spots });
      const seats: Seat[] = [];
      for (let n = 0; n < spots; n += 1) {
        seats.push(await join(gameId, await ada(database.db), now));
      }
      return { gameId, seats, seat: seats[0]! };
    },
    /** Players with credits for one game each, who wait for this one. */
    async waiters(gameId: string, count: number, waiter: Waiter = {}) {
      const players = await somePlayers(database.db, count, 10);
      await this.waitAll(gameId, players, waiter);
      return players;
    },
    cancel: ({ bookingId, playerId }: Seat, now = NOW) =>
      cancelBooking(database.db, database.jobs, { bookingId, playerId, now }),
    promote: (gameId: string, now = NOW) =>
      promoteWaiting(database.db, database.jobs, { gameId, now }),
    sweep: (now = NOW) => sweepWaitlists(database.db, database.jobs, now),
    async mailsTo(entryIdOrBookingId: string) {
      const { rows } = await database.pool.query<{ kind: string }>(
        `select data->>'kind' as kind from pgboss.job where name like 'mail.%'
           and $1 in (data->>'entryId', data->>'bookingId') order by created_on, kind`,
        [entryIdOrBookingId],
      );
      return rows.map(({ kind }) => kind);
    },
  };
}

/** All that have ever waited for a game, as they came. */
export const entriesIn = (db: Db, gameId: string) =>
  db
    .selectFrom("waitlist_entries")
    .selectAll()
    .where("game_id", "=", gameId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export async function entryOf(db: Db, gameId: string, playerId: string) {
  const entries = await entriesIn(db, gameId);
  const entry = entries.findLast(({ user_id }) => user_id === playerId);
  if (!entry) throw new Error("never waited");
  return entry;
}

/** A player's newest booking of a game. */
export const bookingOf = (db: Db, gameId: string, playerId: string) =>
  db
    .selectFrom("bookings")
    .selectAll()
    .where("game_id", "=", gameId)
    .where("user_id", "=", playerId)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();

export async function statusesIn(db: Db, gameId: string) {
  return (await entriesIn(db, gameId)).map(({ status }) => status);
}

export async function suspend(db: Db, playerId: string): Promise<void> {
  const suspended = { suspended_at: NOW, suspended_reason: "Rude" };
  await db.updateTable("users").set(suspended).where("id", "=", playerId).execute();
}
