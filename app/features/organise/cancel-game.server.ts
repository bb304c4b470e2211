import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { QueuedNotice } from "#app/features/games/after-change.server.ts";
import { changeGame } from "#app/features/games/change-game.server.ts";
import { closeGames } from "#app/features/games/locked-games.server.ts";
import type { LockedGame } from "#app/features/games/games.server.ts";
import { isOpen } from "#app/features/games/rules.ts";
import { lockWallets } from "#app/features/wallet/ledger.server.ts";
import { quietSeconds } from "#app/features/notifications/rules.ts";
import { keepMessage } from "./message-players.server.ts";
import { describePendingCash } from "#app/features/bookings/pending-cash.server.ts";
import { CALLED_OFF_NOTE, refundOfCancelledGame } from "#app/features/seats/rules.ts";
import { endWaitlist } from "#app/features/waitlist/entries.server.ts";
import { endBookings, refundLate } from "#app/features/seats/end-booking.server.ts";
import { liveBookings } from "#app/features/seats/seats.server.ts";
import { IS_LIVE } from "#app/features/games/held-spots.server.ts";

interface Cancellation {
  gameId: string;
  actor?: string;
  message?: string | null;
  formKey?: string | undefined;
  /** Whether an open game is as the organiser saw it, asked under its lock. */
  isAsShown?: (tx: Tx) => Promise<boolean>;
  now: Date;
}

type CancelGameResult =
  | { ok: true; players: number }
  /** "closed": cancelled or completed before; "played": see `IS_PLAYED`. */
  | { ok: false; reason: "not-found" | "changed" | "closed" | "played" };

/** Ends all live bookings, paid ones with a full refund. A repeated form gets the first result. */
export function cancelGame(
  db: Db,
  jobs: Jobs,
  { actor: actorId = "command", isAsShown, ...form }: Cancellation,
): Promise<CancelGameResult> {
  const { gameId, formKey } = form;
  const change = { gameId, actorId, formKey, action: "game.cancel", jobs } as const;
  return changeGame<CancelGameResult>(db, change, async (tx, game, { earlier: [cancelled] }) => {
    if (cancelled) return cancelledBefore(cancelled);
    if (await isPlayed(tx, gameId)) return "played";
    if (isAsShown && !(await isAsShown(tx))) return "changed";
    if (!isOpen(game)) return "closed";
    return callOff(tx, jobs, game, { ...form, actorId });
  });
}

function cancelledBefore({ after }: Record<string, unknown>) {
  const { bookingsCalledOff: players } = after as { bookingsCalledOff: number };
  return { ok: true, players } as const;
}

/** SQL for `games`: a result or a check-in counts in statistics, so it cannot be cancelled. */
export const IS_PLAYED = sql<boolean>`(
  exists (select from game_results where game_id = games.id)
  or exists (select from bookings where game_id = games.id and attendance = 'CheckedIn'
    and ${IS_LIVE}))`;

export async function isPlayed(db: Db, gameId: string): Promise<boolean> {
  const game = db.selectFrom("games").select("id").where("id", "=", gameId).where(IS_PLAYED);
  return (await game.executeTakeFirst()) !== undefined;
}

interface CallOff extends Omit<Cancellation, "actor" | "isAsShown"> {
  actorId: string;
}

/** Under the lock of a game that is open: cancels it. `why` is recorded too. */
export async function callOff(
  tx: Tx,
  jobs: Jobs,
  game: LockedGame,
  { why, ...form }: CallOff & { why?: Record<string, unknown> },
) {
  await closeGames(tx, [game]);
  const { players, sent, notices } = await endCancelledGame(tx, jobs, game, form);
  const after = { status: "Cancelled", bookingsCalledOff: players };
  const event = [...sent, { details: { before: { status: game.status }, after, ...why } }];
  return { ok: true, players, event, notices } as const;
}

/** Under the lock of a game that is cancelled: ends its bookings and its list. A repeat finds nothing
 * to end. `sent` is the event of its message. */
