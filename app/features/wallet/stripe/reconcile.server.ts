import type Stripe from "stripe";
import { type Db, inCents, isOneOf } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import {
  endGranted,
  failPendingPayment,
  listAwaited,
} from "#app/features/wallet/pending-payments.server.ts";
import { type EventOutcome, applyStripeEvent, lockPayments } from "./apply-stripe-event.server.ts";
import type { PaymentJobs } from "#app/features/wallet/payments.server.ts";
import { reconcileRefunds } from "./reconcile-refunds.server.ts";
import { EVENT_TYPES } from "./stripe-event.ts";
import { orMissing } from "#app/platform/stripe.server.ts";

interface Reconciliation {
  replayed: Record<EventOutcome, number>;
  stripe: Total;
  here: Total;
  unmatched: number;
  differences: string[];
}

interface Total {
  payments: number;
  cents: number;
}

interface Sides {
  stripe: Stripe;
  db: Db;
  jobs: PaymentJobs;
  days: number;
  isLive: boolean;
  now: Date;
}

/** Applies missed events, then compares both sides; it grants nothing itself. Throws Stripe's errors. */
export async function reconcile(sides: Sides): Promise<Reconciliation> {
  const { stripe, db, days, now } = sides;
  const since = new Date(now.getTime() - days * 86_400_000);
  const replayed = await replayEvents(sides, since);
  await reconcileRefunds(db, stripe, now);
  const listed = await listPaidAtStripe(stripe, since);
  const awaited = await endAwaited(sides, new Set(listed.map(({ id }) => id)));
  listed.push(...awaited.paid);
  const payments = await listPayments(db, listed, since);
  const found = await findOthers(stripe, listed, payments);
  const paid = [...listed, ...found.paid];
  const differences = [
    ...(await compare(db, paid, payments)),
    ...found.differences,
    ...awaited.differences,
  ];
  return {
    replayed,
    stripe: total(paid.map(({ cents }) => cents)),
    here: total([...payments.values()]),
    unmatched: await countUnmatched(db),
    differences,
  };
}

async function listPayments(db: Db, paid: PaidAtStripe[], since: Date) {
  const ids = paid.map(({ id }) => id);
  const rows = await db
    .selectFrom("payments")
    .select(["stripe_object_id as id", inCents("amount_eur").as("cents")])
    .where(({ eb, or, fn }) =>
      or([eb("created_at", ">=", since), eb("stripe_object_id", "=", fn.any(eb.val(ids)))]),
    )
    // Unmatched again where nobody has it.
    .where("user_id", "is not", null)
    .orderBy("created_at")
    .execute();
  return new Map(rows.map(({ id, cents }) => [id, cents]));
}

/** A bank's answer takes a day at least, and its event comes at once. */
const AWAITED_DAYS = 1;

/** Asks for payments under way of which no event has come: whether they are paid, have failed, or are
 * still awaited. */
async function endAwaited({ stripe, db, jobs, now }: Sides, listed: Set<string>) {
  await endGranted(db, now);
  const before = new Date(now.getTime() - AWAITED_DAYS * 86_400_000);
  const paid: PaidAtStripe[] = [];
  const differences: string[] = [];
  for (const { sessionId, amountCents } of await listAwaited(db, before)) {
    const expand = ["payment_intent"];
    const session = await orMissing(stripe.checkout.sessions.retrieve(sessionId, { expand }));
    const there = session && paidBySession(session);
    if (!session)
      differences.push(`${sessionId}: ${amountText(amountCents)} awaited here, unknown at Stripe`);
    else if (there && !listed.has(sessionId)) paid.push(there);
    else if (!there && hasFailed(session)) {
      await db.transaction().execute(async (tx) => {
        await lockPayments(tx);
        await failPendingPayment(tx, jobs, sessionId, now);
      });
    }
  }
  return { paid, differences };
}

function hasFailed({ payment_intent: intent }: Stripe.Checkout.Session): boolean {
  const status = typeof intent === "object" ? intent?.status : undefined;
  return status === "canceled" || status === "requires_payment_method";
}

/** Payments missing from the lists: begun earlier and paid late, or unknown to Stripe. */
async function findOthers(stripe: Stripe, listed: PaidAtStripe[], payments: Map<string, number>) {
  const known = new Set(listed.map(({ id }) => id));
  const paid: PaidAtStripe[] = [];
  const differences: string[] = [];
  for (const [id, cents] of payments) {
    if (known.has(id)) continue;
    const there = await findPaidAtStripe(stripe, id);
    if (there && there !== "unpaid") paid.push(there);
    else differences.push(`${id}: ${amountText(cents)} here, ${there ?? "unknown"} at Stripe`);
  }
  return { paid, differences };
}

