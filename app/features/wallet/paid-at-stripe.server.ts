import type Stripe from "stripe";
import { orMissing } from "#app/platform/stripe.server.ts";

/** A checkout or an invoice that was paid, as Stripe tells it. */
export interface PaidAtStripe {
  id: string;
  cents: number;
  /** In lower case, such as "eur". */
  currency: string;
}

const DAY_SECONDS = 86_400;
// A renewal whose card failed first is paid long after its invoice was made.
const DUNNING_DAYS = 30;

/** Single packs that were checked out since then, and months that were paid since then. */
export async function listPaidAtStripe(stripe: Stripe, since: Date): Promise<PaidAtStripe[]> {
  const gte = Math.floor(since.getTime() / 1_000);
  const paid: PaidAtStripe[] = [];
  const sessions = { status: "complete", created: { gte }, limit: 100 } as const;
  for await (const session of stripe.checkout.sessions.list(sessions)) {
    if (isPaidSession(session)) paid.push(sessionPaid(session));
  }
  const made = { gte: gte - DUNNING_DAYS * DAY_SECONDS };
  for await (const invoice of stripe.invoices.list({ status: "paid", created: made, limit: 100 })) {
    const isRecent = (invoice.status_transitions?.paid_at ?? invoice.created) >= gte;
    if (isRecent && isPaidInvoice(invoice)) paid.push(invoicePaid(invoice));
  }
  return paid;
}

/** What one of our payments is at Stripe: paid, there but not paid, or not known there. */
export async function findPaidAtStripe(
  stripe: Stripe,
  id: string,
): Promise<PaidAtStripe | "unpaid" | null> {
  if (id.startsWith("in_")) {
    const invoice = await orMissing(stripe.invoices.retrieve(id));
    if (!invoice) return null;
    return isPaidInvoice(invoice) ? invoicePaid(invoice) : "unpaid";
  }
  const session = await orMissing(stripe.checkout.sessions.retrieve(id));
  if (!session) return null;
  return isPaidSession(session) ? sessionPaid(session) : "unpaid";
}

function isPaidSession({ mode, payment_status }: Stripe.Checkout.Session): boolean {
  return mode === "payment" && payment_status === "paid";
}

function isPaidInvoice({ status, amount_paid, parent }: Stripe.Invoice): boolean {
  return status === "paid" && amount_paid > 0 && Boolean(parent?.subscription_details);
}

function sessionPaid({ id, amount_total, currency }: Stripe.Checkout.Session): PaidAtStripe {
  return { id, cents: amount_total ?? 0, currency: currency ?? "" };
}

function invoicePaid({ id, amount_paid, currency }: Stripe.Invoice): PaidAtStripe {
  return { id, cents: amount_paid, currency };
}
