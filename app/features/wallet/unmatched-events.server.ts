import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import {
  type StripeEvent,
  applyWaiting,
  lockPayments,
  tryEvent,
} from "./apply-stripe-event.server.ts";
import { listSoldPacks, findPack, type Pack } from "./packs.server.ts";
import { type ParkReason, readStripeEvent, type StripeNews } from "./stripe-event.ts";
import { listAuditOfForm, recordDeed } from "#app/platform/audit.server.ts";
import { findPlayerByAddress } from "#app/features/players/player-by-address.server.ts";
import { monthOf, noteCustomer, grantPayment, noteReferences } from "./payments.server.ts";

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

export type Resolution =
  /** Tries again, after what was missing has been put right. */
  | { kind: "retry" }
  /** Says whose it is, and which pack was paid for. */
  | { kind: "assign"; email: string; packId: string | null }
  /** Puts it aside: it was dealt with elsewhere, such as refunded at Stripe. */
  | { kind: "dismiss" };

export type ResolutionAnswer =
  /** Whether credits were given just now: not where the payment had its credits already. */
  | { ok: true; isGranted: boolean; playerId: string | null }
  | {
      ok: false;
      reason:
        | "not-parked"
        | "still-parked"
        | "no-player"
        | "no-pack"
        | "another-player"
        | "not-assignable";
    };

interface Deed {
  eventId: string;
  adminId: string;
  resolution: Resolution;
  /** Of the form: one that arrives twice is answered as at first. */
  formKey?: string | undefined;
  isLive: boolean;
  now: Date;
}

/**
 * Settles a parked event, and records by whom and how. Assigned credits are granted under the key
 * of what was paid, so that nothing that Stripe sends later grants them again. A refusal changes
 * nothing but the reason of an event that still cannot be applied.
 */
export async function resolveParkedEvent(db: Db, deed: Deed): Promise<ResolutionAnswer> {
  return db.transaction().execute(async (tx) => {
    await lockPayments(tx);
    const event = await findParked(tx, deed.eventId);
    if (!event) return (await findResolved(tx, deed)) ?? refused("not-parked");
    const answer = await settle(tx, event, deed);
    if (!answer.ok) return answer;
    const { adminId: actor, eventId: subject, resolution, formKey } = deed;
    // The player's id and not the address, for the log outlives the account.
    const { playerId, isGranted } = answer;
    const details = { type: event.type, resolution: resolution.kind, playerId, isGranted, formKey };
    await recordDeed(tx, { actor, action: "payment.resolve", subject, details });
    return answer;
  });
}

/** What the same form was answered before; null where it has not settled this event. */
async function findResolved(
  tx: Tx,
  { eventId: subject, resolution, formKey }: Deed,
): Promise<ResolutionAnswer | null> {
  const [details] = await listAuditOfForm(tx, { action: "payment.resolve", subject, formKey });
  if (details?.resolution !== resolution.kind) return null;
  const { isGranted, playerId } = details as { isGranted: boolean; playerId: string | null };
  const isAssigned = resolution.kind === "assign";
  // A form that is gone back to may name somebody else.
  if (isAssigned && (await findPlayerByAddress(tx, resolution.email)) !== playerId) return null;
  return { ok: true, isGranted, playerId };
}

const DONE = { ok: true, isGranted: false, playerId: null } as const;

async function settle(tx: Tx, event: StripeEvent, deed: Deed): Promise<ResolutionAnswer> {
  const { resolution } = deed;
  if (resolution.kind === "retry") {
    const outcome = await tryEvent(tx, event, deed);
    return outcome === "parked" ? refused("still-parked") : DONE;
  }
  if (resolution.kind === "dismiss") {
    await markResolved(tx, event);
    return DONE;
  }
  return assign(tx, event, { ...deed, resolution });
}

type Assignment = Deed & { resolution: Extract<Resolution, { kind: "assign" }> };

async function assign(tx: Tx, event: StripeEvent, deed: Assignment): Promise<ResolutionAnswer> {
  const { resolution, now } = deed;
  const sale = readSaleOfMode(event, deed.isLive);
  if (!sale) return refused("not-assignable");
  const userId = await findPlayerByAddress(tx, resolution.email);
  if (!userId) return refused("no-player");
  const customerId = customerOf(sale);
  const isOwed = isCreditable(sale);
  if (!customerId && !isOwed) return refused("not-assignable");
  const pack = await findPack(tx, resolution.packId);
  if (!pack && isOwed) return refused("no-pack");
  const matches = [];
  if (customerId) {
    const effect = await noteCustomer(tx, customerId, userId);
    if ("parked" in effect) return refused("another-player");
    matches.push(...effect.matches);
  }
  const isGranted = pack && isOwed ? await grant(tx, sale, { userId, pack, now }) : false;
  matches.push(...(await noteReferences(tx, objectOf(sale).id, objectOf(sale).references)));
  await markResolved(tx, event);
  await applyWaiting(tx, matches, deed);
  return { ok: true, isGranted, playerId: userId };
}

function readSaleOfMode(event: StripeEvent, isLive: boolean): Sale | null {
  if (Boolean(event.livemode) !== isLive) return null;
  const news = readParked(event);
  return news?.kind === "checkout" || news?.kind === "invoice" ? news : null;
}

function customerOf(sale: Sale): string | null {
  if (sale.kind === "invoice") return sale.invoice.customerId;
  return sale.session.isSubscription ? sale.session.customerId : null;
}

function grant(
  tx: Tx,
  sale: Sale,
  { userId, pack, now }: { userId: string; pack: Pack; now: Date },
): Promise<boolean> {
  const { id, amountCents } = objectOf(sale);
  const month = sale.kind === "invoice" ? monthOf(sale.invoice, now) : undefined;
  return grantPayment(tx, { id, userId, pack, amountCents, ...(month && { month }) }, now);
}

function objectOf(sale: Sale) {
  return sale.kind === "invoice" ? sale.invoice : sale.session;
}

async function findParked(tx: Tx, id: string): Promise<StripeEvent | null> {
  const event = await tx
    .selectFrom("stripe_events")
    .select("payload")
    .where("id", "=", id)
    .where("status", "=", "parked")
    .executeTakeFirst();
  return (event?.payload as StripeEvent | undefined) ?? null;
}

// What else is parked about the same object is settled with it.
async function markResolved(tx: Tx, event: StripeEvent): Promise<void> {
  const { id: objectId } = event.data.object as { id?: unknown };
  await tx
    .updateTable("stripe_events")
    .set({ status: "resolved", payload: null })
    .where("status", "=", "parked")
    .where((eb) =>
      eb.or([
        eb("id", "=", event.id),
        ...(typeof objectId === "string" && objectId ? [eb("object_id", "=", objectId)] : []),
      ]),
    )
    .execute();
}

function refused(reason: Extract<ResolutionAnswer, { ok: false }>["reason"]): ResolutionAnswer {
  return { ok: false, reason };
}
