import type Stripe from "stripe";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric, numericFromCents } from "#app/platform/money.ts";
import type { EventOutcome } from "./apply-stripe-event.server.ts";
import { findPaidAtStripe, listPaidAtStripe, type PaidAtStripe } from "./paid-at-stripe.server.ts";
import { replayEvents } from "./replay-events.server.ts";

interface Reconciliation {
  /** The events of those days, by what has become of them now. */
  replayed: Record<EventOutcome, number>;
  stripe: Total;
  here: Total;
  /** Events of any age that wait for an admin. */
  parked: number;
  /** A line for each; empty when both sides say the same. */
  differences: string[];
}

interface Total {
  payments: number;
  cents: number;
}

interface Sides {
  stripe: Stripe;
  db: Db;
  /** How far back, at most 30. */
  days: number;
  isLive: boolean;
  now: Date;
}

/**
 * Catches up with the events that were missed, or lost with a database, then compares what was
 * paid there with what was granted here. It grants nothing itself. Throws Stripe's errors and the
 * database's.
 */
export async function reconcile({ stripe, db, days, isLive, now }: Sides): Promise<Reconciliation> {
  const since = new Date(now.getTime() - days * 86_400_000);
  const replayed = await replayEvents({ stripe, db, since, isLive, now });
  const listed = await listPaidAtStripe(stripe, since);
  const payments = await listPayments(db, listed, since);
  const found = await findOthers(stripe, listed, payments);
  const paid = [...listed, ...found.paid];
  const differences = [...(await compare(db, paid, payments)), ...found.differences];
  return {
    replayed,
    stripe: total(paid.map(({ cents }) => cents)),
    here: total([...payments.values()]),
    parked: await countParked(db),
    differences,
  };
}

/** What was granted for these, and whatever was granted since then: cents by Stripe's id. */
async function listPayments(db: Db, paid: PaidAtStripe[], since: Date) {
  const ids = paid.map(({ id }) => id);
  const rows = await db
    .selectFrom("payments")
    .select(["stripe_object_id", "amount_eur"])
    .where(({ eb, or, fn }) =>
      or([eb("created_at", ">=", since), eb("stripe_object_id", "=", fn.any(eb.val(ids)))]),
    )
    .orderBy("created_at")
    .execute();
  return new Map(rows.map((row) => [row.stripe_object_id, centsFromNumeric(row.amount_eur)]));
}

/** Payments that the lists did not name: begun earlier and paid late, or unknown to Stripe. */
async function findOthers(stripe: Stripe, listed: PaidAtStripe[], payments: Map<string, number>) {
  const known = new Set(listed.map(({ id }) => id));
  const paid: PaidAtStripe[] = [];
  const differences: string[] = [];
  for (const [id, cents] of payments) {
    if (known.has(id)) continue;
    const there = await findPaidAtStripe(stripe, id);
    if (there && there !== "unpaid") paid.push(there);
    else differences.push(`${id}: ${euros(cents)} here, ${there ?? "unknown"} at Stripe`);
  }
  return { paid, differences };
}

async function compare(db: Db, paid: PaidAtStripe[], payments: Map<string, number>) {
  const missing = paid.filter(({ id }) => !payments.has(id)).map(({ id }) => id);
  const events = await findEvents(db, missing);
  return paid.flatMap(({ id, cents, currency }) => {
    const there = `${id}: ${euros(cents, currency)} at Stripe`;
    const here = payments.get(id);
    if (here !== undefined) {
      return here === cents && currency === "eur" ? [] : [`${there}, ${euros(here)} here`];
    }
    const event = events.get(id);
    if (event?.status === "resolved") return [];
    return [`${there}, ${event ? `parked here: ${event.reason}` : "nothing here"}`];
  });
}

/** What stands about each of these that was not granted: parked before resolved by an admin. */
async function findEvents(db: Db, objectIds: string[]) {
  if (objectIds.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom("stripe_events")
    .select(["object_id", "status", "reason"])
    .where("object_id", "in", objectIds)
    .where("status", "in", ["parked", "resolved"])
    .orderBy("status", "desc")
    .orderBy("received_at")
    .execute();
  return new Map(rows.map((row) => [row.object_id, row]));
}

async function countParked(db: Db): Promise<number> {
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

function euros(cents: number, currency = "eur"): string {
  return `${numericFromCents(cents)} ${currency.toUpperCase()}`;
}
