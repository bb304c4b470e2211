import { type RawBuilder, sql } from "kysely";
import { fromMicros, toMicros } from "#app/platform/cursor.server.ts";
import { isId, UUID } from "#app/platform/ids.ts";
import { type AuditEntry, recordAudit } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { ENTITIES } from "#app/platform/schema.ts";

export interface RecordedEntry extends Named {
  id: number;
  at: Date;
  actor: string;
  actorName: string | null;
  action: string;
  subject: string;
  details: Record<string, unknown>;
  /** The other entries of the same form, such as the later games of a series. */
  others: (Named & Pick<RecordedEntry, "details">)[];
}

/** What an entry is about, as it is named now; null where it is something else or gone. */
export interface Named {
  game: { id: string; date: string; startTime: string; venueName: string } | null;
  player: { id: string; name: string } | null;
  /** In teams, by one tap. */
  placed: { id: string; name: string }[] | null;
  ticket: {
    kind: TicketKind;
    subject: string | null;
    writer: string;
    amountEur: string | null;
  } | null;
  name: string | null;
  venueNames: Record<string, string> | null;
}

export interface EntryFilter {
  actor: string | null;
  action: string | null;
  subject: string | null;
}

type TicketKind = "message" | "report" | "review" | "withdrawal";

/** At most `limit` matching entries below id `before`, newest first; those of one form are one. */
export async function listAuditEntries(
  db: Db,
  { filter, before, limit }: { filter: EntryFilter; before: number | null; limit: number },
): Promise<RecordedEntry[]> {
  const conditions = [
    filter.actor !== null && sql`actor = ${filter.actor}`,
    filter.action !== null && sql`action = ${filter.action}`,
    // Each game of a series has its entry in its own history.
    filter.subject !== null ? isOfHistory(filter.subject) : IS_FIRST_OF_FORM,
    before !== null && sql`id < ${before}`,
  ].filter((condition) => condition !== false);
  const where = sql.join([sql`true`, ...conditions], sql` and `);
  const page = sql`select * from audit_log entry
    where ${where} order by id desc limit ${sql.lit(limit)}`;
  return withNames(db, page, { order: sql`entry.id desc`, others: OTHERS });
}

export async function findNamed(db: Db, subject: string): Promise<Named> {
  const entry = sql`select ${subject}::text as subject, '{}'::jsonb as details`;
  const { rows } = await sql<Named>`
    select named.* from (${entry}) entry cross join lateral (${named("entry")}) named`.execute(db);
  return rows[0]!;
}

/** A player's history includes their bookings, tickets, payments, and game entries naming them. */
function isOfHistory(subject: string): RawBuilder<unknown> {
  if (!isId(subject)) return sql`subject = ${subject}`;
  const theirs = (column: string, table: string) =>
    sql`select ${sql.ref(column)}::text from ${sql.table(table)} where user_id = ${subject}`;
  return sql`id = any(array(
    select id from audit_log where subject = any(array(
      select ${subject}::text union all ${theirs("id", "bookings")}
      union all ${theirs("id", "support_messages")} union all ${theirs("id", "reviews")}
      union all ${theirs("id", "stripe_events")}
      union all ${theirs("event_id", "payment_assignments")}))
    union select id from audit_log where subject = any(array(
      ${theirs("game_id", "bookings")} union ${theirs("game_id", "waitlist_entries")}
      union ${theirs("game_id", "chat_messages")}))
      and (details ->> 'playerId' = ${subject} or details -> 'placed' ? ${subject})))`;
}

const IS_SAME_KIND = sql`other.action = entry.action and other.actor = entry.actor`;
// now() is the time of the transaction: what one form did has the same one.
const AT_SAME_TIME = sql`other.created_at = entry.created_at and ${IS_SAME_KIND}`;
// But games that one form cancels have a transaction each.
const BY_SAME_KEY = sql`other.details ->> 'formKey' = entry.details ->> 'formKey'
  and entry.action in ('game.cancel', 'game.message') and ${IS_SAME_KIND}`;

// Two conditions, so that each is looked up in its index.
const IS_FIRST_OF_FORM = sql.join(
  [AT_SAME_TIME, BY_SAME_KEY].map(
    (isSame) => sql`not exists (
      select from audit_log other where ${isSame} and other.id < entry.id)`,
  ),
  sql` and `,
);

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
  return withNames(db, page, { order: sql`entry.created_at, entry.id`, others: sql`'[]'::jsonb` });
}

