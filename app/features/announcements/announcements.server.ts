import { sql } from "kysely";
import { lockActor } from "#app/features/accounts/accounts.server.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { countAudience, recipientsOf } from "./audience.server.ts";
import type { AnnouncementInput } from "./input.ts";

interface NewAnnouncement {
  announcementId: string;
  input: AnnouncementInput;
  /** How many recipients the confirmation has named. */
  shown: number;
  actor: string;
  now: Date;
}

type Announced =
  | { ok: true; recipients: number }
  /** "changed": there are other recipients than were named. "sent-before": by this form, another. */
  | { ok: false; reason: "not-found" | "nobody" | "sent-before" }
  | { ok: false; reason: "changed"; recipients: number };

/** Stores it with whom it is to; the scheduled job sends it. A repeat changes nothing. */
export function announce(db: Db, announcement: NewAnnouncement): Promise<Announced> {
  const { announcementId: id, input, shown, actor, now } = announcement;
  return db.transaction().execute(async (tx) => {
    if (!isId(id)) return { ok: false, reason: "not-found" };
    await lockActor(tx, actor);
    const before = await findSame(tx, announcement);
    if (before) return before;
    const wanted = { to: input, kind: input.kind, now };
    const recipients = await countAudience(tx, wanted);
    if (recipients === 0) return { ok: false, reason: "nobody" };
    if (recipients !== shown) return { ok: false, reason: "changed", recipients };
    // The same form at the same moment has stored it first.
    if (!(await store(tx, announcement))) return (await findSame(tx, announcement))!;
    // Between the two reads somebody may have left: what is stored counts.
    const { numAffectedRows } = await sql`
      insert into announcement_recipients (announcement_id, user_id)
      select ${id}, user_id from (${recipientsOf(wanted)}) wanted`.execute(tx);
    const stored = Number(numAffectedRows);
    await tx
      .updateTable("announcements")
      .set({ recipients: stored })
      .where("id", "=", id)
      .execute();
    const details = { kind: input.kind, before: null, after: { recipients: stored } };
    await record(tx, { actor, id, action: "announcement.send", details });
    return { ok: true, recipients: stored };
  });
}

async function store(tx: Tx, { announcementId: id, input, shown, actor, now }: NewAnnouncement) {
  const { kind, subject, message } = input;
  const stored = await tx
    .insertInto("announcements")
    .values({
      ...{ id, kind, subject, message, audience: input.audience },
      ...columnsOf(input),
      ...{ recipients: shown, created_by: actor, created_at: now },
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return stored !== undefined;
}

const columnsOf = (input: AnnouncementInput) => ({
  days: input.audience === "played" ? input.days : null,
  venue_id: input.audience === "venue" ? input.venueId : null,
});

async function findSame(tx: Tx, { announcementId, input }: NewAnnouncement) {
  const stored = await tx
    .selectFrom("announcements")
    .select(["kind", "audience", "days", "venue_id", "subject", "message", "recipients"])
    .where("id", "=", announcementId)
    .executeTakeFirst();
  if (!stored) return null;
  const { recipients, ...same } = stored;
  const { kind, audience, subject, message } = input;
  const sent: typeof same = { kind, audience, subject, message, ...columnsOf(input) };
  const isSame = (Object.keys(same) as (keyof typeof same)[]).every(
    (column) => same[column] === sent[column],
  );
  return isSame
    ? ({ ok: true, recipients } as const)
    : ({ ok: false, reason: "sent-before" } as const);
}

interface Entry {
  actor: string;
  id: string;
  action: "announcement.send" | "announcement.stop" | "announcement.resume";
  /** Without the text: the log is kept for ever. */
  details: Record<string, unknown>;
}

const record = (tx: Tx, { id: subject, ...entry }: Entry) => recordAudit(tx, { ...entry, subject });

type Stopped = { ok: true } | { ok: false; reason: "not-found" | "closed" };

/** Stops or resumes it. Emails that are being sent at that moment still arrive. */
export function stopAnnouncement(
  db: Db,
  { id, isStopped, actor, now }: { id: string; isStopped: boolean; actor: string; now: Date },
): Promise<Stopped> {
  return db.transaction().execute(async (tx) => {
    const found = isId(id)
      ? await tx
          .selectFrom("announcements")
          .select(["kind", "stopped_at", "closed_at"])
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst()
      : undefined;
    if (!found) return { ok: false, reason: "not-found" };
    if (found.closed_at) return { ok: false, reason: "closed" };
    if ((found.stopped_at !== null) === isStopped) return { ok: true };
    const stopped_at = isStopped ? now : null;
    await tx.updateTable("announcements").set({ stopped_at }).where("id", "=", id).execute();
    const action = isStopped ? "announcement.stop" : "announcement.resume";
    await record(tx, { actor, id, action, details: { kind: found.kind } });
    return { ok: true };
  });
}

/** For a restored database: what was under way then may have been sent since. Returns how many. */
export async function stopAllAnnouncements(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update announcements set stopped_at = now()
    where stopped_at is null and exists (select from announcement_recipients waiting
      where waiting.announcement_id = announcements.id and queued_at is null)`.execute(tx);
  return Number(numAffectedRows);
}

/** With the account. The rows stay, so that what was sent still counts, and name nobody. */
export async function eraseRecipient(tx: Tx, userId: string, now: Date): Promise<void> {
  await sql`
    update announcement_recipients set user_id = null, queued_at = coalesce(queued_at, ${now}),
      outcome = coalesce(outcome, 'left-out'), ended_at = coalesce(ended_at, ${now})
    where user_id = ${userId}`.execute(tx);
}
