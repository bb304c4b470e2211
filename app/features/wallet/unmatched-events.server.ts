import { type NotNull, sql } from "kysely";
import { findPlayerByAddress } from "#app/features/players/search-players.server.ts";
import { listAuditEntriesOfForm, recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { UnmatchedReason, StripeEvent } from "#app/platform/schema.ts";
import { applyWaiting, lockPayments, tryEvent } from "./apply-stripe-event.server.ts";
import { findPack, listSoldPacks, type Pack } from "./packs.server.ts";
import { grantPayment, monthOf, saveCustomer, saveReferences } from "./payments.server.ts";
import { readStripeEvent, type StripeCommand } from "./stripe-event.ts";

// An event that could not be applied is unmatched; its stored status is "parked".

export interface UnmatchedEvent {
  id: string;
  type: string;
  objectId: string;
  receivedAt: Date;
  reason: UnmatchedReason;
  paid: { amountCents: number; currency: string } | null;
  /** Whom and what it is most likely for, as far as the event says; an admin decides. */
  playerEmail: string | null;
  packId: string | null;
  canAssign: boolean;
  needsPack: boolean;
}

export async function listUnmatchedEvents(db: Db, limit: number): Promise<UnmatchedEvent[]> {
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
  }));
  const sales = events.flatMap(({ sale }) => sale ?? []);
  const [emails, packIds] = await Promise.all([listEmails(db, sales), listPackIds(db, sales)]);
  return events.map(({ event, sale }) => ({
    ...event,
    ...describe(sale),
    playerEmail: (sale && emails.get(payerOf(sale))) ?? null,
    packId: (sale && packIds.get(soldBy(sale))) ?? null,
  }));
}

type Sale = Extract<StripeCommand, { kind: "checkout" | "invoice" }>;

function readSale(event: StripeEvent): Sale | null {
  try {
    const command = readStripeEvent(event);
    return command?.kind === "checkout" || command?.kind === "invoice" ? command : null;
  } catch {
    return null;
  }
}

function describe(sale: Sale | null) {
  if (!sale) return { paid: null, canAssign: false, needsPack: false };
  const { amountCents, currency } = soldObject(sale);
  const needsPack = isCreditable(sale);
  const canAssign = needsPack || sale.kind === "invoice" || sale.session.isSubscription;
  return { paid: { amountCents, currency }, canAssign, needsPack };
}

// A subscription's checkout only says whose its invoices are; what cost nothing or was paid in
// another currency gives no credits either.
function isCreditable(sale: Sale): boolean {
  if (sale.kind === "checkout" && sale.session.isSubscription) return false;
  const { amountCents, currency } = soldObject(sale);
  return amountCents > 0 && currency.toLowerCase() === "eur";
}

function soldObject(sale: Sale) {
  return sale.kind === "invoice" ? sale.invoice : sale.session;
}

function payerOf(sale: Sale): string {
  if (sale.kind === "invoice") return sale.invoice.customerId;
  const { reference } = sale.session;
  return isId(reference) ? reference.toLowerCase() : "";
}

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
  | { kind: "retry" }
  | { kind: "assign"; email: string; packId: string | null }
  | { kind: "dismiss" };

type Failure =
  | "already-settled"
  | "still-unmatched"
  | "no-player"
  | "no-pack"
  | "another-player"
  | "not-assignable";

export type ResolutionResult =
  /** Whether credits were given just now: not where the payment had its credits already. */
  { ok: true; isGranted: boolean; playerId: string | null } | { ok: false; reason: Failure };

interface Command<Kind extends Resolution = Resolution> {
  eventId: string;
  adminId: string;
  resolution: Kind;
  formKey?: string | undefined;
  isLive: boolean;
  now: Date;
}

/** Grants under the key of what was paid, so that no later event grants it again. */
export async function resolveUnmatchedEvent(db: Db, command: Command): Promise<ResolutionResult> {
  return db.transaction().execute(async (tx) => {
    await lockPayments(tx);
    const event = await findUnmatched(tx, command.eventId);
    if (!event) return (await findResolved(tx, command)) ?? fail("already-settled");
    const result = await settle(tx, event, command);
    if (!result.ok) return result;
    const { adminId: actor, eventId: subject, resolution, formKey } = command;
    // The player's id and not the address, for the log outlives the account.
    const { playerId, isGranted } = result;
    const details = { type: event.type, resolution: resolution.kind, playerId, isGranted, formKey };
    await recordAudit(tx, { actor, action: "payment.resolve", subject, details });
    return result;
  });
}

async function findResolved(tx: Tx, command: Command): Promise<ResolutionResult | null> {
  const { eventId: subject, resolution, formKey } = command;
  const [details] = await listAuditEntriesOfForm(tx, {
    action: "payment.resolve",
    subject,
    formKey,
  });
  if (details?.resolution !== resolution.kind) return null;
  const { isGranted, playerId } = details as { isGranted: boolean; playerId: string | null };
  const isAssigned = resolution.kind === "assign";
  // A form that is gone back to may name somebody else.
  if (isAssigned && (await findPlayerByAddress(tx, resolution.email)) !== playerId) return null;
  return { ok: true, isGranted, playerId };
}

const DONE = { ok: true, isGranted: false, playerId: null } as const;

async function settle(tx: Tx, event: StripeEvent, command: Command): Promise<ResolutionResult> {
  const { resolution } = command;
  if (resolution.kind === "retry") {
    const outcome = await tryEvent(tx, event, command);
    return outcome === "unmatched" ? fail("still-unmatched") : DONE;
  }
  if (resolution.kind === "dismiss") {
    await markResolved(tx, event);
    return DONE;
  }
  return assign(tx, event, { ...command, resolution });
}

type Assignment = Command<Extract<Resolution, { kind: "assign" }>>;

async function assign(tx: Tx, event: StripeEvent, command: Assignment): Promise<ResolutionResult> {
  const { resolution, isLive, now } = command;
  const sale = Boolean(event.livemode) === isLive ? readSale(event) : null;
  if (!sale) return fail("not-assignable");
  const userId = await findPlayerByAddress(tx, resolution.email);
  if (!userId) return fail("no-player");
  const customerId = customerOf(sale);
  const isOwed = isCreditable(sale);
  if (!customerId && !isOwed) return fail("not-assignable");
  const pack = await findPack(tx, resolution.packId);
  if (!pack && isOwed) return fail("no-pack");
  const matches = [];
  if (customerId) {
    const effect = await saveCustomer(tx, customerId, userId);
    if ("unmatched" in effect) return fail("another-player");
    matches.push(...effect.matches);
  }
  const isGranted = pack && isOwed ? await grant(tx, sale, { userId, pack, now }) : false;
  matches.push(...(await saveReferences(tx, soldObject(sale).id, soldObject(sale).references)));
  await markResolved(tx, event);
  await applyWaiting(tx, matches, command);
  return { ok: true, isGranted, playerId: userId };
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
  const { id, amountCents } = soldObject(sale);
  const month = sale.kind === "invoice" ? monthOf(sale.invoice, now) : undefined;
  return grantPayment(tx, { id, userId, pack, amountCents, ...(month && { month }) }, now);
}

async function findUnmatched(tx: Tx, id: string): Promise<StripeEvent | null> {
  const event = await tx
    .selectFrom("stripe_events")
    .select("payload")
    .where("id", "=", id)
    .where("status", "=", "parked")
    .executeTakeFirst();
  return event?.payload ?? null;
}

// What else is unmatched about the same object is settled with it.
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

function fail(reason: Failure): ResolutionResult {
  return { ok: false, reason };
}
