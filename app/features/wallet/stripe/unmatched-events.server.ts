import { type NotNull, sql } from "kysely";
import { findPlayerByAddress } from "#app/features/players/search-players.server.ts";
import { listAuditEntriesOfForm, recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { StripeEvent } from "#app/platform/schema.ts";
import { applyWaiting, lockPayments, readEvent, tryEvent } from "./apply-stripe-event.server.ts";
import { findPack, listSoldPacks } from "#app/features/wallet/packs.server.ts";
import {
  grantPayment,
  monthOf,
  type PaymentJobs,
  saveCustomer,
  saveReferences,
} from "#app/features/wallet/payments.server.ts";

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
  }));
  const sales = events.flatMap(({ sale }) => sale ?? []);
  const [emails, packIds] = await Promise.all([listEmails(db, sales), listPackIds(db, sales)]);
  return events.map(({ event, sale }) => ({
    ...event,
    paid: sale && { amountCents: sale.amountCents, currency: sale.currency },
    canAssign: sale !== null && (sale.isCreditable || sale.namesCustomer),
    needsPack: sale?.isCreditable ?? false,
    // The likely player and pack, as far as the event names them; an admin decides.
    playerEmail: (sale && emails.get(sale.payer)) ?? null,
    packId: (sale && packIds.get(sale.soldBy)) ?? null,
  }));
}

export async function countUnmatchedEvents(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from stripe_events where status = 'parked' order by received_at limit ${sql.lit(most)}
    ) event`.execute(db);
  return rows[0]!.count;
}

type Sale = NonNullable<ReturnType<typeof readSale>>;

// A subscription's checkout only says to whom its invoices belong.
function readSale(event: StripeEvent) {
  const command = readEvent(event);
  if (command === "unreadable") return null;
  if (command?.kind === "invoice") {
    const { invoice } = command;
    const { customerId, priceIds } = invoice;
    const given = { namesCustomer: true, isCreditable: isPaid(invoice), month: invoice };
    return { ...invoice, ...given, payer: customerId, soldBy: priceIds[0] ?? "" };
  }
  if (command?.kind === "checkout") {
    const { isSubscription, customerId, reference, paymentLinkId, ...session } = command.session;
    return {
      ...session,
      namesCustomer: isSubscription && customerId !== null,
      customerId: isSubscription ? customerId : null,
      isCreditable: !isSubscription && isPaid(session),
      month: null,
      payer: isId(reference) ? reference.toLowerCase() : "",
      soldBy: paymentLinkId ?? "",
    };
  }
  return null;
}

/** A payment of nothing or in another currency grants no credits. */
function isPaid({ amountCents, currency }: { amountCents: number; currency: string }): boolean {
  return amountCents > 0 && currency.toLowerCase() === "eur";
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

async function listPackIds(db: Db, sales: Sale[]): Promise<Map<string | null, string>> {
  const ids = sales.map(({ soldBy }) => soldBy);
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
  /** Whether credits were granted just now; false if the payment already had its credits. */
  { ok: true; isGranted: boolean; playerId: string | null } | { ok: false; reason: Failure };

interface Command<Kind extends Resolution = Resolution> {
  eventId: string;
  actor: string;
  resolution: Kind;
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
    // The player's id and not the address, for the log outlives the account.
    const { playerId, isGranted } = result;
    const details = { type: event.type, resolution: resolution.kind, playerId, isGranted, formKey };
    await recordAudit(tx, { actor, action: "payment.resolve", subject, details });
    return result;
  });
}

async function findResolved(tx: Tx, command: Command): Promise<ResolutionResult | null> {
  const { eventId: subject, resolution, formKey } = command;
  const entry = { action: "payment.resolve" as const, subject, formKey };
  const [details] = await listAuditEntriesOfForm(tx, entry);
  if (details?.resolution !== resolution.kind) return null;
  const { isGranted, playerId } = details as { isGranted: boolean; playerId: string | null };
  const isAssigned = resolution.kind === "assign";
  // After going back, the form may name somebody else.
  if (isAssigned && (await findPlayerByAddress(tx, resolution.email)) !== playerId) return null;
  return { ok: true, isGranted, playerId };
}

const DONE = { ok: true, isGranted: false, playerId: null } as const;

async function resolveWith(
  tx: Tx,
  event: StripeEvent,
  command: Command,
): Promise<ResolutionResult> {
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
  const { resolution, jobs, isLive, now } = command;
  const sale = Boolean(event.livemode) === isLive ? readSale(event) : null;
  if (!sale) return fail("not-assignable");
  const userId = await findPlayerByAddress(tx, resolution.email);
  if (!userId) return fail("no-player");
  const { id, amountCents, references, customerId, isCreditable, month } = sale;
  if (!customerId && !isCreditable) return fail("not-assignable");
  const pack = await findPack(tx, resolution.packId);
  if (!pack && isCreditable) return fail("no-pack");
  const matches = [];
  if (customerId) {
    const effect = await saveCustomer(tx, customerId, userId);
    if ("unmatched" in effect) return fail("another-player");
    matches.push(...effect.matches);
  }
  const paid = { id, userId, amountCents, ...(month && { month: monthOf(month, now) }) };
  const isGranted =
    pack && isCreditable ? await grantPayment(tx, jobs, { ...paid, pack }, now) : false;
  matches.push(...(await saveReferences(tx, id, references)));
  await markResolved(tx, event);
  await applyWaiting(tx, matches, command);
  return { ok: true, isGranted, playerId: userId };
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

// Also settles other unmatched events about the same object.
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
