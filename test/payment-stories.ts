import { DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import { invoicePayment, olderInvoice } from "#app/routes/demo/stripe-invoices.ts";
import { customer, event, type SentEvent, stripeId } from "#app/routes/demo/stripe-objects.ts";
import { type Dice, diceOf } from "./dice.ts";
import { moneyBack } from "./money-back-stories.ts";
import { monthlyPurchase, PACK, singlePurchase } from "./payments.ts";

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

/** What the stories of one seed have in common. */
interface Setting {
  dice: Dice;
  now: Date;
  /** Ids that are the same for the same seed. */
  nextId(prefix: string): string;
}

const DAY_MS = 86_400_000;

/**
 * Purchases of the demo's packs by those players: single ones that are paid, paid late or never;
 * subscriptions of one to four months; refunds and disputes of either. All of it can be matched.
 */
export function paymentStories(wish: {
  seed: number;
  count: number;
  userIds: string[];
  now: Date;
}): Story[] {
  const dice = diceOf(wish.seed);
  let number = 0;
  const nextId = (prefix: string) => stripeId(prefix, `${wish.seed}n${(number += 1)}x`);
  const setting = { dice, now: wish.now, nextId };
  return Array.from({ length: wish.count }, () => {
    const userId = dice.pick(wish.userIds);
    const story = dice.chance(0.6) ? singleStory(setting, userId) : monthlyStory(setting, userId);
    return { ...story, events: inTime(setting, story.events) };
  });
}

function singleStory({ dice, nextId }: Setting, userId: string): Story {
  const id = nextId("cs_test");
  const { price_eur, total_credit_eur } = DEFAULT_PACKS.find(({ pack_key }) => pack_key === PACK)!;
  const story = singlePurchase(userId, { id, payment_link: `plink_demo_${PACK}` });
  const plots = {
    paid: [story.completed],
    "paid late": [story.unpaid, story.succeeded],
    refused: [story.unpaid, story.failed],
    "never paid": [story.unpaid],
    abandoned: [event("checkout.session.expired", { id, object: "checkout.session" })],
  };
  const plot = dice.pick(SINGLE_PLOTS);
  if (plot !== "paid" && plot !== "paid late") return { events: plots[plot], paid: [] };
  const amountCents = cents(price_eur);
  const { events, returnedCents } = moneyBack(dice, {
    charge: { id: stripeId("ch", id), payment_intent: stripeId("pi", id) },
    disputeId: stripeId("du", id),
    amountCents,
  });
  const creditsCents = cents(total_credit_eur);
  return {
    events: [...plots[plot], ...events],
    paid: [{ id, userId, amountCents, creditsCents, returnedCents }],
  };
}

const SINGLE_PLOTS = [
  ...(["paid", "paid", "paid", "paid late", "paid late"] as const),
  ...(["refused", "never paid", "abandoned"] as const),
];

function monthlyStory(setting: Setting, userId: string): Story {
  const { dice, now, nextId } = setting;
  const pack = dice.pick(DEFAULT_PACKS.filter(({ pack_key }) => pack_key !== PACK));
  const sold = { amountCents: cents(pack.price_eur), creditsCents: cents(pack.total_credit_eur) };
  const story = monthlyPurchase(userId, {
    id: nextId("sub"),
    start: new Date(now.getTime() - dice.whole(0, 120) * DAY_MS),
    pack: `demo_${pack.pack_key}`,
    cents: sold.amountCents,
  });
  const events = [story.completed, story.created];
  const paid: PaidObject[] = [];
  const months = dice.whole(1, 4);
  for (let month = 0; month < months; month += 1) {
    if (month > 0) events.push(story.updated(month));
    const told = monthOf(dice, story, month);
    const { returnedCents, events: after } = moneyBack(dice, { ...told, ...sold });
    events.push(...told.events, ...after);
    paid.push({ id: story.invoiceId(month), userId, ...sold, returnedCents });
  }
  const end = ending(dice, story, months);
  return { events: [...events, ...end.events], paid, subscription: { id: story.id, ...end.state } };
}

type Subscribed = ReturnType<typeof monthlyPurchase>;

/** A month's invoice and how it was paid, in the shape of either API. */
function monthOf(dice: Dice, story: Subscribed, month: number) {
  const id = story.invoiceId(month);
  const charge = { id: stripeId("ch", id), payment_intent: stripeId("pi", id) };
  const disputeId = stripeId("du", id);
  const sent = story.paid(month);
  if (dice.chance(0.75)) {
    const payment = event("invoice_payment.paid", invoicePayment({ invoice: id }));
    return { charge, disputeId, events: dice.shuffled([sent, payment]) };
  }
  const older = olderInvoice({
    ...{ id, customer: story.customerId, subscriptionId: story.id, priceId: story.priceId },
    ...{ period: story.period(month), amount_paid: story.cents },
    billing_reason: month === 0 ? "subscription_create" : "subscription_cycle",
  });
  return { charge, disputeId, events: [{ ...sent, data: { object: older } }] };
}

/** How it goes on after the months that were paid. */
function ending(dice: Dice, story: Subscribed, months: number) {
  const last = months - 1;
  const asks = story.updated(last, { cancel_at_period_end: true });
  const stays = story.updated(last, { cancel_at_period_end: false });
  const fails = story.updated(months, { status: "past_due" });
  const ends = story.deleted(months);
  const about = event("customer.updated", customer({ id: story.customerId }));
  const running = { status: "active", isEnding: false };
  const canceled = { status: "canceled", isEnding: false };
  return dice.pick([
    { events: [about], state: running },
    { events: [asks], state: { status: "active", isEnding: true } },
    { events: [asks, stays], state: running },
    { events: [asks, ends], state: canceled },
    { events: [fails], state: { status: "past_due", isEnding: false } },
    { events: [fails, ends], state: canceled },
  ]);
}

/** Each event a second after the one before it, or later, under an id that the seed repeats. */
function inTime({ nextId }: Setting, events: SentEvent[]): SentEvent[] {
  let created = 0;
  return events.map((sent) => {
    const told = { ...sent, id: nextId("evt"), created: Math.max(created + 1, sent.created) };
    created = told.created;
    return told;
  });
}

function cents(eur: string): number {
  return Math.round(Number(eur) * 100);
}
