import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Attendance } from "#app/platform/schema.ts";
import { lockSeat, type SeatKey } from "./lock-seat.server.ts";
import { canMark, takesPlace } from "./sheet-rules.ts";

interface Mark extends SeatKey {
  actorId: string;
  /** What the organiser saw before the tap. */
  from: Attendance | null;
  to: Attendance | null;
  now: Date;
}

export type MarkAnswer =
  | { ok: true }
  | { ok: false; reason: "not-found" | "gone" | "not-on" | "too-early" }
  /** Another organiser was faster, and has marked something else. */
  | { ok: false; reason: "changed"; current: Attendance | null };

/**
 * Marks a player as there, as a no-show, or as neither. Repeating it changes nothing; of two who
 * mark differently the second is told. Recorded with the deed.
 */
export async function markAttendance(db: Db, mark: Mark): Promise<MarkAnswer> {
  const { bookingId, from, to, now } = mark;
  return db.transaction().execute(async (tx) => {
    const found = await lockSeat(tx, mark);
    if (!found) return { ok: false, reason: "not-found" };
    const { game, seat } = found;
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    if (!seat.isLive) return { ok: false, reason: "gone" };
    if (seat.attendance === to) return { ok: true };
    if (!canMark(game, now)) return { ok: false, reason: "too-early" };
    if (seat.attendance !== from) {
      return { ok: false, reason: "changed", current: seat.attendance };
    }
    await tx.updateTable("bookings").set({ attendance: to }).where("id", "=", bookingId).execute();
    const details = {
      gameId: game.id,
      playerId: seat.playerId,
      before: { attendance: from },
      after: { attendance: to },
    };
    const action = "booking.attendance";
    await recordDeed(tx, { actor: mark.actorId, action, subject: bookingId, details });
    return { ok: true };
  });
}