export async function endCancelledGame(
  tx: Tx,
  jobs: Jobs,
  game: LockedGame,
  { gameId, actorId, formKey, message, now }: CallOff,
) {
  const bookings = await listLiveBookings(tx, gameId);
  const late = await listLateCancellations(tx, gameId);
  const wallets = [...bookings, ...late].map(({ userId }) => userId);
  // The author of the message, whose profile it locks.
  if (message && isId(actorId)) wallets.push(actorId);
  if (wallets.length > 0) await lockWallets(tx, wallets);
  const notes = CALLED_OFF_NOTE;
  const ended = bookings.map((seat) => ({ ...seat, ...refundOfCancelledGame(seat) }));
  await endBookings(tx, ended, { reason: "GameCancelled", notes, now });
  await refundLate(tx, late, { notes, now });
  const owed = await promiseCash(tx, gameId);
  await endWaitlist(tx, jobs, { gameId, reason: "GameCancelled", now });
  const sent = await keepReason(tx, { gameId, actorId, message, formKey, now }, bookings.length);
  const messageId = sent?.details.messageId;
  const mails = ended.map(({ bookingId, isFreeSessionBack }) => {
    return { bookingId, isFreeSessionBack, ...(messageId && { messageId }) };
  });
  const pushes = bookings.map(({ bookingId: subjectId, userId }) => {
    return { userId, subjectId, version: "cancelled" };
  });
  const lateMails = [...late.map((one) => one.bookingId), ...owed];
  // At night a push message waits, an email does not.
  const notices: QueuedNotice[] = [
    ["game-cancelled", mails],
    ["late-refund", lateMails.map((bookingId) => ({ bookingId }))],
    ["game-cancelled", [], { pushes, delaySeconds: quietSeconds(now, [game]) }],
  ];
  const backCents = [
    ...ended.map(({ creditsBackCents }) => creditsBackCents),
    ...late.map(({ amountCents }) => amountCents),
  ];
  const creditsCents = backCents.reduce((sum, cents) => sum + cents, 0);
  return { players: bookings.length, creditsCents, sent: sent ? [sent] : [], notices };
}

/** Stores it as a message to the players, also in the chat; null without a message or players. */
async function keepReason(tx: Tx, { message, ...reason }: CallOff, players: number) {
  if (!message || players === 0) return null;
  const sent = { messageId: randomUUID(), ...reason, subject: CALLED_OFF_SUBJECT, message };
  return keepMessage(tx, sent, players);
}

const CALLED_OFF_SUBJECT = "Game cancelled";

/** A game that does not happen is free, also for those who gave up their spot late. */
function listLateCancellations(tx: Tx, gameId: string) {
  return tx
    .selectFrom("bookings")
    .select(["id as bookingId", "user_id as userId", inCents("price_eur").as("amountCents")])
    .where("game_id", "=", gameId)
    .where("payment_status", "=", "Cancelled")
    .where("late_refund_eur", "is not", null)
    .execute();
}

/** The same for what they paid by hand. Returns the bookings with something to give back. */
async function promiseCash(tx: Tx, gameId: string): Promise<string[]> {
  const bookings = tx.updateTable("bookings").set({ cash_promised: true });
  const unpromised = bookings.where("game_id", "=", gameId).where("cash_promised", "=", false);
  const promised = await unpromised.returning("id").execute();
  const due = await describePendingCash(tx, { bookingIds: promised.map(({ id }) => id) });
  return [...due.keys()];
}

function listLiveBookings(tx: Tx, gameId: string) {
  return liveBookings(tx, gameId)
    .select(["id as bookingId", "user_id as userId", "payment_status as paymentStatus"])
    .select([inCents("price_eur").as("priceCents"), "uses_free_session as usesFreeSession"])
    .execute();
}

export async function sumRefundsOf(
  db: Db,
  { gameId, playerId }: Record<"gameId" | "playerId", string>,
) {
  const { cents } = await db
    .selectFrom("bookings")
    .innerJoin("wallet_transactions as entry", "entry.booking_id", "bookings.id")
    .select(inCents(sql`coalesce(sum(entry.amount_eur), 0)`).as("cents"))
    .where("bookings.game_id", "=", gameId)
    .where("bookings.user_id", "=", playerId)
    .where("entry.type", "=", "refund")
    .where("entry.notes", "=", CALLED_OFF_NOTE)
    .executeTakeFirstOrThrow();
  return cents;
}

export async function sumRefundsOfGame(db: Db, gameId: string) {
  return db
    .selectFrom("bookings")
    .innerJoin("wallet_transactions as entry", "entry.booking_id", "bookings.id")
    .select(({ fn }) => fn.countAll<number>().as("players"))
    .select(inCents(sql`sum(entry.amount_eur)`).as("cents"))
    .where("bookings.game_id", "=", gameId)
    .where("entry.type", "=", "refund")
    .where("entry.notes", "=", CALLED_OFF_NOTE)
    .executeTakeFirstOrThrow();
}
