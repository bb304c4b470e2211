import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { joinWaitlist } from "#app/features/waitlist/join-waitlist.server.ts";
import type { Tx } from "#app/platform/db.server.ts";
import { bookingsOf } from "#test/fixtures.ts";
import { expect } from "./fixtures.ts";
import * as players from "./players.ts";
import type { Player } from "./players.ts";
import type { Processes } from "./processes.ts";
import { sessionCookie } from "./site.ts";

export interface Seat {
  player: Player;
  bookingId: string;
}

interface Full {
  gameId: string;
  seats: Seat[];
}

export type Lists = ReturnType<typeof openLists>;

/** Full games, who waits for a spot in them, and what players do, each at another process in turn. */
export function openLists({ urls, dataDir, database, jobs }: Processes) {
  const { db } = database;
  const site = { url: urls[0]!, dataDir, db };
  let turn = 0;
  const nextUrl = () => urls[(turn += 1) % urls.length]!;

  const lists = {
    db,
    jobs,
    nextUrl,
    join: (player: Player, gameId: string) =>
      untilAnswered(() => players.join(nextUrl(), player, gameId)),
    leave: ({ cookie }: Player, gameId: string) =>
      players.post(nextUrl(), `/events/${gameId}`, cookie, { intent: "leave-waitlist" }),
    cancel: ({ player: { cookie }, bookingId }: Seat) =>
      untilAnswered(() =>
        players.post(nextUrl(), "/bookings", cookie, { intent: "cancel", bookingId }),
      ),

    player: (credits = 10) =>
      players.enterPlayer(site, database, { name: `list-${randomUUID()}`, credits }),
    players: (count: number, credits = 10) =>
      Promise.all(Array.from({ length: count }, () => lists.player(credits))),
    async adminCookie() {
      const admin = db.selectFrom("user_roles").select("user_id").where("role", "=", "admin");
      return sessionCookie(site, (await admin.limit(1).executeTakeFirstOrThrow()).user_id);
    },

    /** On days that follow each other, all their spots taken. */
    async fullGames(count: number, holders: Player[]): Promise<Full[]> {
      const games = await players.addRaceGames(db, { count, spots: holders.length });
      return Promise.all(
        games.map(async (gameId) => {
          const joins = await Promise.all(holders.map((player) => lists.join(player, gameId)));
          expect(joins).toEqual(holders.map(() => 302));
          return { gameId, seats: await lists.seatsOf(gameId, holders) };
        }),
      );
    },
    async seatsOf(gameId: string, holders: Player[]): Promise<Seat[]> {
      const bookings = await bookingsOf(db, gameId);
      return holders.map((player) => {
        const own = bookings.findLast(({ user_id }) => user_id === player.userId);
        return { player, bookingId: own!.id };
      });
    },
    /** A second apart, so that their order is known. */
    async wait(gameId: string, waiting: Player[], { since = Date.now() - 3_600_000 } = {}) {
      for (const [n, { userId: playerId }] of waiting.entries()) {
        const now = new Date(since + n * 1_000);
        const wish = { mode: "auto", untilHours: 0, formKey: randomUUID(), now } as const;
        expect(await joinWaitlist(db, jobs, { gameId, playerId, ...wish })).toEqual({ ok: true });
      }
    },

    /** Lists who is in, once for each time that it was paid, in the order of paying. */
    async playersIn(gameId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select bookings.user_id as id from bookings
        join wallet_transactions entry on booking_id = bookings.id and type = 'deduction'
        where game_id = ${gameId} and payment_status = 'Paid' order by seq`.execute(db);
      return rows.map(({ id }) => id);
    },
    /** Until exactly these are in, whom the jobs have promoted. */
    untilIn: (gameId: string, userIds: string[]) =>
      expect
        .poll(() => lists.playersIn(gameId), { intervals: [50], timeout: 30_000 })
        .toEqual(userIds),
    /** The jobs of a game's list that have ended, and those that had to be tried again. */
    async promotions(gameId: string) {
      const { rows } = await sql<{ ended: number; open: number; failed: number }>`
        select count(*) filter (where state = 'completed') as ended,
          count(*) filter (where state <> 'completed') as open,
          count(*) filter (where state = 'retry' or retry_count > 0) as failed
        from pgboss.job where name = 'waitlist.promote' and data->>'gameId' = ${gameId}`.execute(
        db,
      );
      return rows[0]!;
    },
    /** Until so many transactions wait for this one, or for another that does; or `other` has ended. */
    async untilBlocked(holder: Tx, count: number, other?: Promise<unknown>) {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(holder);
      let hasEnded = false;
      const end = () => void (hasEnded = true);
      other?.then(end, end);
      const blocked = async () => {
        const found = await sql<{ count: number }>`
          with recursive waiting as (
            select pid from pg_stat_activity where ${rows[0]!.pid} = any(pg_blocking_pids(pid))
            union
            select activity.pid from pg_stat_activity activity
            join waiting on waiting.pid = any(pg_blocking_pids(activity.pid))
          ) select count(*) from waiting`.execute(db);
        return hasEnded || found.rows[0]!.count >= count;
      };
      await expect.poll(blocked, { intervals: [10], timeout: 30_000 }).toBe(true);
    },
  };
  return lists;
}

/** A busy machine asks to try again. */
async function untilAnswered(ask: () => Promise<number>): Promise<number> {
  const status = await ask();
  return status === 503 ? untilAnswered(ask) : status;
}
