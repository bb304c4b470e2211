import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { lockLiveAccount } from "#app/features/wallet/ledger.server.ts";
import { afterJoin, freeSpots, lockWalletsOfJoin, releaseHeldSpot } from "./after-join.server.ts";
import { liveBookings } from "./bookings.server.ts";
import { countHoldsOver, lapseHolds } from "./hold-ends.server.ts";
import { findLivePlace } from "./waitlist.server.ts";
import { findNextWaiting } from "./waitlist-order.server.ts";
import { GIVEN_COLUMNS, isLive, takesPlace } from "./rules.ts";

interface Addition {
  gameId: string;
  playerId: string;
  actorId: string;
  /** Becomes the booking's id: a form that is sent twice gets the first result again. */
  formKey?: string | undefined;
  /** Who is next on the waitlist, as the organiser saw it: their spot may be given away. */
  nextId?: string | undefined;
  now: Date;
}

interface Named {
  playerId: string;
  name: string;
}

type PlayerError = "no-player" | "suspended" | "already-in";

type AddResult =
  | { ok: true; bookingId: string }
  | { ok: false; reason: PlayerError | "not-found" | "not-on" | "added-before" | "full" }
  | { ok: false; reason: "unconfirmed"; player: Named; next: Named };

/**
 * An Unpaid seat at 0 credits, after kick-off too for players who just came along. "unconfirmed":
 * the free spot belongs to somebody on the waitlist.
 */
export async function addPlayer(db: Db, jobs: Jobs, addition: Addition): Promise<AddResult> {
  const { gameId, playerId, actorId, now } = addition;
  if (!isId(gameId)) return { ok: false, reason: "not-found" };
  if (!isId(playerId)) return { ok: false, reason: "no-player" };
  return db.transaction().execute(async (tx) => {
    const game = await lockGame(tx, gameId);
    if (!game) return { ok: false, reason: "not-found" };
    const { bookingId, isAdded } = await chooseId(tx, addition);
    if (isAdded) return { ok: true, bookingId };
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    const due = await lockWalletsOfJoin(tx, game, addition);
    const reason = await playerError(tx, addition);
    if (reason) return { ok: false, reason };
    const wait = await findLivePlace(tx, { gameId, playerId });
    const isFull = freeSpots(game) === 0 && !wait?.isOffered;
    if (isFull && !(await hasHoldsOver(tx, addition))) return { ok: false, reason: "full" };
    if (isAdded === false) return { ok: false, reason: "added-before" };
    const nextId = wait?.isOffered ? null : await findNextWaiting(tx, game, playerId, now);
    if (nextId && nextId !== addition.nextId) {
      const [player, next] = [await nameOf(tx, playerId), await nameOf(tx, nextId)];
      return { ok: false, reason: "unconfirmed", player, next };
    }
    const seat = { user_id: playerId, game_id: gameId, payment_status: "Unpaid" as const };
    const booking = { id: bookingId, ...seat, ...GIVEN_COLUMNS, created_at: now };
    if (wait) await releaseHeldSpot(tx, wait);
    if (isFull) await lapseHolds(tx, { gameId, now });
    await tx.insertInto("bookings").values(booking).execute();
    await afterJoin(tx, jobs, { bookingId, wait, due, now });
    const details = { gameId, playerId, before: null, after: { paymentStatus: "Unpaid" } };
    await recordAudit(tx, { actor: actorId, action: "booking.add", subject: bookingId, details });
    await jobs.enqueue(tx, "mail.added-to-game", { bookingId });
    return { ok: true, bookingId };
  });
}

async function hasHoldsOver(tx: Tx, { gameId, now }: Addition): Promise<boolean> {
  const { rows } = await sql<{
    count: number;
  }>`select ${countHoldsOver(gameId, now)} as count`.execute(tx);
  return rows[0]!.count > 0;
}

/** `isAdded`: this form has added this player before; false where they have left since. */
async function chooseId(tx: Tx, { gameId, playerId, formKey = randomUUID() }: Addition) {
  const used = await tx
    .selectFrom("bookings")
    .select(["user_id", "game_id", "payment_status"])
    .where("id", "=", formKey)
    .executeTakeFirst();
  if (!used) return { bookingId: formKey };
  if (used.user_id !== playerId || used.game_id !== gameId) return { bookingId: randomUUID() };
  return { bookingId: formKey, isAdded: isLive(used.payment_status) };
}

async function nameOf(tx: Tx, playerId: string): Promise<Named> {
  const profile = tx.selectFrom("profiles").select(["first_name", "last_name"]);
  const row = await profile.where("user_id", "=", playerId).executeTakeFirstOrThrow();
  return { playerId, name: `${row.first_name} ${row.last_name}` };
}

async function playerError(tx: Tx, { gameId, playerId }: Addition): Promise<PlayerError | null> {
  if (!(await lockLiveAccount(tx, playerId))) return "no-player";
  const account = tx.selectFrom("users").select("suspended_at").where("id", "=", playerId);
  if ((await account.executeTakeFirstOrThrow()).suspended_at) return "suspended";
  const seat = liveBookings(tx, gameId).select("id").where("user_id", "=", playerId);
  return (await seat.executeTakeFirst()) ? "already-in" : null;
}
