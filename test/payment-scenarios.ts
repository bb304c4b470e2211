import { DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import { invoicePayment, olderInvoice } from "#app/routes/demo/stripe-invoices.ts";
import { customer, event, type SentEvent, stripeId } from "#app/routes/demo/stripe-objects.ts";
import { moneyBack } from "./refund-scenarios.ts";
import { monthlyPurchase, PACK, singlePurchase } from "./payments.ts";
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
export interface Story {
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
export function paymentStories(wish: {
  count: number;
  userIds: string[];
  now: Date;
}): fc.Arbitrary<Story[]> {
  const stories = Array.from({ length: wish.count }, (_, n) => {
    const name = `n${n}x`;
    return fc
      .constantFrom(...wish.userIds)
      .chain((userId) =>
        fc.oneof(
          { weight: 3, arbitrary: singleStory(name, userId) },
          { weight: 2, arbitrary: monthlyStory(name, userId, wish.now) },
        ),
      )
      .map((story) => ({ ...story, events: inTime(name, story.events) }));
  });
  return fc.tuple(...stories);
}

function singleStory(name: string, userId: string): fc.Arbitrary<Story> {
  const id = stripeId("cs_test", name);
  const { price_eur, total_credit_eur } = DEFAULT_PACKS.find(({ pack_key }) => pack_key === PACK)!;
  const story = singlePurchase(userId, { id, payment_link: `plink_demo_${PACK}` });
  const amountCents = cents(price_eur);
  const back = moneyBack({
    charge: { id: stripeId("ch", id), payment_intent: stripeId("pi", id) },
    disputeId: stripeId("du", id),
    amountCents,
  });
  const paid = fc.oneof(
    { weight: 3, arbitrary: fc.constant([story.completed]) },
    { weight: 2, arbitrary: fc.constant([story.unpaid, story.succeeded]) },
  );
  const expired = event("checkout.session.expired", { id, object: "checkout.session" });
  const unpaid = fc.constantFrom<SentEvent[][]>(
    [story.unpaid, story.failed],
    [story.unpaid],
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

function monthlyStory(name: string, userId: string, now: Date): fc.Arbitrary<Story> {
  const subscriptions = fc.record({
    pack: fc.constantFrom(...DEFAULT_PACKS.filter(({ pack_key }) => pack_key !== PACK)),
    daysAgo: fc.integer({ min: 0, max: 120 }),
    months: fc.integer({ min: 1, max: 4 }),
  });
  return subscriptions.chain(({ pack, daysAgo, months }) => {
    const sold = { amountCents: cents(pack.price_eur), creditsCents: cents(pack.total_credit_eur) };
    const story = monthlyPurchase(userId, {
      id: stripeId("sub", name),
      start: new Date(now.getTime() - daysAgo * DAY_MS),
      pack: `demo_${pack.pack_key}`,
      cents: sold.amountCents,
    });
    const paidMonths = Array.from({ length: months }, (_, month) => paidMonth(story, month));
    return fc.tuple(fc.tuple(...paidMonths), ending(story, months)).map(([parts, end]) => ({
      events: [
        story.completed,
        story.created,
        ...parts.flatMap(({ events }) => events),
        ...end.events,
      ],
      paid: parts.map(({ id, returnedCents }) => ({ id, userId, ...sold, returnedCents })),
      subscription: { id: story.id, ...end.state },
    }));
  });
}

type Subscribed = ReturnType<typeof monthlyPurchase>;

/** A month's invoice, how it was paid, in the shape of either API, and what came back of it. */
function paidMonth(story: Subscribed, month: number) {
  const id = story.invoiceId(month);
  const sent = story.paid(month);
  const payment = event("invoice_payment.paid", invoicePayment({ invoice: id }));
  const older = olderInvoice({
    ...{ id, customer: story.customerId, subscriptionId: story.id, priceId: story.priceId },
    ...{ period: story.period(month), amount_paid: story.cents },
    billing_reason: month === 0 ? "subscription_create" : "subscription_cycle",
  });
  const paid = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<SentEvent[][]>([sent, payment], [payment, sent]) },
    { weight: 1, arbitrary: fc.constant([{ ...sent, data: { object: older } }]) },
  );
  const back = moneyBack({
    charge: { id: stripeId("ch", id), payment_intent: stripeId("pi", id) },
    disputeId: stripeId("du", id),
    amountCents: story.cents,
  });
  const renewal = month > 0 ? [story.updated(month)] : [];
  return fc.tuple(paid, back).map(([events, { events: after, returnedCents }]) => ({
    id,
    returnedCents,
    events: [...renewal, ...events, ...after],
  }));
}

/** How it goes on after the months that were paid. */
function ending(story: Subscribed, months: number) {
  const last = months - 1;
  const asks = story.updated(last, { cancel_at_period_end: true });
  const stays = story.updated(last, { cancel_at_period_end: false });
  const fails = story.updated(months, { status: "past_due" });
  const ends = story.deleted(months);
  const about = event("customer.updated", customer({ id: story.customerId }));
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
