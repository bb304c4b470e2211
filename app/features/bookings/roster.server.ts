import { listAuditEntriesOfForm, recordAudit } from "#app/platform/audit.server.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import type { Attendance } from "#app/platform/schema.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { cameWith } from "./friends.server.ts";
import { endBooking, liveBookings } from "./bookings.server.ts";
import { queuePromotion } from "./waitlist.server.ts";
import { canMark, isLive, refundOfRemoval, statusAfterRefund, takesPlace } from "./rules.ts";

export type RosterPlayer = Awaited<ReturnType<typeof listRoster>>[number];

/** Who is in a game, by name. For admins alone: it has phone numbers. One query. */
export async function listRoster(db: Db, gameId: string) {
  if (!isId(gameId)) return [];
  return liveBookings(db, gameId)
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .select(["bookings.id as bookingId", "bookings.user_id as playerId"])
    .select(["first_name as firstName", "last_name as lastName", "position", "phone"])
    .select(["profile_picture_url as pictureUrl", "payment_status as paymentStatus"])
    .select(inCents("price_eur").as("priceCents"))
    .select(["uses_free_session as usesFreeSession", "attendance", "goals", "has_won as hasWon"])
    .select(cameWith.as("cameWith"))
    .orderBy("first_name")
    .orderBy("last_name")
    .orderBy("bookings.id")
    .execute();
}

interface SeatKey {
  gameId: string;
  bookingId: string;
}

/** A booking of a game only changes under the game's lock; null where there is none. */
async function lockSeat(tx: Tx, { gameId, bookingId }: SeatKey) {
  if (!isId(gameId) || !isId(bookingId)) return null;
  const game = await lockGame(tx, gameId);
  if (!game) return null;
  const seat = await tx
    .selectFrom("bookings")
    .select(["user_id as playerId", "payment_status as paymentStatus"])
    .select(inCents("price_eur").as("priceCents"))
    .select(["uses_free_session as usesFreeSession", "attendance"])
    .where("id", "=", bookingId)
    .where("game_id", "=", gameId)
    .executeTakeFirst();
  return seat ? { game, seat } : null;
}

/** "changed" where another admin has marked something else than `from` meanwhile. */
export async function markAttendance(
  db: Db,
  mark: SeatKey & { actorId: string; from: Attendance | null; to: Attendance | null; now: Date },
): Promise<
  | { ok: true }
  | { ok: false; reason: "not-found" | "gone" | "not-on" | "too-early" }
  | { ok: false; reason: "changed"; current: Attendance | null }
> {
  const { bookingId, actorId, from, to, now } = mark;
  return db.transaction().execute(async (tx) => {
    const found = await lockSeat(tx, mark);
    if (!found) return { ok: false, reason: "not-found" };
    const { game, seat } = found;
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    if (!isLive(seat.paymentStatus)) return { ok: false, reason: "gone" };
    if (seat.attendance === to) return { ok: true };
    if (!canMark(game, now)) return { ok: false, reason: "too-early" };
    if (seat.attendance !== from) {
      return { ok: false, reason: "changed", current: seat.attendance };
    }
    await tx.updateTable("bookings").set({ attendance: to }).where("id", "=", bookingId).execute();
    const change = { before: { attendance: from }, after: { attendance: to } };
    const details = { gameId: game.id, playerId: seat.playerId, ...change };
    const action = "booking.attendance";
    await recordAudit(tx, { actor: actorId, action, subject: bookingId, details });
    return { ok: true };
  });
}

/** The price becomes 0: credits that were never taken are never given back. */
export async function markPaid(
  db: Db,
  payment: SeatKey & { actorId: string },
): Promise<{ ok: true } | { ok: false; reason: "not-found" | "gone" | "not-on" }> {
  const { bookingId, actorId } = payment;
  return db.transaction().execute(async (tx) => {
    const found = await lockSeat(tx, payment);
    if (!found) return { ok: false, reason: "not-found" };
    const { game, seat } = found;
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    if (!isLive(seat.paymentStatus)) return { ok: false, reason: "gone" };
    if (seat.paymentStatus === "Paid") return { ok: true };
    const after = { payment_status: "Paid", price_eur: "0.00" } as const;
    await tx.updateTable("bookings").set(after).where("id", "=", bookingId).execute();
    const before = { payment_status: "Unpaid", price_eur: numericFromCents(seat.priceCents) };
    const details = { gameId: game.id, playerId: seat.playerId, before, after };
    const action = "booking.mark-paid";
    await recordAudit(tx, { actor: actorId, action, subject: bookingId, details });
    return { ok: true };
  });
}

interface Removal extends SeatKey {
  actorId: string;
  withRefund: boolean;
  formKey?: string | undefined;
  now: Date;
}

type RemoveResult =
  | { ok: true; creditsBackCents: number; isFreeSessionBack: boolean }
  | { ok: false; reason: "not-found" | "gone" | "not-on" };

/** With the full price back or with nothing, whatever the hour. A repeat refunds nothing. */
export async function removePlayer(db: Db, jobs: Jobs, removal: Removal): Promise<RemoveResult> {
  const { bookingId, actorId, withRefund, formKey, now } = removal;
  return db.transaction().execute(async (tx) => {
    const found = await lockSeat(tx, removal);
    if (!found) return { ok: false, reason: "not-found" };
    const { game, seat } = found;
    const { playerId, paymentStatus } = seat;
    if (!isLive(paymentStatus)) {
      return (await findRemoved(tx, removal)) ?? { ok: false, reason: "gone" };
    }
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    const back = refundOfRemoval(seat, withRefund);
    const { creditsBackCents: refundCents, isFreeSessionBack } = back;
    const notes = "The organiser took you off the list";
    const ended = { bookingId, userId: playerId, reason: "Removed", notes, now } as const;
    await endBooking(tx, { ...ended, ...back });
    const after = { paymentStatus: statusAfterRefund(refundCents), refundCents, isFreeSessionBack };
    const details = { gameId: game.id, playerId, before: { paymentStatus }, after, formKey };
    const action = "booking.remove";
    await recordAudit(tx, { actor: actorId, action, subject: bookingId, details });
    await jobs.enqueue(tx, "mail.removed-from-game", { bookingId, isFreeSessionBack });
    await queuePromotion(tx, jobs, game.id);
    return { ok: true, ...back };
  });
}

async function findRemoved(tx: Tx, { bookingId, formKey }: Removal): Promise<RemoveResult | null> {
  const entry = { action: "booking.remove", subject: bookingId, formKey };
  const [details] = await listAuditEntriesOfForm(tx, entry);
  const after = details?.after as { refundCents: number; isFreeSessionBack: boolean } | undefined;
  if (!after) return null;
  const { refundCents: creditsBackCents, isFreeSessionBack } = after;
  return { ok: true, creditsBackCents, isFreeSessionBack };
}
