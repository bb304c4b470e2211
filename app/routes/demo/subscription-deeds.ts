import type { OwnSubscription } from "#app/features/wallet/sandbox.server.ts";
import { deed, type PortalDeed, type Steerable } from "./portal-deeds.ts";
import { seconds } from "./seeded-events.ts";
import { invoice, invoicePayment } from "./stripe-invoices.ts";
import { monthFrom, stripeId, subscription } from "./stripe-objects.ts";

export function steerSubscription(own: OwnSubscription): Steerable {
  const { id, status, isEnding, periodEnd } = own;
  const state = `${status}-${isEnding ? "ending" : "going"}-${seconds(periodEnd)}`;
  const steered = { id, state };
  if (status === "canceled") return { ...steered, deeds: [] };
  const going = isEnding ? [] : [renewal(steered, own), ending(steered, own)];
  return { ...steered, deeds: [...going, end(steered, own)] };
}

type Steered = Omit<Steerable, "deeds">;

/** The next month, paid at once: nobody waits for its first day here. */
function renewal(steered: Steered, own: OwnSubscription): PortalDeed {
  const { id, customerId: customer, priceId, priceCents: amount_paid, periodEnd } = own;
  const period = monthFrom(seconds(periodEnd));
  const month = { customer, priceId, period };
  const billId = stripeId("in", `${id}${period.start}`);
  return deed(steered, ["renew", "Renew now"], (created) => [
    ["invoice.paid", invoice({ ...month, id: billId, subscriptionId: id, amount_paid, created })],
    ["customer.subscription.updated", subscription({ ...month, id, created })],
    ["invoice_payment.paid", invoicePayment({ invoice: billId, amount_paid, created })],
  ]);
}

function ending(steered: Steered, own: OwnSubscription): PortalDeed {
  const end = { cancel_at_period_end: true, cancel_at: seconds(own.periodEnd) };
  return deed(steered, ["cancel-at-period-end", "Cancel at period end"], (created) => [
    ["customer.subscription.updated", subscription({ ...current(own, created), ...end })],
  ]);
}

function end(steered: Steered, own: OwnSubscription): PortalDeed {
  return deed(steered, ["cancel-now", "Cancel now"], (created) => {
    const ended = { status: "canceled", canceled_at: created, ended_at: created } as const;
    return [
      ["customer.subscription.deleted", subscription({ ...current(own, created), ...ended })],
    ];
  });
}

function current({ id, customerId, priceId, periodEnd }: OwnSubscription, created: number) {
  const period = { start: created, end: seconds(periodEnd) };
  return { id, customer: customerId, priceId, created, period };
}
