import { type NotNull, sql } from "kysely";
import type Stripe from "stripe";
import { findPlayerByAddress } from "#app/features/players/search-players.server.ts";
import { listAuditEntriesOfForm, recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { paymentPage } from "#app/platform/stripe.server.ts";
import type { StripeEvent } from "#app/platform/schema.ts";
import { findFitting } from "#app/features/wallet/deal-rules.ts";
import { listPacks } from "#app/features/wallet/packs.server.ts";
import type { PaymentJobs } from "#app/features/wallet/payments.server.ts";
import { lockPayments, markResolved, tryEvent } from "./apply-stripe-event.server.ts";
import { refundPayment } from "./refund-payment.server.ts";
import { findPaymentIntent } from "#app/features/wallet/payments.server.ts";
import { type AssignFailure, assignPayment } from "./assign-payment.server.ts";
import { listPacksOfSales, readSale, type Sale, toPaidSale } from "./sales.server.ts";

// An event that could not be applied is unmatched; its stored status is "parked".

export type UnmatchedEvent = Awaited<ReturnType<typeof listUnmatchedEvents>>[number];

export async function listUnmatchedEvents(db: Db, limit: number) {
  const rows = await db
    .selectFrom("stripe_events")
    .select(["id", "type", "object_id as objectId", "received_at as receivedAt"])
    .select(["reason", "payload"])
    .where("status", "=", "parked")
    .$narrowType<{ reason: NotNull }>()
    .orderBy("received_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  const events = rows.map(({ payload, ...event }) => ({
    event,
    sale: payload && event.reason !== "mode" ? readSale(payload) : null,
    dashboard: payload && dashboardOf(payload, event.objectId || event.id),
  }));
  const sales = events.flatMap(({ sale }) => sale ?? []);
  const [emails, sold, packs] = await Promise.all([
    listEmails(db, sales),
    listPacksOfSales(db, sales),
    listPacks(db),
  ]);
  const fitting = (sale: Sale) =>
    findFitting(packs, toPaidSale(sale, sold.get(sale.soldBy) ?? null))?.id ?? null;
  return events.map(({ event, sale, dashboard }) => ({
    ...event,
    /** The payment's page at Stripe, live or test as the event is. */
    dashboard,
    /** Whether money came by it; a new subscription is paid by its invoice. */
    isSale: sale !== null && (sale.month !== null || sale.customerId === null),
    paid: sale && { amountCents: sale.amountCents, currency: sale.currency },
    canAssign: sale !== null && (sale.isCreditable || sale.namesCustomer),
    needsPack: sale?.isCreditable ?? false,
    // The player as far as the event names one, and the pack that costs what was paid; an admin decides.
    playerEmail: (sale && emails.get(sale.payer)) ?? null,
    packId: sale?.isCreditable ? fitting(sale) : null,
  }));
}

function dashboardOf(event: StripeEvent, stripeObjectId: string): string {
  const sale = readSale(event);
  const paymentIntentId = sale?.references.find((id) => id.startsWith("pi_")) ?? null;
  return paymentPage({ paymentIntentId, stripeObjectId }, Boolean(event.livemode));
}

