import { sql } from "kysely";
import { decideToPlay, type PlayAnyway } from "#app/features/games/decisions.server.ts";
import { enqueuePushes } from "#app/features/notifications/notify.server.ts";
import { quietSeconds } from "#app/features/notifications/rules.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { LIVE, WAIVED_COLUMNS } from "#app/features/seats/rules.ts";
import { PLAYED_ANYWAY } from "#app/features/bookings/booking-facts.server.ts";

type PlayAnywayResult =
  | { ok: true; notified: number }
  | { ok: false; reason: "not-found" | "not-published" | "started" | "no-minimum" | "changed" };

/** Whatever the number of players. With too few, those who are in may leave for the full price
 * until the decision, for they joined a game that would have been called off. */
export async function playAnyway(db: Db, jobs: Jobs, wish: PlayAnyway): Promise<PlayAnywayResult> {
  if (!isId(wish.gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const decided = await decideToPlay(tx, wish);
    if (!decided.ok) return decided;
    const { game, isNew } = decided;
    const hadEnough = game.joinedCount >= (game.plan.minPlayers ?? 0);
    if (!isNew || hadEnough || !game.decidesAt) return { ok: true, notified: 0 };
    return { ok: true, notified: await letLeave(tx, jobs, { ...game, ...wish }) };
  });
}

interface Letting {
  gameId: string;
  startsAt: Date;
  endsAt: Date;
  decidesAt: Date | null;
  version: number;
  now: Date;
}

async function letLeave(tx: Tx, jobs: Jobs, letting: Letting): Promise<number> {
  const { gameId, decidesAt, version, now } = letting;
  const isWaived = sql`(refund_hours, refund_fee_eur) =
    (${WAIVED_COLUMNS.refund_hours}, ${WAIVED_COLUMNS.refund_fee_eur}::numeric)`;
  const bookings = await tx
    .updateTable("bookings")
    // A booking that is free to cancel until kick-off stays so.
    .set({
      free_cancel_until: sql<Date | null>`case when ${isWaived} then free_cancel_until
        else greatest(free_cancel_until, ${decidesAt}::timestamptz) end`,
    })
    .where("game_id", "=", gameId)
    .where("payment_status", "in", LIVE)
    .returning(["id", "user_id as userId"])
    .execute();
  const delaySeconds = quietSeconds(now, [letting]);
  const mails = bookings.map(({ id: bookingId }) => ({ bookingId, version }));
  await jobs.enqueueAll(tx, "mail.played-anyway", mails, { delaySeconds });
  const notices = bookings.map(({ id, userId }) => ({
    ...{ userId, subjectId: id },
    version: `${PLAYED_ANYWAY}${version}`,
  }));
  await enqueuePushes(tx, jobs, "game-changed", notices, { delaySeconds });
  return bookings.length;
}
