import { sql } from "kysely";
import { type Db, inCents, type Tx, isOneOf } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { centsFromNumeric, numericFromCents } from "#app/platform/money.ts";
import type { CashMethod, CashUndoing } from "#app/platform/schema.ts";
import type { Cash } from "#app/features/bookings/cash-texts.ts";
import { changeSeat, type SeatKey } from "./roster.server.ts";
import { isLive } from "#app/features/seats/rules.ts";
import { takesPlace } from "./rules.ts";

interface Payment extends SeatKey, Cash {
  /** The form's: sent twice, it is one payment. */
  cashPaymentId: string;
  actorId: string;
  now: Date;
}

type PaymentResult =
  | { ok: true }
  /** "noted-before": this form's payment was taken back since, and the seat is unpaid. */
  | { ok: false; reason: "not-found" | "gone" | "not-on" | "form-used" | "noted-before" }
  | { ok: false; reason: "paid-already"; cash: Cash | null };

/** Notes what a player has paid by hand. Credits never taken are never given back: the price is 0. */
export async function markPaid(db: Db, payment: Payment): Promise<PaymentResult> {
  const { bookingId, cashPaymentId: id } = payment;
  if (!isId(id)) return { ok: false, reason: "form-used" };
  const change = { ...payment, action: PAID };
  return changeSeat<PaymentResult>(db, change, async (tx, { game, seat }) => {
    const used = await findPayment(tx, id);
    if (used && !isSame(used, payment)) return "form-used";
    if (used && !used.undone_kind) return { ok: true };
    if (!takesPlace(game)) return "not-on";
    if (!isLive(seat.paymentStatus)) return "gone";
    if (seat.paymentStatus === "Paid") {
      return { ok: false, reason: "paid-already", cash: await findLiveCash(tx, bookingId) };
    }
    if (used) return "noted-before";
    const { playerId, priceCents } = seat;
    return { ok: true, event: await notePayment(tx, { ...payment, playerId, priceCents }) };
  });
}

const PAID = "booking.mark-paid" as const;

/** Expects an Unpaid booking, under its game's lock. */
export async function notePayment(
  tx: Tx,
  payment: Payment & { playerId: string; priceCents: number },
) {
  const { gameId, bookingId, playerId, actorId, method, cashPaymentId: id, now } = payment;
  const amount_eur = numericFromCents(payment.amountCents);
  const noted = { amount_eur, method, noted_by: actorId, noted_at: now };
  await tx
    .insertInto("cash_payments")
    .values({ id, booking_id: bookingId, ...noted })
    .execute();
  const paid = { payment_status: "Paid", price_eur: "0.00" } as const;
  const columns = { ...paid, not_collected_at: null };
  await tx.updateTable("bookings").set(columns).where("id", "=", bookingId).execute();
  const before = { payment_status: "Unpaid", price_eur: numericFromCents(payment.priceCents) };
  const after = { ...paid, amount_eur, method };
  const details = { gameId, playerId, before, after, formKey: id };
  return { action: PAID, subject: bookingId, details };
}

interface Undoing extends SeatKey {
  cashPaymentId: string;
  kind: CashUndoing;
  actorId: string;
  now: Date;
}

type UndoResult =
  /** `isIn`: the booking is live, and so Unpaid again. */
  { ok: true; isIn: boolean } | { ok: false; reason: "not-found" | "still-in" | Undone };

export type Undone = "given-back" | "never-paid";
export const UNDONE: Record<CashUndoing, Undone> = {
  GivenBack: "given-back",
  Mistake: "never-paid",
};

/** A mistake was never paid: a live booking is Unpaid again. Money is only given back to a player
 * who is no longer in. The payment's id keeps a repeat from undoing another payment. */