/** Before the file is sent, so that none leaves without an entry. */
export async function recordDownload(db: Db, entry: AuditEntry): Promise<void> {
  await db.transaction().execute((tx) => recordAudit(tx, entry));
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
  { order, others }: Record<"order" | "others", RawBuilder<unknown>>,
): Promise<(RecordedEntry & EntryPosition)[]> {
  const { rows } = await sql<RecordedEntry & EntryPosition>`
    select entry.id, entry.created_at as at, entry.actor, entry.action, entry.subject, entry.details,
      ${toMicros("entry.created_at")} as micros,
      actor.first_name || ' ' || actor.last_name as "actorName",
      named.*, ${others} as others
    from (${page}) entry
    cross join lateral (${named("entry")}) named
    left join profiles actor on actor.user_id = ${idIn(sql.ref("entry.actor"))}
    order by ${order}`.execute(db);
  return rows;
}

function named(alias: "entry" | "other"): RawBuilder<unknown> {
  const details = sql.ref(`${alias}.details`);
  const placed = sql`case jsonb_typeof(${details} -> 'placed') when 'array' then ${details} -> 'placed' end`;
  const venueOf = (part: "before" | "after") =>
    idIn(sql`(${details} -> ${sql.lit(part)} ->> 'venueId')`);
  return sql`
    select
      case when games.id is not null then jsonb_build_object('id', games.id, 'date', games.date,
        'startTime', games.start_time, 'venueName', place.name) end as game,
      case when players.user_id is not null then jsonb_build_object('id', players.user_id,
        'name', players.first_name || ' ' || players.last_name) end as player,
      (select jsonb_agg(jsonb_build_object('id', user_id, 'name', first_name || ' ' || last_name)
          order by first_name, last_name, user_id)
        from profiles where user_id = any(array(select ${idIn(sql.ref("value"))}
          from jsonb_array_elements_text(${placed}))) ) as placed,
      (select jsonb_build_object('kind', kind, 'subject', ticket.subject,
          'writer', first_name || ' ' || last_name, 'amountEur', amount_eur::text)
        from (
          select user_id, kind, subject, withdrawal_id
          from support_messages where id = subject.id
          union all select user_id, 'review', null, null from reviews where id = subject.id
        ) ticket
        join profiles using (user_id)
        left join withdrawals on withdrawals.id = withdrawal_id) as ticket,
      coalesce(${ENTITY_NAMES}, (select announcements.subject from announcements
        where announcements.id = subject.id), ${legalPageName(sql.ref(`${alias}.subject`))}) as name,
      (select jsonb_object_agg(id, name) from venues
        where id in (${venueOf("before")}, ${venueOf("after")})) as "venueNames"
    from (select ${idIn(sql.ref(`${alias}.subject`))} as id) subject
    left join bookings on bookings.id = subject.id
    left join games
      on games.id = coalesce(bookings.game_id, ${idIn(sql`(${details} ->> 'gameId')`)}, subject.id)
    left join venues place on place.id = games.venue_id
    left join profiles players on players.user_id
      = coalesce(bookings.user_id, ${idIn(sql`(${details} ->> 'playerId')`)}, subject.id)`;
}

const legalPageName = (subject: RawBuilder<unknown>) =>
  sql`case ${subject} when 'terms' then 'the terms' when 'privacy' then 'the privacy policy' end`;

const ENTITY_NAMES = sql.join(
  Object.values(ENTITIES).map(
    ([table, name]) =>
      sql`(select nullif(${sql.ref(name)}, '') from ${sql.table(table)} where id = subject.id)`,
  ),
);

// Limited to a game's seats: no form is about more.
const OTHERS = sql`(
  select coalesce(jsonb_agg(to_jsonb(named) || jsonb_build_object('details', other.details) order by other.id), '[]') from (
    select * from audit_log other
    where (${AT_SAME_TIME} or ${BY_SAME_KEY}) and other.id <> entry.id order by id limit 200
  ) other cross join lateral (${named("other")}) named)`;

/** The text as a uuid, or null: subjects and actors may be words. */
function idIn(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${text} ~* ${sql.lit(UUID.source)} then ${text}::uuid end`;
}
