import type { Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { noteSubscription } from "./apply-subscription.server.ts";
import { grantPayment } from "./grant-payment.server.ts";
import { findSoldPack, type Pack } from "./packs.server.ts";
import { noteReferences } from "./payment-references.server.ts";
import { isMonthly } from "./rules.ts";
import type { Effect, Told } from "./stripe-effect.ts";
import type { Checkout, Invoice } from "./stripe-event.ts";

/**
 * A checkout grants a single pack once it is paid. Of a subscription it only tells whose the
 * customer is: the credits come with the invoice, the first month's too, so never twice.
 */
export async function applyCheckout(tx: Tx, session: Checkout, now: Date): Promise<Effect> {
  if (!session.isSubscription && !session.isPaid) return { matches: [] };
  // The page that waits for the credits knows only its session.
  if (session.subscriptionId) await noteReferences(tx, session.subscriptionId, [session.id]);
  const userId = await findPlayer(tx, session.reference);
  if (!userId) return { parked: "unknown-player" };
  if (session.isSubscription) return noteCustomer(tx, session.customerId, userId);
  const pack = await findSoldPack(tx, { paymentLinkId: session.paymentLinkId });
  if (!pack || isMonthly(pack.key)) return { parked: "unknown-pack" };
  if (!isPrice(pack, session)) return { parked: "wrong-amount" };
  const { id, amountCents, references } = session;
  await grantPayment(tx, { id, userId, pack, amountCents }, now);
  return { matches: await noteReferences(tx, id, references) };
}

// The reasons of an invoice that is for a whole month; others are for changes in between.
const MONTHS = ["subscription_create", "subscription_cycle", "subscription", ""];

/** A paid invoice grants a month: the first one and every renewal. */
export async function applyInvoice(tx: Tx, invoice: Invoice, { now }: Told): Promise<Effect> {
  const { id, amountCents, customerId } = invoice;
  await noteSubscription(tx, invoice);
  const matches = await noteReferences(tx, id, invoice.references);
  if (!MONTHS.includes(invoice.reason) || invoice.priceIds.length !== 1) {
    return { parked: "not-a-month" };
  }
  const pack = await findSoldPack(tx, { priceId: invoice.priceIds[0]! });
  if (!pack || !isMonthly(pack.key)) return { parked: "unknown-pack" };
  if (!isPrice(pack, invoice)) return { parked: "wrong-amount" };
  const userId = await findUserOf(tx, customerId);
  if (!userId) return { parked: "unknown-customer", waitsFor: [`customer:${customerId}`] };
  const month = monthOf(invoice, now);
  await grantPayment(tx, { id, userId, pack, amountCents, month }, now);
  return { matches };
}

const MONTH_MS = 30 * 86_400_000;

/** The month that an invoice pays for; one that does not say when it ends pays for 30 days. */
export function monthOf({ subscriptionId, periodEnd }: Invoice, now: Date) {
  return { subscriptionId, periodEnd: periodEnd ?? new Date(now.getTime() + MONTH_MS) };
}

/**
 * Keeps whose a Stripe customer is; one that is somebody else's already is parked. Answers what
 * parked invoices may be matched by now.
 */
export async function noteCustomer(
  tx: Tx,
  customerId: string | null,
  userId: string,
): Promise<Effect> {
  if (!customerId) return { parked: "unreadable" };
  await tx
    .insertInto("stripe_customers")
    .values({ customer_id: customerId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if ((await findUserOf(tx, customerId)) !== userId) return { parked: "another-player" };
  return { matches: [`customer:${customerId}`] };
}

/** Locks the wallet, so that a deletion of the account that is under way is waited for. */
async function findPlayer(tx: Tx, reference: string | null): Promise<string | null> {
  if (!reference || !isId(reference)) return null;
  const profile = await tx
    .selectFrom("profiles")
    .select("user_id")
    .where("user_id", "=", reference)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return profile?.user_id ?? null;
}

/** Null also where the account is deleted: somebody has to see that it is still paid for. */
async function findUserOf(tx: Tx, customerId: string): Promise<string | null> {
  const customer = await tx
    .selectFrom("stripe_customers")
    .innerJoin("profiles", "profiles.user_id", "stripe_customers.user_id")
    .select("profiles.user_id")
    .where("customer_id", "=", customerId)
    .where("deleted_at", "is", null)
    .forUpdate("profiles")
    .executeTakeFirst();
  return customer?.user_id ?? null;
}

function isPrice(pack: Pack, paid: { amountCents: number; currency: string }): boolean {
  return paid.amountCents === pack.priceCents && paid.currency.toLowerCase() === "eur";
}
