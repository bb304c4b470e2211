import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { StripeEvent } from "./apply-stripe-event.server.ts";
import { listSoldPacks } from "./packs.server.ts";
import type { ParkReason } from "./stripe-effect.ts";
import { readStripeEvent, type StripeNews } from "./stripe-event.ts";

export interface ParkedEvent {
  id: string;
  type: string;
  objectId: string;
  receivedAt: Date;
  reason: ParkReason;
  /** What was paid; null where the event is about something else. */
  paid: { amountCents: number; currency: string } | null;
  /** Whom and what it is most likely for, as far as the event says; an admin decides. */
  playerEmail: string | null;
  packId: string | null;
  /** Whether an admin can say whose it is: a payment, or a subscription's beginning. */
  canAssign: boolean;
  /** Whether credits are given with that, so that a pack has to be chosen. */
  needsPack: boolean;
}

/** What could not be matched, the oldest first; at most `limit`. */
export async function listParkedEvents(db: Db, limit: number): Promise<ParkedEvent[]> {
  const rows = await db
    .selectFrom("stripe_events")
    .select(["id", "type", "object_id", "received_at", "reason", "payload"])
    .where("status", "=", "parked")
    .orderBy("received_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  const parked = rows.map(({ object_id: objectId, received_at: receivedAt, payload, ...row }) => {
    const reason = row.reason as ParkReason;
    const sale = reason === "mode" ? null : readSale(payload);
    return { event: { ...row, objectId, receivedAt, reason }, sale };
  });
  const sales = parked.flatMap(({ sale }) => sale ?? []);
  const [emails, packIds] = await Promise.all([listEmails(db, sales), listPackIds(db, sales)]);
  return parked.map(({ event, sale }) => ({
    ...event,
    ...describe(sale),
    playerEmail: (sale && emails.get(payerOf(sale))) ?? null,
    packId: (sale && packIds.get(soldBy(sale))) ?? null,
  }));
}

/** What a parked event means; null where it cannot be read. */
export function readParked(payload: unknown): StripeNews | null {
  try {
    return readStripeEvent(payload as StripeEvent);
  } catch {
    return null;
  }
}

export type Sale = Extract<StripeNews, { kind: "checkout" | "invoice" }>;

/**
 * Whether credits can be given for it: not for a subscription's checkout, which only says whose its
 * invoices are, nor for what cost nothing or was paid in another currency.
 */
export function isCreditable(sale: Sale): boolean {
  if (sale.kind === "checkout" && sale.session.isSubscription) return false;
  const { amountCents, currency } = amountOf(sale);
  return amountCents > 0 && currency.toLowerCase() === "eur";
}

function readSale(payload: unknown): Sale | null {
  const news = readParked(payload);
  return news?.kind === "checkout" || news?.kind === "invoice" ? news : null;
}

function describe(sale: Sale | null) {
  if (!sale) return { paid: null, canAssign: false, needsPack: false };
  const needsPack = isCreditable(sale);
  const canAssign = needsPack || sale.kind === "invoice" || sale.session.isSubscription;
  return { paid: amountOf(sale), canAssign, needsPack };
}

function amountOf(sale: Sale) {
  const { amountCents, currency } = sale.kind === "invoice" ? sale.invoice : sale.session;
  return { amountCents, currency };
}

/** The Stripe customer or the player's id that it names; empty where it names neither. */
function payerOf(sale: Sale): string {
  if (sale.kind === "invoice") return sale.invoice.customerId;
  const { reference } = sale.session;
  return isId(reference) ? reference.toLowerCase() : "";
}

/** The price or the payment link that it was sold by; empty where it names none. */
function soldBy(sale: Sale): string {
  return (sale.kind === "invoice" ? sale.invoice.priceIds[0] : sale.session.paymentLinkId) ?? "";
}

async function listEmails(db: Db, sales: Sale[]): Promise<Map<string, string>> {
  const payers = sales.map(payerOf);
  const { rows } = await sql<{ payer: string; email: string }>`
    select user_id::text as payer, email from profiles
    where user_id = any(${payers.filter(isId)}::uuid[])
    union all
    select customer_id, email from stripe_customers join profiles using (user_id)
    where customer_id = any(${payers}::text[])`.execute(db);
  return new Map(rows.map(({ payer, email }) => [payer, email]));
}

async function listPackIds(db: Db, sales: Sale[]): Promise<Map<string | null, string>> {
  const ids = sales.map(soldBy);
  const packs = await listSoldPacks(db, { priceIds: ids, paymentLinkIds: ids });
  return new Map(
    packs.flatMap(({ id, priceId, paymentLinkId }) => [
      [priceId, id],
      [paymentLinkId, id],
    ]),
  );
}
