import { sql } from "kysely";
import type { Facts } from "#app/platform/as-shown.ts";
import { type Db, inCents, type Tx, isOneOf } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { centsFromNumeric, numericFromCents } from "#app/platform/money.ts";
import { lockWallet } from "#app/features/wallet/ledger.server.ts";
import { lockGames } from "#app/features/games/locked-games.server.ts";
import { lockGame, type LockedGame } from "#app/features/games/games.server.ts";
import { gameChange } from "#app/features/games/shown-game.ts";
import { IS_REFUND_PENDING, isRefundPending } from "#app/features/seats/pending-refunds.server.ts";
import {
  CALLED_OFF_NOTE,
  cancelQuote,
  creditsBackCents,
  isCancellable,
  isInGrace,
  isInTime,
  isLive,
  lateRefundCents,
  LIVE,
  refundOfCancelledGame,
  soldTerms,
} from "#app/features/seats/rules.ts";
import { endEntries, listEntriesOf } from "#app/features/waitlist/entries.server.ts";
import { hasSpotForWaiting } from "#app/features/waitlist/promote-waiting.server.ts";
import { endBooking, endBookings, refundKey } from "#app/features/seats/end-booking.server.ts";
import { type QueuedNotice, queuePromotions } from "#app/features/games/after-change.server.ts";
import { changeGame } from "#app/features/games/change-game.server.ts";

interface Back {
  creditsBackCents: number;
  lateRefundCents: number;
  isFreeSessionBack: boolean;
  /** Somebody on the waitlist gets the spot next, by which a late refund comes back. */
  isWaitedFor?: boolean | undefined;
}

type CancelResult =
  | ({ ok: true } & Back)
  | {
      ok: false;
      reason: "not-found" | "already-cancelled" | "not-cancellable" | "changed";
      newFacts?: string;
    };

interface Cancellation {
  bookingId: string;
  playerId: string;
  reason?: string;
  formKey?: string | undefined;
  shown?: Facts;
  now: Date;
}

/** Refunds by the booking's own terms. "not-found" also for another player's booking. */
export async function cancelBooking(
  db: Db,
  jobs: Jobs,
  cancellation: Cancellation,
): Promise<CancelResult> {
  const gameId = await findGameId(db, cancellation);
  if (!gameId) return { ok: false, reason: "not-found" };
  return changeGame<CancelResult>(db, { gameId, jobs }, async (tx, game) => {
    const before = await findCancelled(tx, cancellation);
    if (before) return before;
    // Its own refund follows, which is the full price.
    const isCancelled = game.status === "Cancelled" && (await isRefundPending(tx, gameId));
    if (isCancelled) return "already-cancelled";
    const result = await cancelLocked(tx, game, cancellation);
    if (!result.ok) return result;
    const { bookingId } = cancellation;
    const { isFreeSessionBack, lateRefundCents: lateCents } = result;
    const delaySeconds = lateCents > 0 ? REFILL_SECONDS : 0;
    const emails = [{ bookingId, isFreeSessionBack }];
    const notices: QueuedNotice[] = [["booking-cancelled", emails, { delaySeconds }]];
    return { ...result, promote: [gameId], notices };
  });
}

/** Who waits gets a spot within seconds: the email of a late cancellation says so. */
const REFILL_SECONDS = 30;

// A booking never changes its game or its player, so this may be read before the lock.
async function findGameId(db: Db, { bookingId, playerId }: Cancellation): Promise<string | null> {
  if (!isId(bookingId)) return null;
  const booking = await db
    .selectFrom("bookings")
    .select("game_id")
    .where("id", "=", bookingId)
    .where("user_id", "=", playerId)
    .executeTakeFirst();
  return booking?.game_id ?? null;
}