export async function countUnmatchedEvents(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from stripe_events where status = 'parked' order by received_at limit ${sql.lit(most)}
    ) event`.execute(db);
  return rows[0]!.count;
}

async function listEmails(db: Db, sales: Sale[]): Promise<Map<string, string>> {
  const payers = sales.map(({ payer }) => payer);
  const { rows } = await sql<{ payer: string; email: string }>`
    select user_id::text as payer, email from profiles
    where user_id = any(${payers.filter(isId)}::uuid[])
    union all
    select customer_id, email from stripe_customers join profiles using (user_id)
    where customer_id = any(${payers}::text[])`.execute(db);
  return new Map(rows.map(({ payer, email }) => [payer, email]));
}

export interface Assignment {
  kind: "assign";
  email: string;
  packId: string | null;
  /** The `differenceKey` of what was asked: the pack costs something else than was paid. */
  confirmed?: string;
}

export type Resolution = { kind: "retry" } | Assignment | { kind: "dismiss" };

type ResolutionResult =
  /** Whether credits were granted just now; false if the payment already had its credits. */
  | { ok: true; isGranted: boolean; playerId: string | null }
  | { ok: false; reason: "already-settled" | "still-unmatched" }
  | AssignFailure;

interface Command {
  eventId: string;
  actor: string;
  resolution: Resolution;
  formKey?: string | undefined;
  jobs: PaymentJobs;
  isLive: boolean;
  now: Date;
}

/** Grants under the key of what was paid, so that no later event grants it again. */
export async function resolveUnmatchedEvent(db: Db, command: Command): Promise<ResolutionResult> {
  return db.transaction().execute(async (tx) => {
    await lockPayments(tx);
    const event = await findUnmatched(tx, command.eventId);
    if (!event) return (await findResolved(tx, command)) ?? fail("already-settled");
    const result = await resolveWith(tx, event, command);
    if (!result.ok) return result;
    const { actor, eventId: subject, resolution, formKey } = command;
    const { playerId, isGranted, details: facts } = result;
    const sale = readSale(event);
    const paid = sale && { amountCents: sale.amountCents, currency: sale.currency };
    // The player's id and not the address, for the log outlives the account.
    const about = { type: event.type, resolution: resolution.kind, playerId, isGranted, formKey };
    const details = { ...about, paid, ...facts };
    await recordAudit(tx, { actor, action: "payment.resolve", subject, details });
    return { ok: true, isGranted, playerId };
  });
}

async function findResolved(tx: Tx, command: Command): Promise<ResolutionResult | null> {
  const { eventId: subject, resolution, formKey } = command;
  const entry = { action: "payment.resolve" as const, subject, formKey };
  const [details] = await listAuditEntriesOfForm(tx, entry);
  if (details?.resolution !== resolution.kind) return null;
  const { isGranted, playerId, packId } = details as Recorded;
  if (resolution.kind !== "assign") return { ok: true, isGranted, playerId };
  // After going back, the form may name somebody else, or another pack.
  if (packId !== undefined && packId !== resolution.packId) return null;
  if ((await findPlayerByAddress(tx, resolution.email)) !== playerId) return null;
  return { ok: true, isGranted, playerId };
}

type Recorded = { isGranted: boolean; playerId: string | null; packId?: string };

const DONE = { ok: true, isGranted: false, playerId: null, details: {} } as const;

async function resolveWith(tx: Tx, event: StripeEvent, command: Command) {
  const { resolution } = command;
  if (resolution.kind === "retry") {
    const outcome = await tryEvent(tx, event, command);
    return outcome === "unmatched" ? fail("still-unmatched") : DONE;
  }
  if (resolution.kind === "assign") return assignPayment(tx, event, { ...command, ...resolution });
  await markResolved(tx, event);
  return DONE;
}

interface RefundCommand extends Omit<Command, "resolution" | "formKey"> {
  stripe: Stripe;
  refundId: string;
}

/** Pays an unmatched payment back as a whole, and sets it aside. */
export async function refundUnmatched(db: Db, command: RefundCommand) {
  const { stripe, refundId, eventId, actor, now } = command;
  const paid = await findUnmatched(db, eventId);
  const sale = paid && Boolean(paid.livemode) === command.isLive ? readSale(paid) : null;
  if (!sale || sale.amountCents === 0) return fail("already-settled");
  const { amountCents: amount, currency, id: objectId } = sale;
  const read = async (tx: Tx) => {
    if (!(await findUnmatched(tx, eventId))) return null;
    const paymentIntentId = await findPaymentIntent(tx, objectId, sale.references);
    const nobody = { objectId, paymentIntentId, userId: null, eventId };
    return { ...nobody, paid: amount, refunded: 0, currency };
  };
  const refund = { stripe, refundId, read, amount, actor, subject: eventId, now };
  const result = await refundPayment(db, refund);
  if (!result.ok) return result;
  const settled = await resolveUnmatchedEvent(db, { ...command, resolution: { kind: "dismiss" } });
  // Somebody else has settled it at the same moment: the money goes back nevertheless.
  if (!settled.ok) return fail("already-settled");
  return { ok: true as const, status: result.status, amount, currency };
}

async function findUnmatched(tx: Db, id: string): Promise<StripeEvent | null> {
  const event = await tx
    .selectFrom("stripe_events")
    .select("payload")
    .where("id", "=", id)
    .where("status", "=", "parked")
    .executeTakeFirst();
  return event?.payload ?? null;
}

const fail = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;
