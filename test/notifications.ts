import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { JobData, Queue } from "#app/platform/jobs.server.ts";
import type { NoticeData, NoticeKind } from "#app/platform/notices.ts";
import type { TestDatabase } from "./db.ts";
import { aGame, aPlayer, hoursLater } from "./fixtures.ts";

type Wish = Parameters<typeof aGame>[1] & { bookedAt?: number; playerId?: string };

/** A player in a game; both times are hours from NOW. */
export async function aBooking(database: TestDatabase, wish: Wish = {}) {
  const { bookedAt = -72, playerId: given, ...game } = wish;
  const playerId = given ?? (await aPlayer(database.db, { name: "Ada", credits: 50 }));
  const gameId = await aGame(database.db, game);
  const join = { gameId, playerId, now: hoursLater(bookedAt) };
  const joined = await joinGame(database.db, database.jobs, join);
  if (!joined.ok) throw new Error(joined.reason);
  return { playerId, gameId, bookingId: joined.bookingId };
}

/** What the emails of a kind that wait carry, oldest first. */
export async function waitingEmails<K extends NoticeKind>(database: TestDatabase, kind: K) {
  const emails = await waitingIn(database, "mail.send");
  return emails.flatMap((email) => {
    const { kind: of, ...data } = email;
    return of === kind ? [data as unknown as NoticeData[K]] : [];
  });
}

/** What waits in a queue, oldest first. */
export async function waitingIn<Q extends Queue>(database: TestDatabase, queue: Q) {
  const { rows } = await database.pool.query<{ data: JobData[Q] }>(
    "select data from pgboss.job where name = $1 and state in ('created', 'retry') order by created_on, id",
    [queue],
  );
  return rows.map(({ data }) => data);
}