async function findCancelled(
  tx: Tx,
  { bookingId, formKey }: Cancellation,
): Promise<CancelResult | null> {
  if (!formKey) return null;
  const booking = await tx
    .selectFrom("bookings")
    .select((eb) => [
      eb
        .selectFrom("wallet_transactions")
        .select("amount_eur")
        .where("business_key", "=", refundKey(bookingId))
        .as("refund"),
    ])
    // A free session that was given back is not used any more.
    .select(sql<boolean>`price_eur = 0 and cancelled_at <= free_cancel_until`.as("isFree"))
    .select(inCents("late_refund_eur").as("lateRefundCents"))
    .where("id", "=", bookingId)
    .where("cancel_form_key", "=", formKey)
    .executeTakeFirst();
  if (!booking) return null;
  const creditsBackCents = centsFromNumeric(booking.refund ?? "0.00");
  const { lateRefundCents, isFree } = booking;
  return { ok: true, creditsBackCents, lateRefundCents, isFreeSessionBack: isFree === true };
}

async function cancelLocked(
  tx: Tx,
  game: LockedGame,
  cancellation: Cancellation,
): Promise<CancelResult> {
  const { startsAt } = game;
  const { bookingId, shown, now } = cancellation;
  const row = await soldSeats(tx).where("id", "=", bookingId).executeTakeFirstOrThrow();
  const paymentStatus = row.payment_status;
  if (!isLive(paymentStatus)) return { ok: false, reason: "already-cancelled" };
  if (!isCancellable({ paymentStatus, startsAt }, now)) {
    return { ok: false, reason: "not-cancellable" };
  }
  const quote = cancelQuote(soldTerms(row), startsAt, now);
  const change = gameChange(shown, game, now, {
    refund: [quote, `What comes back has changed: ${quote}`],
  });
  if (change) return change;
  const { back, lateCents, columns } = ownEnd(row, startsAt, now);
  const { playerId: userId, reason: why, formKey = null } = cancellation;
  const form = { cancel_reason: why || null, cancel_form_key: formKey };
  const ended = { bookingId, userId, reason: "Left", ...back, notes: LEFT_NOTE, now } as const;
  await endBooking(tx, ended, { ...form, ...columns });
  const freed = lateCents > 0 && (await lockGame(tx, game.id));
  const isWaitedFor = freed && (await hasSpotForWaiting(tx, freed, now));
  return { ok: true, ...back, lateRefundCents: lateCents, isWaitedFor: isWaitedFor || undefined };
}

const LEFT_NOTE = "Cancelled a game";

const soldSeats = (tx: Tx) =>
  tx
    .selectFrom("bookings")
    .select(["id", "game_id", "payment_status", "price_eur", "refund_hours", "refund_fee_eur"])
    .select(["terms", "uses_free_session", "free_cancel_until"]);

type SoldSeat = Awaited<ReturnType<ReturnType<typeof soldSeats>["execute"]>>[number];

/** What comes back, and what the booking keeps of it, by its own terms. */
function ownEnd(seat: SoldSeat, startsAt: Date, now: Date) {
  const terms = soldTerms(seat);
  const lateCents = lateRefundCents(terms, startsAt, now);
  const isFreeSessionBack = seat.uses_free_session && isInGrace(terms, now);
  return {
    back: { creditsBackCents: creditsBackCents(terms, startsAt, now), isFreeSessionBack },
    lateCents,
    columns: {
      late_refund_eur: lateCents > 0 ? numericFromCents(lateCents) : null,
      cash_promised: isInTime(terms, startsAt, now),
    },
  };
}

interface Leaver {
  playerId: string;
  now: Date;
}

/** What a player leaves, under the locks of its games by id and then of the wallet: before any
 * booking, as a late refund locks them. */
export async function lockSeatsOf(tx: Tx, leaver: Leaver) {
  const seats = await listSeats(tx, leaver);
  const waits = await listEntriesOf(tx, leaver.playerId);
  const gameIds = [...new Set([...seats, ...waits].map((one) => one.gameId))];
  const games = new Map((await lockGames(tx, gameIds)).map((game) => [game.id, game]));
  return { seats, waits, games, wallet: await lockWallet(tx, leaver.playerId) };
}

