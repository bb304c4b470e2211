import { type RawBuilder, sql } from "kysely";
import { fromMicros, toMicros } from "#app/platform/cursor.server.ts";
import { UUID } from "#app/platform/ids.ts";
import { EURO } from "#app/platform/money.ts";
import type { Db } from "#app/platform/db.server.ts";

export interface RecordedEntry {
  /** Ascending in time: the next page continues below it. */
  id: number;
  at: Date;
  actor: string;
  actorName: string | null;
  action: string;
  subject: string;
  subjectName: string | null;
  bookedGame: string | null;
  /** Whom it is about, where its subject is a game. */
  playerName: string | null;
  details: Record<string, unknown>;
}

export interface EntryFilter {
  actor: string | null;
  action: string | null;
  subject: string | null;
}

/** At most `limit` matching entries with ids below `before`, newest first. One query. */
export async function listAuditEntries(
  db: Db,
  { filter, before, limit }: { filter: EntryFilter; before: number | null; limit: number },
): Promise<RecordedEntry[]> {
  const conditions = [
    filter.actor !== null && sql`actor = ${filter.actor}`,
    filter.action !== null && sql`action = ${filter.action}`,
    filter.subject !== null && sql`subject = ${filter.subject}`,
    before !== null && sql`id < ${before}`,
  ].filter((condition) => condition !== false);
  const where = sql.join([sql`true`, ...conditions], sql` and `);
  const page = sql`select * from audit_log where ${where} order by id desc limit ${sql.lit(limit)}`;
  return withNames(db, page, sql`entry.id desc`);
}

/** The keyset position after which an export continues. */
export interface EntryPosition {
  micros: string;
  id: number;
}

/** At most `limit` entries of [from, to) after `after`, oldest first. */
export async function exportEntries(
  db: Db,
  period: { from: Date; to: Date; after: EntryPosition | null; limit: number },
): Promise<(RecordedEntry & EntryPosition)[]> {
  const { from, to, after, limit } = period;
  const at = after && fromMicros(after.micros);
  const beyond = after ? sql`and (created_at, id) > (${at}, ${after.id})` : sql``;
  const page = sql`select * from audit_log where created_at >= ${from} and created_at < ${to}
    ${beyond} order by created_at, id limit ${sql.lit(limit)}`;
  return withNames(db, page, sql`entry.created_at, entry.id`);
}

export async function listFilterChoices(
  db: Db,
): Promise<{ actors: { actor: string; name: string | null }[]; actions: string[] }> {
  const [actors, actions] = await Promise.all([
    sql<{ actor: string; name: string | null }>`
      with ${distinct("actor")}
      select value as actor, first_name || ' ' || last_name as name from found
      left join profiles on user_id = ${idIn(sql.ref("value"))}
      where value is not null order by name nulls last, actor`.execute(db),
    sql<{ action: string }>`with ${distinct("action")}
      select value as action from found where value is not null order by 1`.execute(db),
  ]);
  return { actors: actors.rows, actions: actions.rows.map(({ action }) => action) };
}

/** A loose index scan: it costs one lookup per distinct value, however long the log is. */
function distinct(column: "actor" | "action"): RawBuilder<unknown> {
  const name = sql.ref(column);
  return sql`recursive found (value) as (
    select min(${name}) from audit_log
    union all
    select (select min(${name}) from audit_log where ${name} > value)
    from found where value is not null)`;
}

async function withNames(
  db: Db,
  page: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<(RecordedEntry & EntryPosition)[]> {
  const { rows } = await sql<RecordedEntry & EntryPosition>`
    select entry.id, entry.created_at as at, entry.actor, entry.action, entry.subject, entry.details,
      ${toMicros("entry.created_at")} as micros,
      actor.first_name || ' ' || actor.last_name as "actorName",
      coalesce(
        (select first_name || ' ' || last_name from profiles where user_id = subject.id),
        (select title from games where id = subject.id),
        (select first_name || ' ' || last_name || ', ' || title from bookings
          join profiles using (user_id) join games on games.id = game_id
          where bookings.id = subject.id),
        (select name from venues where id = subject.id),
        (select nullif(name, '') from partners where id = subject.id),
        (select pack_name from credit_packs where id = subject.id),
        (select first_name || ' ' || last_name || ', '
            || coalesce(pack_name || ', ' || withdrawals.amount_eur || ${sql.lit(EURO)}, subject)
          from support_messages ticket
          join profiles on profiles.user_id = ticket.user_id
          left join withdrawals on withdrawals.id = withdrawal_id
          left join payments on payments.id = withdrawals.payment_id
          left join credit_packs on credit_packs.id = pack_id
          where ticket.id = subject.id)) as "subjectName",
      (select game_id from bookings where id = subject.id) as "bookedGame",
      (select first_name || ' ' || last_name from profiles
        where user_id = ${idIn(sql`(entry.details ->> 'playerId')`)}) as "playerName"
    from (${page}) entry
    cross join lateral (select ${idIn(sql.ref("entry.subject"))} as id) subject
    left join profiles actor on actor.user_id = ${idIn(sql.ref("entry.actor"))}
    order by ${order}`.execute(db);
  return rows;
}

/** The text as a uuid, or null: subjects and actors may be words. */
function idIn(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${text} ~* ${sql.lit(UUID.source)} then ${text}::uuid end`;
}
