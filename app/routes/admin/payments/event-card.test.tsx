import { expect, test } from "vitest";
import { NOW } from "#test/fixtures.ts";
import { renderPage } from "#test/screen.tsx";
import { aPack } from "#test/wallet-fixtures.ts";
import type { UnmatchedEvent } from "#app/features/wallet/stripe/unmatched-events.server.ts";
import type { UnmatchedReason } from "#app/platform/schema.ts";
import type { ConfirmedResult } from "#app/routes/admin/confirmation.tsx";
import { toEventView, toPackChoice, totalText } from "./event-view.ts";
import Payments from "./list.tsx";

const unmatched = (given: Partial<UnmatchedEvent> = {}): UnmatchedEvent => ({
  id: "evt_1",
  type: "checkout.session.completed",
  objectId: "cs_1",
  receivedAt: NOW,
  reason: "unknown-player",
  paid: { amountCents: 999, currency: "eur" },
  playerEmail: null,
  packId: null,
  canAssign: true,
  needsPack: true,
  dashboard: "https://dashboard.stripe.com/test/payments/pi_1",
  isSale: true,
  ...given,
});
const KEYED = { demo: false, stripeSecretKey: "sk_test_1" };
const PACKS = ["Single game", "4 games a month"].map((name, n) =>
  toPackChoice(aPack({ id: `pack-${n}`, name })),
);

function render(events: UnmatchedEvent[], actionData?: ConfirmedResult): string {
  const list = {
    events: events.map((event) => toEventView(event, KEYED)),
    canRefund: true,
    packs: PACKS,
    hasMore: false,
    recent: "",
    assigned: [],
  };
  return renderPage(Payments, { loaderData: list, actionData });
}

test("with everything known it is one click", () => {
  const html = render([unmatched({ playerEmail: "ada@uni.example", packId: "pack-1" })]);
  expect(html).toMatch(/<input[^>]* name="email"[^>]* value="ada@uni.example"/);
  expect(html).toMatch(/<option[^>]* value="pack-1"[^>]* selected=""|selected="" value="pack-1"/);
  expect(html).toContain(">Give the credits</button>");
  expect(html.match(/name="eventId" value="evt_1"/g)).toHaveLength(4);
});

test("without a pack to choose, and without anybody to give it to", () => {
  const begun = render([unmatched({ needsPack: false })]);
  expect(begun).toContain(">It belongs to this player</button>");
  expect(begun).not.toContain("<select");
  const refund = render([unmatched({ type: "charge.refunded", paid: null, canAssign: false })]);
  expect(refund).not.toContain('name="email"');
  expect(refund).toContain(">Try again</button>");
});

test("shows what is wrong at its field, with what was typed", () => {
  const html = render([unmatched(), unmatched({ id: "evt_2" })], {
    fieldErrors: { email: "No player has this email address." },
    values: { eventId: "evt_1", email: "adda@uni.example", packId: "pack-0" },
  });
  expect(html.match(/aria-invalid="true"/g)).toHaveLength(1);
  expect(html).toContain('href="#email-evt_1"');
  expect(html).toMatch(/value="adda@uni.example"/);
});

test("asks in its card, with a button that names what is given", () => {
  const confirmation = {
    ...{ title: "9.99 € was paid, this pack costs 34.00 €", text: "It becomes 40 credits." },
    ...{ button: "Give 40 credits anyway", key: "pack-1 999 3400 4000" },
  };
  const result = { confirmation, values: { eventId: "evt_1", packId: "pack-1" } };
  const html = render([unmatched(), unmatched({ id: "evt_2" })], result);
  expect(html.match(/role="alert"/g)).toHaveLength(1);
  expect(html).toMatch(/value="pack-1 999 3400 4000"[^>]* name="confirmed"/);
});

test("leads to the very payment at Stripe, and asks once before it is refunded", () => {
  const html = render([unmatched()]);
  expect(html).toContain('href="https://dashboard.stripe.com/test/payments/pi_1"');
  expect(html).toContain("Refund 9.99\u00a0€?");
  expect(html).toMatch(/name="intent" value="refund"/);
  const begun = render([unmatched({ isSale: false }), unmatched({ reason: "mode", id: "evt_2" })]);
  expect(begun).not.toContain('value="refund"');
});