export async function leaveGames(
  tx: Tx,
  jobs: Jobs,
  leaver: Leaver,
  { seats, waits, games }: Awaited<ReturnType<typeof lockSeatsOf>>,
): Promise<number> {
  const over = { status: "Lapsed", reason: "AccountDeleted", now: leaver.now } as const;
  await endEntries(
    tx,
    waits.map(({ entryId }) => entryId),
    over,
  );
  const left = await leaveEach(tx, games, leaver, seats);
  await queuePromotions(tx, jobs, [...games.keys()]);
  await deleteReasons(tx, leaver.playerId);
  return left;
}

/** Ends alike bookings by set; returns how many ended. */
async function leaveEach(
  tx: Tx,
  games: Map<string, LockedGame>,
  { playerId: userId, now }: Leaver,
  seats: { id: string }[],
): Promise<number> {
  if (seats.length === 0) return 0;
  const ids = seats.map(({ id }) => id);
  const pending = tx
    .selectFrom("games")
    .select("id")
    .where(isOneOf("id", [...games.keys()]));
  const off = new Set((await pending.where(IS_REFUND_PENDING).execute()).map(({ id }) => id));
  const live = soldSeats(tx).where(isOneOf("id", ids)).where("payment_status", "in", LIVE);
  const ends = (await live.orderBy("id").execute()).map((seat) => {
    const { back, ...alike } = off.has(seat.game_id)
      ? endOfCancelled(seat)
      : endOnLeaving(seat, games.get(seat.game_id)!, now);
    return { booking: { bookingId: seat.id, userId, ...back }, ...alike };
  });
  const isAlike = ({ reason, columns }: (typeof ends)[number]) => JSON.stringify([reason, columns]);
  for (const group of Map.groupBy(ends, isAlike).values()) {
    const { reason, notes, columns } = group[0]!;
    const bookings = group.map(({ booking }) => booking);
    await endBookings(tx, bookings, { reason, notes, now }, columns);
  }
  return ends.length;
}

/** The end of a booking whose game was cancelled with others: its refund is only a little early. */
function endOfCancelled(seat: SoldSeat) {
  const { payment_status: paymentStatus, uses_free_session: usesFreeSession } = seat;
  const priceCents = centsFromNumeric(seat.price_eur);
  const back = refundOfCancelledGame({ paymentStatus, priceCents, usesFreeSession });
  return { reason: "GameCancelled" as const, notes: CALLED_OFF_NOTE, back, columns: {} };
}

function endOnLeaving(seat: SoldSeat, game: LockedGame, now: Date) {
  const left = { reason: "Left" as const, notes: LEFT_NOTE };
  if (seat.payment_status === "Unpaid") return { ...left, back: {}, columns: {} };
  const { back, columns } = ownEnd(seat, game.startsAt, now);
  return { ...left, back, columns };
}

/** The player's own, and those of organisers: what was written about a person goes with it. */
async function deleteReasons(tx: Tx, playerId: string): Promise<void> {
  const cancelled = tx.updateTable("bookings").set({ cancel_reason: null });
  await cancelled.where("user_id", "=", playerId).where("cancel_reason", "is not", null).execute();
  const excused = tx.updateTable("bookings").set({ no_show_excuse: null });
  await excused.where("user_id", "=", playerId).where("no_show_excuse", "is not", null).execute();
  const promoted = tx.updateTable("waitlist_entries").set({ promote_reason: null });
  await promoted.where("user_id", "=", playerId).where("promote_reason", "is not", null).execute();
}

/** Whether a seat, or a place on a list, is held; under the wallet's lock no join is under way. */
export async function holdsSeats(tx: Tx, leaver: Leaver): Promise<boolean> {
  const held = [...(await listSeats(tx, leaver)), ...(await listEntriesOf(tx, leaver.playerId))];
  return held.length > 0;
}

export function listSeats(db: Db, { playerId, now }: Leaver) {
  return db
    .selectFrom("bookings")
    .innerJoin("games", "games.id", "bookings.game_id")
    .select(["bookings.id", "bookings.game_id as gameId"])
    .where("user_id", "=", playerId)
    .where("payment_status", "in", LIVE)
    .where("games.starts_at", ">", now)
    .orderBy("game_id")
    .execute();
}
