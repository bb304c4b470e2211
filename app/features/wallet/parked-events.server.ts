import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db.server.ts";
import { isId } from "../../platform/ids.ts";
import type { StripeEvent } from "./apply-stripe-event.server.ts";
import { findSoldPack } from "./packs-sold.server.ts";
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
  return db.transaction().execute(async (tx) => {
    const events: ParkedEvent[] = [];
    for (const row of rows) {
      const { object_id: objectId, received_at: receivedAt, payload, ...event } = row;
      const reason = row.reason as ParkReason;
      const guess = await describe(tx, reason === "mode" ? null : readParked(payload));
      events.push({ ...event, ...guess, objectId, receivedAt, reason });
    }
    return events;
  });
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

async function describe(tx: Tx, news: StripeNews | null) {
  if (news?.kind !== "checkout" && news?.kind !== "invoice") {
    return { paid: null, playerEmail: null, packId: null, canAssign: false, needsPack: false };
  }
  const isInvoice = news.kind === "invoice";
  const sold = isInvoice ? { priceId: news.invoice.priceIds[0] ?? null } : news.session;
  const payer = isInvoice
    ? { customerId: news.invoice.customerId }
    : { userId: news.session.reference };
  const needsPack = isCreditable(news);
  return {
    paid: amountOf(news),
    playerEmail: await findEmail(tx, payer),
    packId: (await findSoldPack(tx, sold))?.id ?? null,
    canAssign: needsPack || isInvoice || news.session.isSubscription,
    needsPack,
  };
}

function amountOf(sale: Sale) {
  const { amountCents, currency } = sale.kind === "invoice" ? sale.invoice : sale.session;
  return { amountCents, currency };
}

async function findEmail(
  tx: Tx,
  { userId, customerId }: { userId?: string | null; customerId?: string },
): Promise<string | null> {
  const known = isId(userId) ? userId : null;
  const { rows } = await sql<{ email: string }>`
    select email from profiles where user_id = coalesce(${known}::uuid, (
      select user_id from stripe_customers where customer_id = ${customerId ?? null}
    ))`.execute(tx);
  return rows[0]?.email ?? null;
}