const stillUnmatched = { title: "Still not matched", formError: "The reason is the same." };

test("shows in its card why nothing was done", () => {
  const result = { ...stillUnmatched, values: { eventId: "evt_2" } };
  const cards = render([unmatched(), unmatched({ id: "evt_2" })], result).split("<article");
  expect(cards.map((card) => card.includes('role="alert"'))).toEqual([false, false, true]);
});

test("shows over the list what happened to an event that has left it", () => {
  const result = { ...stillUnmatched, values: { eventId: "evt_9" } };
  const cards = render([unmatched()], result).split("<article");
  expect(cards.map((card) => card.includes("Still not matched"))).toEqual([true, false]);
});

test("text of Stripe's event is escaped", () => {
  const hostile = '"><script>alert(1)</script>';
  const html = render([
    unmatched({ id: hostile, objectId: hostile, playerEmail: hostile, type: hostile }),
    unmatched({ paid: { amountCents: 1, currency: hostile } }),
  ]);
  expect(html).not.toContain("<script");
  expect(html).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
});

test("an empty list says so", () => {
  expect(render([])).toContain("Nothing to settle. Every payment has found its player.");
});

test.each<[Partial<UnmatchedEvent>, string]>([
  [{}, "Single payment"],
  [{ type: "checkout.session.async_payment_succeeded" }, "Single payment"],
  [{ needsPack: false }, "New subscription"],
  [{ paid: null, canAssign: false, needsPack: false }, "Payment"],
  [{ type: "invoice.paid" }, "Month of a subscription"],
  [{ type: "charge.refunded" }, "Refund"],
  [{ type: "refund.failed" }, "Refund"],
  [{ type: "charge.dispute.funds_withdrawn" }, "Dispute"],
  [{ type: "customer.subscription.updated" }, "customer.subscription.updated"],
])("%j is called %s", (given, kind) => {
  expect(toEventView(unmatched(given), KEYED).kind).toBe(kind);
});

test.each([
  [123_456, "eur", "1,234.56\u00a0€"],
  [1_000, "jpy", "1,000 JPY"],
  [1_234, "KWD", "1.234 KWD"],
  [5, "usd", "0.05 USD"],
  [999, "", "9.99"],
  [999, "<b>", "9.99 <B>"],
])("%i of %j is %s", (amountCents, currency, words) => {
  expect(toEventView(unmatched({ paid: { amountCents, currency } }), KEYED).amount).toBe(words);
});

test.each<UnmatchedReason>([
  "mode",
  "unreadable",
  "unknown-player",
  "another-player",
  "no-customer",
  "unknown-customer",
  "unknown-pack",
  "wrong-amount",
  "not-a-month",
  "unknown-payment",
  "refund-failed",
])("the reason %s explains why and what to do", (reason) => {
  const { why, todo } = toEventView(unmatched({ reason }), KEYED);
  expect(why).toMatch(/^[A-Z].+\.$/);
  expect(todo).toMatch(/^[A-Z].+\.$/);
  expect(`${why} ${todo}`).not.toContain(reason);
});

test.each(["", "anything", "constructor", "__proto__"])(
  "an unknown reason has a general explanation: %j",
  (reason) => {
    const { why, todo } = toEventView(unmatched({ reason: reason as UnmatchedReason }), KEYED);
    expect([why, todo]).toEqual([
      "It could not be matched.",
      "Ask the people who run the site to look at it, then try again.",
    ]);
  },
);

test("a payment of nothing gives no credits", () => {
  const paid = { amountCents: 0, currency: "eur" };
  expect(toEventView(unmatched({ reason: "wrong-amount", paid }), KEYED).why).toMatch(
    /^Nothing was paid/,
  );
});

test("an event without an object shows its own id", () => {
  expect(toEventView(unmatched({ objectId: "" }), KEYED).objectId).toBe("evt_1");
});

test.each([
  [0, 0, "No card payment arrived in the last 30 days."],
  [1, 999, "1 payment of 9.99\u00a0€ in all was credited in the last 30 days."],
  [2, 4_399, "2 payments of 43.99\u00a0€ in all were credited in the last 30 days."],
])("%i payments", (count, cents, words) => {
  expect(totalText({ count, cents })).toBe(words);
});