export function undoPayment(db: Db, undoing: Undoing): Promise<UndoResult> {
  const { gameId, bookingId, cashPaymentId: id, kind, actorId, now } = undoing;
  const change = { ...undoing, action: "booking.mark-unpaid" } as const;
  return changeSeat<UndoResult>(db, change, async (tx, { seat }) => {
    const payment = await findPaymentOf(tx, undoing);
    if (!payment) return "not-found";
    const { playerId, paymentStatus } = seat;
    const isIn = isLive(paymentStatus);
    if (payment.undone_kind === kind) return { ok: true, isIn };
    if (payment.undone_kind) return UNDONE[payment.undone_kind];
    if (isIn && kind === "GivenBack") return "still-in";
    const undone = { undone_kind: kind, undone_by: actorId, undone_at: now, kept_at: null };
    await tx.updateTable("cash_payments").set(undone).where("id", "=", id).execute();
    const { amount_eur, method } = payment;
    const before = { payment_status: paymentStatus, amount_eur, method };
    const after = { payment_status: isIn ? ("Unpaid" as const) : paymentStatus };
    if (isIn) await tx.updateTable("bookings").set(after).where("id", "=", bookingId).execute();
    const details = { gameId, playerId, before, after };
    return { ok: true, isIn, event: isIn ? { details } : { action: ENDED[kind], details } };
  });
}

/** How it is recorded of a player who is no longer in. */
const ENDED = { Mistake: "booking.cash-mistake", GivenBack: "booking.cash-back" } as const;

/** What each booking of a game holds in cash; not what was undone. */
export async function listLiveCash(db: Db, gameId: string) {
  const rows = await db
    .selectFrom("cash_payments")
    .innerJoin("bookings", "bookings.id", "booking_id")
    .select(["cash_payments.id as cashPaymentId", "booking_id as bookingId", "method"])
    .select(inCents("amount_eur").as("amountCents"))
    .select(sql<boolean>`kept_at is not null`.as("isKept"))
    .where("game_id", "=", gameId)
    .where("undone_at", "is", null)
    .execute();
  return new Map(rows.map(({ bookingId, ...cash }) => [bookingId, cash]));
}

/** Lists what was paid by hand and what became of it; not what was noted by mistake. */
export async function listCashOf(db: Db, bookingIds: string[]) {
  if (bookingIds.length === 0) return [];
  return db
    .selectFrom("cash_payments")
    .select(["booking_id as bookingId", "method", inCents("amount_eur").as("amountCents")])
    .select(sql<boolean>`undone_kind is not null`.as("isGivenBack"))
    .select(sql<boolean>`kept_at is not null`.as("isKept"))
    .select("booking_ended as isDue")
    .where(isOneOf("booking_id", bookingIds))
    .where("amount_eur", ">", "0")
    .where(sql<boolean>`undone_kind is distinct from 'Mistake'`)
    .orderBy("noted_at")
    .execute();
}
export type CashOf = Awaited<ReturnType<typeof listCashOf>>[number];

export async function findPaymentOf(
  tx: Tx,
  { bookingId, cashPaymentId: id }: { bookingId: string; cashPaymentId: string },
) {
  const payment = isId(id) ? await findPayment(tx, id) : null;
  return payment?.booking_id === bookingId ? payment : null;
}

const findPayment = (tx: Tx, id: string) =>
  tx.selectFrom("cash_payments").selectAll().where("id", "=", id).executeTakeFirst();

function isSame(
  stored: { booking_id: string; amount_eur: string; method: CashMethod },
  { bookingId, amountCents, method }: Payment,
): boolean {
  const isSameAmount = centsFromNumeric(stored.amount_eur) === amountCents;
  return stored.booking_id === bookingId && isSameAmount && stored.method === method;
}

export async function findLiveCash(db: Db, bookingId: string): Promise<Cash | null> {
  const live = db
    .selectFrom("cash_payments")
    .select([inCents("amount_eur").as("amountCents"), "method"])
    .where("booking_id", "=", bookingId)
    .where("undone_at", "is", null);
  return (await live.executeTakeFirst()) ?? null;
}
