import type { PaidSale } from "#app/features/wallet/deal-rules.ts";
import { listSoldPacks, type Pack } from "#app/features/wallet/packs.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { StripeEvent } from "#app/platform/schema.ts";
import { readEvent } from "./apply-stripe-event.server.ts";

export type Sale = NonNullable<ReturnType<typeof readSale>>;

/** What an event says was paid, for what and by whom; null where it is about something else. */
// A subscription's checkout only says to whom its invoices belong.
export function readSale(event: StripeEvent) {
  const command = readEvent(event);
  if (command === "unreadable") return null;
  if (command?.kind === "invoice") {
    const { invoice } = command;
    const { customerId, priceIds } = invoice;
    const given = { namesCustomer: true, isCreditable: isPaid(invoice), month: invoice };
    return { ...invoice, ...given, payer: customerId, soldBy: priceIds[0] ?? "" };
  }
  if (command?.kind === "checkout") {
    const { isSubscription, customerId, playerId, paymentLinkId, ...session } = command.session;
    return {
      ...session,
      namesCustomer: isSubscription && customerId !== null,
      customerId: isSubscription ? customerId : null,
      isCreditable: !isSubscription && isPaid(session),
      month: null,
      payer: playerId ?? "",
      soldBy: paymentLinkId ?? "",
    };
  }
  return null;
}

/** A payment of nothing or in another currency grants no credits. */
function isPaid({ amountCents, currency }: { amountCents: number; currency: string }): boolean {
  return amountCents > 0 && currency.toLowerCase() === "eur";
}

// What `readSale` reads, and nothing that names the payer.
const KEPT = new Set([
  ...["id", "type", "created", "livemode", "data", "object", "mode", "payment_status"],
  ...["client_reference_id", "payment_link", "customer", "subscription", "payment_intent"],
  ...["amount_total", "currency", "amount_paid", "billing_reason", "charge", "parent", "lines"],
  ...["subscription_details", "payments", "payment", "pricing", "price_details", "price"],
  ...["period", "end"],
]);

/** The event as `readSale` needs it, without addresses and names. */
export const withoutPayer = (event: StripeEvent): StripeEvent =>
  JSON.parse(
    JSON.stringify(event, (name, value: unknown) =>
      name === "" || /^\d+$/.test(name) || KEPT.has(name) ? value : undefined,
    ),
  ) as StripeEvent;

/** By the price or link that sold it, at the price of then. */
export async function listPacksOfSales(db: Db, sales: Sale[]): Promise<Map<string | null, Pack>> {
  const ids = sales.map(({ soldBy }) => soldBy);
  const packs = await listSoldPacks(db, { priceIds: ids, paymentLinkIds: ids });
  return new Map(
    packs.flatMap((pack) => [
      [pack.priceId, pack],
      [pack.paymentLinkId, pack],
    ]),
  );
}

export const toPaidSale = ({ amountCents, month }: Sale, sold: Pack | null): PaidSale => ({
  amountCents,
  isMonth: month !== null,
  sold,
});