async function compare(db: Db, paid: PaidAtStripe[], payments: Map<string, number>) {
  const missing = paid.filter(({ id }) => !payments.has(id)).map(({ id }) => id);
  const events = await findEvents(db, missing);
  return paid.flatMap(({ id, cents, currency }) => {
    const there = `${id}: ${amountText(cents, currency)} at Stripe`;
    const here = payments.get(id);
    if (here !== undefined) {
      return here === cents && currency === "eur" ? [] : [`${there}, ${amountText(here)} here`];
    }
    const event = events.get(id);
    if (event?.status === "resolved") return [];
    return [`${there}, ${event ? `unmatched here: ${event.reason}` : "nothing here"}`];
  });
}

/** Why these were not granted; of several events one that is still unmatched decides. */
async function findEvents(db: Db, objectIds: string[]) {
  if (objectIds.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom("stripe_events")
    .select(["object_id", "status", "reason"])
    .where(isOneOf("object_id", objectIds, "text"))
    .where("status", "in", ["parked", "resolved"])
    .orderBy("status", "desc")
    .orderBy("received_at")
    .execute();
  return new Map(rows.map((row) => [row.object_id, row]));
}

async function countUnmatched(db: Db): Promise<number> {
  const row = await db
    .selectFrom("stripe_events")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("status", "=", "parked")
    .executeTakeFirstOrThrow();
  return row.count;
}

function total(cents: number[]): Total {
  return { payments: cents.length, cents: cents.reduce((sum, each) => sum + each, 0) };
}

function amountText(cents: number, currency = "eur"): string {
  return `${numericFromCents(cents)} ${currency.toUpperCase()}`;
}

async function replayEvents({ stripe, db, jobs, isLive, now }: Sides, since: Date) {
  const events: Stripe.Event[] = [];
  const asked = {
    created: { gte: Math.floor(since.getTime() / 1_000) },
    types: EVENT_TYPES,
    limit: 100,
  };
  for await (const event of stripe.events.list(asked)) events.push(event);
  const outcomes = { applied: 0, repeated: 0, unmatched: 0, ignored: 0 };
  // Stripe lists the newest first.
  for (const event of events.reverse()) {
    outcomes[await applyStripeEvent(db, event, { jobs, isLive, now })] += 1;
  }
  return outcomes;
}

interface PaidAtStripe {
  id: string;
  cents: number;
  currency: string;
}

const DAY_SECONDS = 86_400;
// A renewal whose card failed first is paid long after its invoice was made.
const DUNNING_DAYS = 30;

async function listPaidAtStripe(stripe: Stripe, since: Date): Promise<PaidAtStripe[]> {
  const gte = Math.floor(since.getTime() / 1_000);
  const paid: (PaidAtStripe | null)[] = [];
  const sessions = { status: "complete", created: { gte }, limit: 100 } as const;
  for await (const session of stripe.checkout.sessions.list(sessions)) {
    paid.push(paidBySession(session));
  }
  const made = { gte: gte - DUNNING_DAYS * DAY_SECONDS };
  for await (const invoice of stripe.invoices.list({ status: "paid", created: made, limit: 100 })) {
    const isRecent = (invoice.status_transitions?.paid_at ?? invoice.created) >= gte;
    if (isRecent) paid.push(paidByInvoice(invoice));
  }
  return paid.filter((each) => each !== null);
}

async function findPaidAtStripe(
  stripe: Stripe,
  id: string,
): Promise<PaidAtStripe | "unpaid" | null> {
  if (id.startsWith("in_")) {
    const invoice = await orMissing(stripe.invoices.retrieve(id));
    return invoice && (paidByInvoice(invoice) ?? "unpaid");
  }
  const session = await orMissing(stripe.checkout.sessions.retrieve(id));
  return session && (paidBySession(session) ?? "unpaid");
}

function paidBySession(session: Stripe.Checkout.Session): PaidAtStripe | null {
  const { id, mode, payment_status, amount_total, currency } = session;
  if (mode !== "payment" || payment_status !== "paid") return null;
  return { id, cents: amount_total ?? 0, currency: currency ?? "" };
}

function paidByInvoice(invoice: Stripe.Invoice): PaidAtStripe | null {
  const { id, status, amount_paid: cents, currency, parent } = invoice;
  const isPaid = status === "paid" && cents > 0 && parent?.subscription_details;
  return isPaid ? { id, cents, currency } : null;
}
