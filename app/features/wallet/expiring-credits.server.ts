import { sql } from "kysely";
import { notifyDue, wasSent } from "#app/features/notifications/notify.server.ts";
import { dueUntil, type NoticeTarget } from "#app/features/notifications/rules.ts";
import { monthDay, wallClock } from "#app/platform/clock.ts";
import { type Db, inCents } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { creditsCount } from "#app/platform/money.ts";

const KIND = "credits-expiring";
const DAYS_BEFORE = 7;

// The version is when the lots expire, in seconds since 1970: lots of one moment are one notice.
const EXPIRY = sql<string>`floor(extract(epoch from expires_at))::bigint::text`;

export async function notifyOfExpiringCredits(db: Db, jobs: Jobs, now: Date): Promise<void> {
  const until = dueUntil(now);
  if (!until) return;
  await notifyDue(db, jobs, {
    kind: KIND,
    now,
    listDue: (limit) => listDue(db, { now, until, limit }),
    email: ({ userId, version }) => ({ userId, version }),
  });
}

async function listDue(db: Db, { now, until, limit }: { now: Date; until: Date; limit: number }) {
  return db
    .selectFrom("credit_lots")
    .select(["user_id as userId", "user_id as subjectId", EXPIRY.as("version")])
    .distinct()
    .where("remaining_eur", ">", "0")
    .where("expires_at", ">", now)
    .where("expires_at", "<=", new Date(until.getTime() + DAYS_BEFORE * 86_400_000))
    .where((eb) =>
      eb.not(wasSent("credit_lots.user_id", KIND, sql`credit_lots.user_id || ' ' || ${EXPIRY}`)),
    )
    .limit(limit)
    .$castTo<NoticeTarget>()
    .execute();
}

/** Null where they have been spent or have expired. */
export async function findExpiring(
  db: Db,
  { userId, version }: { userId: string; version: string },
  now: Date,
) {
  const expiresAt = new Date(Number(version) * 1_000);
  const row = await db
    .selectFrom("profiles")
    .innerJoin("credit_lots", "credit_lots.user_id", "profiles.user_id")
    .select(["email", "first_name as firstName", inCents(sql`sum(remaining_eur)`).as("cents")])
    .where("profiles.user_id", "=", userId)
    .where("expires_at", ">=", expiresAt)
    .where("expires_at", "<", new Date(expiresAt.getTime() + 1_000))
    .groupBy(["email", "first_name"])
    .executeTakeFirst();
  if (!row || row.cents <= 0 || expiresAt <= now) return null;
  const { date, time } = wallClock(expiresAt);
  const title = `Use ${creditsCount(row.cents)} by ${monthDay(date)}, ${time.slice(0, 5)}`;
  return { userId, title, email: row.email, firstName: row.firstName, expiresAt };
}
