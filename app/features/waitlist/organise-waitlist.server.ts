import { sql } from "kysely";
import { lockGame } from "#app/features/games/games.server.ts";
import {
  type AuditAction,
  listAuditEntriesOfForm,
  recordAudit,
} from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { PassedOver, WaitMode } from "#app/platform/schema.ts";
import { endPlace } from "./entries.server.ts";
import { promoteWaiting } from "./promote-waiting.server.ts";
import { listWaiting, WAITLIST_ORDER } from "./order.server.ts";
import type { Obstacle } from "./rules.ts";

type Game = Parameters<typeof listWaiting>[1];

export interface WaitlistRow {
  entryId: string;
  playerId: string;
  firstName: string;
  lastName: string;
  pictureUrl: string | null;
  mode: WaitMode;
  offerExpiresAt: Date | null;
  notAfter: Date;
  createdAt: Date;
  passedOver: PassedOver | null;
  promoteReason: string | null;
  obstacle: Obstacle | null;
}

export async function listWaitlist(db: Db, game: Game, now: Date): Promise<WaitlistRow[]> {
  const [{ rows }, waiting] = await Promise.all([
    sql<Omit<WaitlistRow, "obstacle">>`
      select entry.id as "entryId", entry.user_id as "playerId", first_name as "firstName",
        last_name as "lastName", profile_picture_url as "pictureUrl", mode,
        offer_expires_at as "offerExpiresAt", not_after as "notAfter",
        entry.created_at as "createdAt", passed_over as "passedOver",
        promote_reason as "promoteReason"
      from waitlist_entries entry join profiles on profiles.user_id = entry.user_id
      where game_id = ${game.id} and status in ('Waiting', 'Offered')
      order by ${WAITLIST_ORDER}`.execute(db),
    listWaiting(db, game, { now }),
  ]);
  const obstacles = new Map(waiting.map(({ id, obstacle }) => [id, obstacle]));
  return rows.map((row) => ({ ...row, obstacle: obstacles.get(row.entryId) ?? null }));
}

interface Change {
  gameId: string;
  entryId: string;
  actorId: string;
  formKey?: string | undefined;
  now: Date;
}

type ChangeResult = { ok: true } | { ok: false; reason: "not-waiting" };

export async function removeFromWaitlist(
  db: Db,
  jobs: Jobs,
  change: Change,
): Promise<ChangeResult> {
  const { gameId, entryId, actorId: actor, formKey, now } = change;
  return db.transaction().execute(async (tx) => {
    const entry = await lockGameAndFindEntry(tx, change);
    if (await isRepeat(tx, "waitlist.remove", change)) return { ok: true };
    if (!entry) return NOT_WAITING;
    await endPlace(tx, jobs, { entryId, gameId, status: "Lapsed", reason: "Removed", now });
    const moved = { before: { status: entry.status }, after: { status: "Lapsed" } };
    const details = { gameId, playerId: entry.playerId, ...moved, formKey };
    await recordAudit(tx, { actor, action: "waitlist.remove", subject: gameId, details });
    await jobs.enqueue(tx, "mail.waitlist-ended", { entryId });
    return { ok: true };
  });
}

type PromoteResult = { ok: true; isServed: boolean } | { ok: false; reason: "not-waiting" };

/** Puts one before all others; the list's own rule then gives them the next spot. `isServed`: a
 * spot was free already. */
export async function promoteOutOfOrder(
  db: Db,
  jobs: Jobs,
  promotion: Change & { reason: string },
): Promise<PromoteResult> {
  const { gameId, entryId, actorId: actor, reason, formKey, now } = promotion;
  const moved = await db.transaction().execute(async (tx): Promise<ChangeResult> => {
    const entry = await lockGameAndFindEntry(tx, promotion);
    if (await isRepeat(tx, "waitlist.promote", promotion)) return { ok: true };
    if (entry?.status !== "Waiting" || entry.notAfter <= now) return NOT_WAITING;
    // Players who missed an offer are behind; below zero is before those who never did.
    await sql`
      update waitlist_entries set missed_offers = (
        select least(0, min(missed_offers)) - 1 from waitlist_entries
        where game_id = ${gameId} and status in ('Waiting', 'Offered')), promote_reason = ${reason}
      where id = ${entryId}`.execute(tx);
    // Without the reason: the audit log is never deleted.
    const details = { gameId, playerId: entry.playerId, formKey };
    await recordAudit(tx, { actor, action: "waitlist.promote", subject: gameId, details });
    return { ok: true };
  });
  if (!moved.ok) return moved;
  await promoteWaiting(db, jobs, { gameId, now });
  const entry = db.selectFrom("waitlist_entries").select("status").where("id", "=", entryId);
  const { status } = await entry.executeTakeFirstOrThrow();
  if (status === "Left" || status === "Lapsed") return NOT_WAITING;
  return { ok: true, isServed: status !== "Waiting" };
}

const NOT_WAITING = { ok: false, reason: "not-waiting" } as const;

/** Whether this form has done it before; under the game's lock. */
async function isRepeat(
  tx: Tx,
  action: AuditAction,
  { gameId: subject, entryId, formKey }: Change,
) {
  const done = await listAuditEntriesOfForm(tx, { action, subject, formKey });
  if (done.length === 0) return false;
  const entries = tx.selectFrom("waitlist_entries").select("user_id as playerId");
  const entry = await entries.where("id", "=", entryId).executeTakeFirst();
  return done.some(({ playerId }) => playerId === entry?.playerId);
}

/** A place of a game only changes under the game's lock; null where it has ended. */
async function lockGameAndFindEntry(tx: Tx, { gameId, entryId }: Change) {
  if (!isId(gameId) || !isId(entryId) || !(await lockGame(tx, gameId))) return null;
  const entry = await tx
    .selectFrom("waitlist_entries")
    .select(["status", "user_id as playerId", "not_after as notAfter"])
    .where("id", "=", entryId)
    .where("game_id", "=", gameId)
    .where("status", "in", ["Waiting", "Offered"])
    .executeTakeFirst();
  return entry ?? null;
}
