import { type RawBuilder, sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { type AnnouncementKind, type Audience, VENUE_DAYS } from "./rules.ts";

interface Wanted {
  to: Audience;
  kind: AnnouncementKind;
  now: Date;
}

/** Open accounts of the audience, as `user_id`; without those that have switched its kind off. */
export function recipientsOf({ to, kind, now }: Wanted): RawBuilder<{ user_id: string }> {
  return sql`
    select profiles.user_id from profiles join users on users.id = profiles.user_id
    where deleted_at is null and suspended_at is null and ${isOfAudience(to, now)}
      and not exists (select from notification_settings setting
        where setting.user_id = profiles.user_id and setting.kind = ${kind} and not setting.email)`;
}

function isOfAudience(to: Audience, now: Date): RawBuilder<boolean> {
  if (to.audience === "everybody") return sql`true`;
  const condition =
    to.audience === "played"
      ? sql`games.starts_at between ${daysBefore(now, to.days)} and ${now}
          and attendance is distinct from 'NoShow'`
      : sql`games.venue_id = ${to.venueId} and games.starts_at >= ${daysBefore(now, VENUE_DAYS)}`;
  return sql`profiles.user_id in (
    select bookings.user_id from bookings join games on games.id = bookings.game_id
    where payment_status in ('Paid', 'Unpaid') and games.status <> 'Cancelled' and ${condition})`;
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000);

export async function countAudience(db: Db, wanted: Wanted): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${recipientsOf(wanted)}) wanted`.execute(db);
  return rows[0]!.count;
}
