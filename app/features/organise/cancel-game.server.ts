import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { listAuditEntriesOfForm, recordAudit } from "#app/platform/audit.server.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { lockActor } from "#app/features/accounts/accounts.server.ts";
import { setCancelled } from "#app/features/games/locked-games.server.ts";
import { lockGame, type LockedGame } from "#app/features/games/games.server.ts";
import { lockWallets } from "#app/features/wallet/ledger.server.ts";
import { enqueuePushes } from "#app/features/notifications/notify.server.ts";
import { quietSeconds } from "#app/features/notifications/rules.ts";
import { keepMessage } from "./message-players.server.ts";
import { describeCashDue } from "#app/features/bookings/money-due.server.ts";
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
  /** "closed": unknown, or cancelled or completed before; "played": see `IS_PLAYED`. */
  | { ok: false; reason: "changed" | "closed" | "played" };

/** Ends all live bookings, paid ones with a full refund. A repeated form gets the first result. */
export async function cancelGame(
  db: Db,
  jobs: Jobs,
  { gameId, actor = "command", formKey, isAsShown, ...cancellation }: Cancellation,
): Promise<CancelGameResult> {
  if (!isId(gameId)) return { ok: false, reason: "closed" };
  return db.transaction().execute(async (tx) => {
    await lockActor(tx, actor);
    await lockGame(tx, gameId);
    const cancelled = await findCancelled(tx, { gameId, formKey });
    if (cancelled !== null) return { ok: true, players: cancelled };
    if (await isPlayed(tx, gameId)) return { ok: false, reason: "played" };
    if (isAsShown && !(await isAsShown(tx))) return { ok: false, reason: "changed" };
    const options = { gameId, actor, formKey, ...cancellation };
    const players = await cancelOnTransaction(tx, jobs, options);
    return players === null ? { ok: false, reason: "closed" } : { ok: true, players };
  });
}

/** Of `games`: a result or a check-in counts in players' statistics, so it cannot be cancelled. */
export const IS_PLAYED = sql<boolean>`(
  exists (select from game_results where game_id = games.id)
  or exists (select from bookings where game_id = games.id and attendance = 'CheckedIn'
    and ${IS_LIVE}))`;

export async function isPlayed(db: Db, gameId: string): Promise<boolean> {
  const game = db.selectFrom("games").select("id").where("id", "=", gameId).where(IS_PLAYED);
  return (await game.executeTakeFirst()) !== undefined;
}

interface CancelOptions extends Cancellation {
  actor: string;
  facts?: Record<string, unknown>;
}

/** How many bookings it ended; null where the game is not open. */
export async function cancelOnTransaction(
  tx: Tx,
  jobs: Jobs,
  options: CancelOptions,
): Promise<number | null> {
  const { gameId, actor, formKey, facts } = options;
  const before = await setCancelled(tx, gameId);
  if (!before) return null;
  const { players } = await endCancelledGame(tx, jobs, before, options);
  const after = { status: "Cancelled", bookingsCalledOff: players };
  const details = { before: { status: before.status }, after, formKey, ...facts };
  await recordAudit(tx, { actor, action: "game.cancel", subject: gameId, details });
  return players;
}

/** Under the lock of a game that is cancelled: ends its bookings and its list, and notifies. A repeat
 * finds nothing to end. */
export async function endCancelledGame(
  tx: Tx,
  jobs: Jobs,
  game: LockedGame,
  { gameId, actor, formKey, message, now }: CancelOptions,
): Promise<{ players: number; creditsCents: number }> {
  const bookings = await listLiveBookings(tx, gameId);
  const late = await listLateCancellations(tx, gameId);
  const wallets = [...bookings, ...late].map(({ userId }) => userId);
  // The author of the message, whose profile it locks.
  if (message && isId(actor)) wallets.push(actor);
  if (wallets.length > 0) await lockWallets(tx, wallets);
  const notes = CALLED_OFF_NOTE;
  const ended = bookings.map((seat) => ({ ...seat, ...refundOfCancelledGame(seat) }));
  await endBookings(tx, ended, { reason: "GameCancelled", notes, now });
  await refundLate(tx, late, { notes, now });
  const owed = await promiseCash(tx, gameId);
  await endWaitlist(tx, jobs, { gameId, reason: "GameCancelled", now });
  const sent = { gameId, actorId: actor, message, formKey, now };
  const messageId = await sendReason(tx, sent, bookings.length);
  const mails = ended.map(({ bookingId, isFreeSessionBack }) => {
    return { bookingId, isFreeSessionBack, ...(messageId && { messageId }) };
  });
  await jobs.enqueueEmails(tx, "game-cancelled", mails);
  const lateMails = [...late.map((one) => one.bookingId), ...owed];
  await jobs.enqueueEmails(
    tx,
    "late-refund",
    lateMails.map((bookingId) => ({ bookingId })),
  );
  const notices = bookings.map(({ bookingId, userId }) => ({
    ...{ userId, subjectId: bookingId },
    version: "cancelled",
  }));
  const delaySeconds = quietSeconds(now, [game]);
  await enqueuePushes(tx, jobs, "game-cancelled", notices, { delaySeconds });
  const backCents = [
    ...ended.map(({ creditsBackCents }) => creditsBackCents),
    ...late.map(({ amountCents }) => amountCents),
  ];
  const creditsCents = backCents.reduce((sum, cents) => sum + cents, 0);
  return { players: bookings.length, creditsCents };
}

type Reason = Required<Pick<CancelOptions, "gameId" | "now">> &
  Pick<CancelOptions, "formKey" | "message"> & { actorId: string };

/** The id of the message to the players, also in the chat; null without a message or players. */
async function sendReason(tx: Tx, { message, ...reason }: Reason, players: number) {
  if (!message || players === 0) return null;
  const messageId = randomUUID();
  const sent = { messageId, ...reason, subject: CALLED_OFF_SUBJECT, message };
  const event = await keepMessage(tx, sent, players);
  if (event) await recordAudit(tx, { actor: reason.actorId, ...event });
  return messageId;
}

const CALLED_OFF_SUBJECT = "Game cancelled";

async function findCancelled(tx: Tx, { gameId, formKey }: Omit<Cancellation, "now">) {
  const entry = { action: "game.cancel" as const, subject: gameId, formKey };
  const [details] = await listAuditEntriesOfForm(tx, entry);
  const after = details?.after as { bookingsCalledOff: number } | undefined;
  return after?.bookingsCalledOff ?? null;
}

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
  const due = await describeCashDue(tx, { bookingIds: promised.map(({ id }) => id) });
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
