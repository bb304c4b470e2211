import { sql } from "kysely";
import type Stripe from "stripe";
import { ZodError } from "zod";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import {
  type Effect,
  type ParkReason,
  objectIdOf,
  readStripeEvent,
  type StripeNews,
  type Told,
} from "./stripe-event.ts";
import { applyDispute, applyRefund } from "./reclaim-credits.server.ts";
import { applyCheckout, applyInvoice, noteReferences } from "./payments.server.ts";
import { applySubscription } from "./subscriptions.server.ts";

export type EventOutcome = "applied" | "repeated" | "parked" | "ignored";

/** What is read of an event; the object may have the shape of any version of the API. */
export type StripeEvent = Pick<Stripe.Event, "id" | "type" | "created" | "livemode"> & {
  data: { object: object };
};

interface Circumstances {
  /** Whether the keys are live ones: an event of the other mode is parked. */
  isLive: boolean;
  now: Date;
}

// Any constant serves. Payments are rare and each takes milliseconds, so one at a time is enough,
// and a parked event never passes the one that it waits for unseen.
const PAYMENTS_LOCK = 7_102_027;

/**
 * Applies an event of Stripe's in one transaction: the event under its own id, its effect under the
 * key of what was paid. What cannot be matched is parked with its reason, and applied with the
 * event that it waited for. An event that is parked already is tried again when it comes again.
 * Throws only for what should be sent again, such as a database that is away.
 */
export async function applyStripeEvent(
  db: Db,
  event: StripeEvent,
  circumstances: Circumstances,
): Promise<EventOutcome> {
  return db.transaction().execute(async (tx) => {
    await lockPayments(tx);
    const known = await findEvent(tx, event.id);
    if (known && known.status !== "parked") return "repeated";
    if (!known) await insertEvent(tx, event, circumstances.now);
    return tryEvent(tx, event, circumstances);
  });
}

/** First in the lock order: whoever applies events holds it to the end of the transaction. */
export async function lockPayments(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PAYMENTS_LOCK})`.execute(tx);
}

/** Applies a stored event anew, with all that waits for it. Wants the payments locked. */
export async function tryEvent(
  tx: Tx,
  event: StripeEvent,
  circumstances: Circumstances,
): Promise<EventOutcome> {
  const news = circumstances.isLive === Boolean(event.livemode) ? read(event) : "mode";
  const effect = await effectOf(tx, event, news, circumstances.now);
  await storeOutcome(tx, event, news, effect);
  if ("parked" in effect) {
    log.warn({ event: event.id, type: event.type, reason: effect.parked }, "payment parked");
    return "parked";
  }
  await applyWaiting(tx, effect.matches, circumstances);
  return news ? "applied" : "ignored";
}

/** Applies the parked events that one of these matches, in the order in which Stripe made them. */
export async function applyWaiting(
  tx: Tx,
  matches: string[],
  circumstances: Circumstances,
): Promise<void> {
  for (const waiting of await listWaiting(tx, matches)) await tryEvent(tx, waiting, circumstances);
}

type Reading = StripeNews | null | Extract<ParkReason, "mode" | "unreadable">;

function read(event: StripeEvent): Reading {
  try {
    return readStripeEvent(event);
  } catch (error) {
    if (error instanceof ZodError) return "unreadable";
    throw error;
  }
}

async function effectOf(tx: Tx, event: StripeEvent, news: Reading, now: Date): Promise<Effect> {
  if (typeof news === "string") return { parked: news };
  if (!news) return { matches: [] };
  return applyNews(tx, news, { cause: event.id, at: new Date(event.created * 1_000), now });
}

function findEvent(tx: Tx, id: string) {
  return tx.selectFrom("stripe_events").select("status").where("id", "=", id).executeTakeFirst();
}

// First, so that a copy of it waits here; its outcome follows in the same transaction.
async function insertEvent(tx: Tx, event: StripeEvent, now: Date): Promise<void> {
  const { client_reference_id: reference } = event.data.object as { client_reference_id?: unknown };
  const named = tx.selectFrom("profiles").select("user_id");
  await tx
    .insertInto("stripe_events")
    .values({
      id: event.id,
      type: event.type,
      object_id: objectIdOf(event),
      user_id: isId(reference) ? named.where("user_id", "=", reference) : null,
      created_at: new Date(event.created * 1_000),
      received_at: now,
      status: "applied",
    })
    .execute();
}

async function storeOutcome(tx: Tx, event: StripeEvent, news: Reading, effect: Effect) {
  const parked = "parked" in effect;
  await tx
    .updateTable("stripe_events")
    .set({
      status: parked ? "parked" : news ? "applied" : "ignored",
      reason: parked ? effect.parked : null,
      waits_for: parked ? (effect.waitsFor ?? []) : [],
      payload: parked ? storable(JSON.stringify(event)) : null,
    })
    .where("id", "=", event.id)
    .execute();
}

// What somebody typed may hold a NUL or half a character, which jsonb refuses. Each escape is looked
// at whole, so that a written-out backslash begins none.
function storable(json: string): string {
  return json.replace(/\\(u0000|ud[89a-f]..|.)/g, (escape, kind: string) =>
    kind.length > 1 ? "\\ufffd" : escape,
  );
}

async function listWaiting(tx: Tx, matches: string[]): Promise<StripeEvent[]> {
  if (matches.length === 0) return [];
  const rows = await tx
    .selectFrom("stripe_events")
    .select("payload")
    .where("status", "=", "parked")
    .where("waits_for", "&&", sql<string[]>`${matches}::text[]`)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => row.payload as StripeEvent);
}

/** Does what the news asks for, or says why it cannot. Wants the payments locked. */
export async function applyNews(tx: Tx, news: StripeNews, told: Told): Promise<Effect> {
  switch (news.kind) {
    case "checkout":
      return applyCheckout(tx, news.session, told.now);
    case "checkout-failed":
      return { matches: [] };
    case "invoice":
      return applyInvoice(tx, news.invoice, told);
    case "invoice-payment":
      return { matches: await noteReferences(tx, news.invoiceId, news.references) };
    case "subscription":
      return applySubscription(tx, news.subscription, told.at);
    case "refund":
      return applyRefund(tx, news, told);
    case "refund-failed":
      return { parked: "refund-failed" };
    case "dispute":
      return applyDispute(tx, news, told);
  }
}
