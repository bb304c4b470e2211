import { sql } from "kysely";
import { ZodError } from "zod";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { readReference } from "#app/features/wallet/rules.ts";
import { log } from "#app/platform/log.server.ts";
import type { UnmatchedReason, StripeEvent } from "#app/platform/schema.ts";
import {
  applyCheckout,
  applyInvoice,
  type PaymentJobs,
  saveReferences,
} from "#app/features/wallet/payments.server.ts";
import { markRefundFailed } from "#app/features/wallet/refunds.server.ts";
import { applyFailedCheckout } from "#app/features/wallet/pending-payments.server.ts";
import { applyDispute, applyRefund } from "#app/features/wallet/reclaim-credits.server.ts";
import {
  type StripeRejection,
  stripeRejections,
} from "#app/platform/observability/metrics.server.ts";
import { isLiveKey, isSignedNow, readSignedEvent } from "#app/platform/stripe.server.ts";
import {
  type Effect,
  isStorable,
  objectIdOf,
  readStripeEvent,
  type StripeCommand,
} from "./stripe-event.ts";
import { applySubscription } from "./subscriptions.server.ts";

export type EventOutcome = "applied" | "repeated" | "unmatched" | "ignored";

interface Circumstances {
  /** An event that is known is tried again without a word. */
  isNew?: boolean;
  jobs: PaymentJobs;
  isLive: boolean;
  now: Date;
}

// Any constant serves. Payments are rare and each takes milliseconds, so one at a time is enough,
// and an unmatched event never misses the one that it waits for.
const PAYMENTS_LOCK = 7_102_027;

/**
 * What Stripe has sent, with the signature of its exact bytes. Null if it is no event or not signed
 * with one of our secrets.
 */
export async function receiveStripeEvent(
  { db, jobs, env, now }: Receiver,
  payload: string,
  signature: string | null,
): Promise<EventOutcome | null> {
  const event = readSignedEvent(payload, signature, env.stripeWebhookSecrets);
  if (!event || !isStorable(event)) {
    const own: StripeRejection = event ? "body" : "signature";
    stripeRejections.inc({ reason: isSignedNow(signature) ? own : "unsigned" });
    return null;
  }
  const isLive = isLiveKey(env.stripeSecretKey);
  return applyStripeEvent(db, event, { jobs, isLive, now: now() });
}

interface Receiver {
  db: Db;
  jobs: PaymentJobs;
  env: Pick<Env, "stripeWebhookSecrets" | "stripeSecretKey">;
  now: () => Date;
}

// One transaction: the event under its own id, its effect under the key of what was paid. Unmatched
// events are stored, and applied with the event they wait for or when sent again. Throws only for
// what Stripe should send again, such as a database that is away.
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
    return tryEvent(tx, event, { ...circumstances, isNew: !known });
  });
}

/** First in the lock order, and held to the end of the transaction. */
export async function lockPayments(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PAYMENTS_LOCK})`.execute(tx);
}

export async function tryEvent(
  tx: Tx,
  event: StripeEvent,
  circumstances: Circumstances,
): Promise<EventOutcome> {
  const command = circumstances.isLive === Boolean(event.livemode) ? readEvent(event) : "mode";
  const effect = await effectOf(tx, event, command, circumstances);
  await storeOutcome(tx, event, command, effect);
  if ("unmatched" in effect) {
    const facts = { event: event.id, type: event.type, reason: effect.unmatched };
    if (circumstances.isNew) log.warn(facts, "payment unmatched");
    return "unmatched";
  }
  await applyWaiting(tx, effect.matches, circumstances);
  return command ? "applied" : "ignored";
}

export async function applyWaiting(tx: Tx, matches: string[], circumstances: Circumstances) {
  const again = { ...circumstances, isNew: false };
  for (const waiting of await listWaiting(tx, matches)) await tryEvent(tx, waiting, again);
}

type Reading = StripeCommand | null | Extract<UnmatchedReason, "mode" | "unreadable">;

export function readEvent(event: StripeEvent): Exclude<Reading, "mode"> {
  try {
    return readStripeEvent(event);
  } catch (error) {
    if (error instanceof ZodError) return "unreadable";
    throw error;
  }
}

async function effectOf(
  tx: Tx,
  event: StripeEvent,
  command: Reading,
  { jobs, now }: Circumstances,
): Promise<Effect> {
  if (typeof command === "string") return { unmatched: command };
  const meta = { eventId: event.id, at: new Date(event.created * 1_000), now };
  switch (command?.kind) {
    case undefined:
      return { matches: [] };
    case "checkout-failed":
      return applyFailedCheckout(tx, jobs, command.session, meta);
    case "checkout":
      return applyCheckout(tx, jobs, command.session, meta);
    case "invoice":
      return applyInvoice(tx, jobs, command.invoice, now);
    case "invoice-payment":
      return { matches: await saveReferences(tx, command.invoiceId, command.references) };
    case "subscription":
      return applySubscription(tx, command.subscription, meta.at);
    case "refund":
      return applyRefund(tx, command, meta);
    case "refund-failed":
      await markRefundFailed(tx, objectIdOf(event));
      return { unmatched: command.kind };
    case "no-customer":
      return { unmatched: command.kind };
    case "dispute":
      return applyDispute(tx, command, meta);
  }
}

export async function isKnownEvent(db: Db, id = ""): Promise<boolean> {
  return (await findEvent(db, id)) !== undefined;
}

function findEvent(tx: Db, id: string) {
  return tx.selectFrom("stripe_events").select("status").where("id", "=", id).executeTakeFirst();
}

// First, so that a duplicate waits here; its outcome follows in the same transaction.
async function insertEvent(tx: Tx, event: StripeEvent, now: Date): Promise<void> {
  const { client_reference_id: reference } = event.data.object as { client_reference_id?: unknown };
  const playerId = readReference(reference);
  const named = tx.selectFrom("profiles").select("user_id");
  await tx
    .insertInto("stripe_events")
    .values({
      id: event.id,
      type: event.type,
      object_id: objectIdOf(event),
      user_id: playerId ? named.where("user_id", "=", playerId) : null,
      created_at: new Date(event.created * 1_000),
      received_at: now,
      status: "applied",
    })
    .execute();
}

async function storeOutcome(tx: Tx, event: StripeEvent, command: Reading, effect: Effect) {
  const isUnmatched = "unmatched" in effect;
  await tx
    .updateTable("stripe_events")
    .set({
      status: isUnmatched ? "parked" : command ? "applied" : "ignored",
      reason: isUnmatched ? effect.unmatched : null,
      waits_for: isUnmatched ? (effect.waitsFor ?? []) : [],
      payload: isUnmatched ? storable(JSON.stringify(event)) : null,
    })
    .where("id", "=", event.id)
    .execute();
}

// Typed text may hold a NUL or half a character, which jsonb rejects. Matches each escape as a whole,
// so that an escaped backslash starts none.
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
  return rows.flatMap(({ payload }) => payload ?? []);
}

/** For good; also settles other unmatched events about the same object. */
export async function markResolved(tx: Tx, event: StripeEvent): Promise<void> {
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
