import { sql } from "kysely";
import { notifyDue, wasSent } from "#app/features/notifications/notify.server.ts";
import { dueUntil, type NoticeTarget } from "#app/features/notifications/rules.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { findBookingFacts } from "./booking-facts.server.ts";
import { bookingState } from "./participation.ts";
import { gameState } from "#app/features/games/rules.ts";
import { firstRiseHours, LIVE } from "#app/features/seats/rules.ts";
import { SALE_TERMS } from "#app/features/seats/sale-terms.ts";

/** Two hours more than the end of the first step, so that there is time to read it and still cancel
 * before it costs more. */
const DAY_BEFORE_HOURS = Math.max(firstRiseHours(SALE_TERMS), 24) + 2;
const SOON_HOURS = 3;
const HOUR_MS = 3_600_000;

type ReminderKind = "day-before" | "soon";

/** `version` is the kick-off: a game that has moved since is reminded of again. */
export interface ReminderJob {
  bookingId: string;
  version: string;
}

interface Reminder {
  hours: number;
  /** What is due up to here goes now; null goes later. */
  dueUntil(now: Date): Date | null;
  /** Nearer to kick-off, another reminder fits better. */
  endsHours: number;
}

const REMINDERS: Record<ReminderKind, Reminder> = {
  "day-before": { hours: DAY_BEFORE_HOURS, dueUntil, endsHours: SOON_HOURS },
  // Kick-off is so near that it cannot wait for the end of the night.
  soon: { hours: SOON_HOURS, dueUntil: (now) => now, endsHours: 0 },
};

const KINDS = Object.keys(REMINDERS) as ReminderKind[];

/** Sends none whose moment was before the booking. A moved game is reminded of again. */
export async function sendReminders(db: Db, jobs: Jobs, now: Date): Promise<void> {
  for (const kind of KINDS) {
    const until = REMINDERS[kind].dueUntil(now);
    if (!until) continue;
    await notifyDue(db, jobs, {
      kind,
      now,
      listDue: (limit) => listDue(db, kind, { now, until, limit }),
      email: ({ subjectId: bookingId, version }) => ({ bookingId, version }),
    });
  }
}

// The version of a reminder is the kick-off, in seconds since 1970.
const KICK_OFF = sql<string>`floor(extract(epoch from games.starts_at))::bigint::text`;

async function listDue(
  db: Db,
  kind: ReminderKind,
  { now, until, limit }: { now: Date; until: Date; limit: number },
) {
  const { hours, endsHours } = REMINDERS[kind];
  const later = (from: Date, more: number) => new Date(from.getTime() + more * HOUR_MS);
  return db
    .selectFrom("games")
    .innerJoin("bookings", "bookings.game_id", "games.id")
    .select(["bookings.user_id as userId", "bookings.id as subjectId", KICK_OFF.as("version")])
    .where("games.status", "=", "Published")
    .where("games.starts_at", ">", later(now, endsHours))
    .where("games.starts_at", "<=", later(until, hours))
    .where("payment_status", "in", LIVE)
    .where(sql<boolean>`bookings.created_at <= games.starts_at - make_interval(hours => ${hours})`)
    .where((eb) =>
      eb.not(wasSent("bookings.user_id", kind, sql`bookings.id || ' ' || ${KICK_OFF}`)),
    )
    .orderBy("games.starts_at")
    .limit(limit)
    .$castTo<NoticeTarget>()
    .execute();
}

/** Null where the player has left meanwhile, or the game has moved, begun or been called off. */
export async function findReminded(db: Db, { bookingId, version }: ReminderJob, now: Date) {
  const booking = await findBookingFacts(db, bookingId, now);
  const state = booking && bookingState({ ...gameState(booking.game, now), isIn: booking.isIn });
  const isAsDue = booking?.startsAt.getTime() === Number(version) * 1_000;
  return state === "in" && isAsDue ? booking : null;
}
