import { sql } from "kysely";
import {
  changeGame,
  type Consequences,
  type GameChange,
} from "#app/features/games/change-game.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { PassedOver, WaitMode } from "#app/platform/schema.ts";
import { endEntries } from "./entries.server.ts";
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

interface EntryChange {
  gameId: string;
  entryId: string;
  actorId: string;
  formKey?: string | undefined;
  now: Date;
}

type ChangeResult = { ok: true } | NotWaiting;
type NotWaiting = { ok: false; reason: "not-found" | "not-waiting" };

export function removeFromWaitlist(
  db: Db,
  jobs: Jobs,
  removal: EntryChange,
): Promise<ChangeResult> {
  const { gameId, entryId, now } = removal;
  const change = { ...removal, jobs, action: "waitlist.remove" } as const;
  return changeEntry(db, change, async (tx, { status }) => {
    await endEntries(tx, [entryId], { status: "Lapsed", reason: "Removed", now });
    const details = { before: { status }, after: { status: "Lapsed" } };
    return { details, promote: [gameId], notices: [["waitlist-ended", [{ entryId }]]] };
  });
}

type PromoteResult = { ok: true; isServed: boolean } | NotWaiting;

/** Puts one before all others; the list's own rule then gives them the next spot. `isServed`: a
 * spot was free already. */
export async function promoteOutOfOrder(
  db: Db,
  jobs: Jobs,
  promotion: EntryChange & { reason: string },
): Promise<PromoteResult> {
  const { gameId, entryId, reason, now } = promotion;
  const change = { ...promotion, action: "waitlist.promote" } as const;
  const moved = await changeEntry(db, change, async (tx, { status, notAfter }) => {
    if (status !== "Waiting" || notAfter <= now) return null;
    // Players who missed an offer are behind; below zero is before those who never did.
    await sql`
      update waitlist_entries set missed_offers = (
        select least(0, min(missed_offers)) - 1 from waitlist_entries
        where game_id = ${gameId} and status in ('Waiting', 'Offered')), promote_reason = ${reason}
      where id = ${entryId}`.execute(tx);
    // Without the reason: the audit log is never deleted.
    return { details: {} };
  });
  if (!moved.ok) return moved;
  await promoteWaiting(db, jobs, { gameId, now });
  const entry = db.selectFrom("waitlist_entries").select("status").where("id", "=", entryId);
  const { status } = await entry.executeTakeFirstOrThrow();
  if (status === "Left" || status === "Lapsed") return { ok: false, reason: "not-waiting" };
  return { ok: true, isServed: status !== "Waiting" };
}

type Entry = NonNullable<Awaited<ReturnType<typeof findEntry>>>;

type Changed = Omit<Consequences, "event"> & { details: Record<string, unknown> };

/** An entry of a game only changes under the game's lock. `run` returns null if the entry does not
 * wait. One page's form key may serve several entries. */
function changeEntry(
  db: Db,
  change: GameChange & { entryId: string },
  run: (tx: Tx, entry: Entry) => Promise<Changed | null>,
): Promise<ChangeResult> {
  return changeGame<ChangeResult>(db, change, async (tx, { id: gameId }, { earlier }) => {
    const entry = await findEntry(tx, change);
    if (!entry) return "not-waiting";
    const { playerId, status } = entry;
    if (earlier.some((done) => done.playerId === playerId)) return { ok: true };
    const isLive = status === "Waiting" || status === "Offered";
    const changed = isLive ? await run(tx, entry) : null;
    if (!changed) return "not-waiting";
    const { details, ...consequences } = changed;
    return { ok: true, event: { details: { gameId, playerId, ...details } }, ...consequences };
  });
}

async function findEntry(tx: Tx, { gameId, entryId }: { gameId: string; entryId: string }) {
  if (!isId(entryId)) return undefined;
  return tx
    .selectFrom("waitlist_entries")
    .select(["status", "user_id as playerId", "not_after as notAfter"])
    .where("id", "=", entryId)
    .where("game_id", "=", gameId)
    .executeTakeFirst();
}
