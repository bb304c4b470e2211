import { DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import {
  invoicePayment,
  customer,
  event,
  type SentEvent,
  stripeId,
} from "#app/routes/demo/stripe-objects.ts";
import { moneyBack } from "./refund-scenarios.ts";
import { monthlyPurchase, PACK, singlePurchase, olderInvoice } from "./payments.ts";
import fc from "fast-check";

/** A checkout session or an invoice that was paid, and what must have come of it in the end. */
export interface PaidObject {
  id: string;
  userId: string;
  amountCents: number;
  creditsCents: number;
  /** What the payer has back, by refunds and by disputes that were lost. */
  returnedCents: number;
}

/** What happens around one purchase. */
export interface PaymentScenario {
  /** In the order in which it happens. */
  events: SentEvent[];
  paid: PaidObject[];
  subscription?: { id: string; status: string; isEnding: boolean };
}

const DAY_MS = 86_400_000;

/**
 * Purchases of the demo's packs by those players: single ones that are paid, paid late or never;
 * subscriptions of one to four months; refunds and disputes of either. All of it can be matched.
 */
export function paymentScenarios(wish: {
  count: number;
  userIds: string[];
  now: Date;
}): fc.Arbitrary<PaymentScenario[]> {
  const scenarios = Array.from({ length: wish.count }, (_, n) => {
    const name = `n${n}x`;
    return fc
      .constantFrom(...wish.userIds)
      .chain((userId) =>
        fc.oneof(
          { weight: 3, arbitrary: singleScenario(name, userId) },
          { weight: 2, arbitrary: monthlyScenario(name, userId, wish.now) },
        ),
      )
      .map((scenario) => ({ ...scenario, events: inTime(name, scenario.events) }));
  });
  return fc.tuple(...scenarios);
}

function singleScenario(name: string, userId: string): fc.Arbitrary<PaymentScenario> {
  const id = stripeId("cs_test", name);
  const { price_eur, total_credit_eur } = DEFAULT_PACKS.find(({ pack_key }) => pack_key === PACK)!;
  const scenario = singlePurchase(userId, { id, payment_link: `plink_demo_${PACK}` });
  const amountCents = cents(price_eur);
  const back = moneyBack({
    charge: { id: stripeId("ch", id), payment_intent: stripeId("pi", id) },
    disputeId: stripeId("du", id),
    amountCents,
  });
  const paid = fc.oneof(
    { weight: 3, arbitrary: fc.constant([scenario.completed]) },
    { weight: 2, arbitrary: fc.constant([scenario.unpaid, scenario.succeeded]) },
  );
  const expired = event("checkout.session.expired", { id, object: "checkout.session" });
  const unpaid = fc.constantFrom<SentEvent[][]>(
    [scenario.unpaid, scenario.failed],
    [scenario.unpaid],
    [expired],
  );
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(paid, back).map(([events, after]) => ({
        events: [...events, ...after.events],
        paid: [
          {
            ...{ id, userId, amountCents, creditsCents: cents(total_credit_eur) },
            returnedCents: after.returnedCents,
          },
        ],
      })),
    },
    { weight: 3, arbitrary: unpaid.map((events) => ({ events, paid: [] })) },
  );
}

function monthlyScenario(name: string, userId: string, now: Date): fc.Arbitrary<PaymentScenario> {
  const subscriptions = fc.record({
    pack: fc.constantFrom(...DEFAULT_PACKS.filter(({ pack_key }) => pack_key !== PACK)),
    daysAgo: fc.integer({ min: 0, max: 120 }),
    months: fc.integer({ min: 1, max: 4 }),
  });
  return subscriptions.chain(({ pack, daysAgo, months }) => {
    const sold = { amountCents: cents(pack.price_eur), creditsCents: cents(pack.total_credit_eur) };
    const scenario = monthlyPurchase(userId, {
      id: stripeId("sub", name),
      start: new Date(now.getTime() - daysAgo * DAY_MS),
      pack: `demo_${pack.pack_key}`,
      cents: sold.amountCents,
    });
    const paidMonths = Array.from({ length: months }, (_, month) => paidMonth(scenario, month));
    return fc.tuple(fc.tuple(...paidMonths), ending(scenario, months)).map(([parts, end]) => ({
      events: [
        scenario.completed,
        scenario.created,
        ...parts.flatMap(({ events }) => events),
        ...end.events,
      ],
      paid: parts.map(({ id, returnedCents }) => ({ id, userId, ...sold, returnedCents })),
      subscription: { id: scenario.id, ...end.state },
    }));
  });
}

type Subscribed = ReturnType<typeof monthlyPurchase>;

/** A month's invoice, how it was paid, in the shape of either API, and what came back of it. */
function paidMonth(scenario: Subscribed, month: number) {
  const id = scenario.invoiceId(month);
  const sent = scenario.paid(month);
  const payment = event("invoice_payment.paid", invoicePayment({ invoice: id }));
  const older = olderInvoice({
    ...{
      id,
      customer: scenario.customerId,
      subscriptionId: scenario.id,
      priceId: scenario.priceId,
    },
    ...{ period: scenario.period(month), amount_paid: scenario.cents },
    billing_reason: month === 0 ? "subscription_create" : "subscription_cycle",
  });
  const paid = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<SentEvent[][]>([sent, payment], [payment, sent]) },
    { weight: 1, arbitrary: fc.constant([{ ...sent, data: { object: older } }]) },
  );
  const back = moneyBack({
    charge: { id: stripeId("ch", id), payment_intent: stripeId("pi", id) },
    disputeId: stripeId("du", id),
    amountCents: scenario.cents,
  });
  const renewal = month > 0 ? [scenario.updated(month)] : [];
  return fc.tuple(paid, back).map(([events, { events: after, returnedCents }]) => ({
    id,
    returnedCents,
    events: [...renewal, ...events, ...after],
  }));
}

/** How it goes on after the months that were paid. */
function ending(scenario: Subscribed, months: number) {
  const last = months - 1;
  const asks = scenario.updated(last, { cancel_at_period_end: true });
  const stays = scenario.updated(last, { cancel_at_period_end: false });
  const fails = scenario.updated(months, { status: "past_due" });
  const ends = scenario.deleted(months);
  const about = event("customer.updated", customer({ id: scenario.customerId }));
  const running = { status: "active", isEnding: false };
  const canceled = { status: "canceled", isEnding: false };
  return fc.constantFrom(
    { events: [about], state: running },
    { events: [asks], state: { status: "active", isEnding: true } },
    { events: [asks, stays], state: running },
    { events: [asks, ends], state: canceled },
    { events: [fails], state: { status: "past_due", isEnding: false } },
    { events: [fails, ends], state: canceled },
  );
}

/** Each event a second after the one before it, or later, under an id that a seed repeats. */
function inTime(name: string, events: SentEvent[]): SentEvent[] {
  let previous = 0;
  return events.map((sent, n) => {
    previous = Math.max(previous + 1, sent.created);
    return { ...sent, id: stripeId("evt", `${name}${n}x`), created: previous };
  });
}

function cents(eur: string): number {
  return Math.round(Number(eur) * 100);
}
