import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { NOW } from "#test/fixtures.ts";
import { aPack } from "#test/wallet-fixtures.ts";
import type { UnmatchedEvent } from "#app/features/wallet/unmatched-events.server.ts";
import type { UnmatchedReason } from "#app/platform/schema.ts";
import { ParkedList } from "./parked-list.tsx";
import { showPack, showParked, totalWords } from "./parked-words.ts";
import type { Refusal } from "./settle-form.ts";

const parked = (given: Partial<UnmatchedEvent> = {}): UnmatchedEvent => ({
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
  ...given,
});
const PACKS = ["Single game", "4 games a month"].map((name, n) =>
  showPack(aPack({ id: `pack-${n}`, name })),
);

function render(events: UnmatchedEvent[], { refusal }: { refusal?: Refusal } = {}): string {
  const payments = events.map(showParked);
  const list = { payments, packs: PACKS, hasMore: false, refusal };
  const Stub = createRoutesStub([{ path: "/", Component: () => <ParkedList {...list} /> }]);
  return renderToStaticMarkup(<Stub />);
}

test("with everything known it is one click", () => {
  const html = render([parked({ playerEmail: "ada@uni.example", packId: "pack-1" })]);
  expect(html).toMatch(/<input[^>]* name="email"[^>]* value="ada@uni.example"/);
  expect(html).toMatch(/<option[^>]* value="pack-1"[^>]* selected=""|selected="" value="pack-1"/);
  expect(html).toContain(">Give the credits</button>");
  expect(html.match(/name="eventId" value="evt_1"/g)).toHaveLength(3);
});

test("without a pack to choose, and without anybody to give it to", () => {
  const begun = render([parked({ needsPack: false })]);
  expect(begun).toContain(">It belongs to this player</button>");
  expect(begun).not.toContain("<select");
  const refund = render([parked({ type: "charge.refunded", paid: null, canAssign: false })]);
  expect(refund).not.toContain('name="email"');
  expect(refund).toContain(">Try again</button>");
});

test("what is wrong stands at its field, with what was typed", () => {
  const refusal = {
    eventId: "evt_1",
    errors: { email: "No player has this email address." },
    values: { email: "adda@uni.example", packId: "pack-0" },
  };
  const html = render([parked(), parked({ id: "evt_2" })], { refusal });
  expect(html.match(/aria-invalid="true"/g)).toHaveLength(1);
  expect(html).toContain('href="#email-evt_1"');
  expect(html).toMatch(/value="adda@uni.example"/);
});

test("why nothing was done stands in its card", () => {
  const notice = { title: "Still not matched", description: "The reason is the same." };
  const refusal = { eventId: "evt_2", notice };
  const cards = render([parked(), parked({ id: "evt_2" })], { refusal }).split("<article");
  expect(cards.map((card) => card.includes('role="alert"'))).toEqual([false, false, true]);
});

test("whatever Stripe's event says stays text", () => {
  const hostile = '"><script>alert(1)</script>';
  const html = render([
    parked({ id: hostile, objectId: hostile, playerEmail: hostile, type: hostile }),
    parked({ paid: { amountCents: 1, currency: hostile } }),
  ]);
  expect(html).not.toContain("<script");
  expect(html).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
});

test("nothing to settle", () => {
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
  expect(showParked(parked(given)).kind).toBe(kind);
});

test.each([
  [123_456, "eur", "1,234.56 EUR"],
  [1_000, "jpy", "1,000 JPY"],
  [1_234, "KWD", "1.234 KWD"],
  [5, "usd", "0.05 USD"],
  [999, "", "9.99"],
  [999, "<b>", "9.99 <B>"],
])("%i of %j is %s", (amountCents, currency, words) => {
  expect(showParked(parked({ paid: { amountCents, currency } })).amount).toBe(words);
});

test.each<UnmatchedReason>([
  "mode",
  "unreadable",
  "unknown-player",
  "another-player",
  "unknown-customer",
  "unknown-pack",
  "wrong-amount",
  "not-a-month",
  "unknown-payment",
  "refund-failed",
])("the reason %s says why and what to do", (reason) => {
  const { why, todo } = showParked(parked({ reason }));
  expect(why).toMatch(/^[A-Z].+\.$/);
  expect(todo).toMatch(/^[A-Z].+\.$/);
  expect(`${why} ${todo}`).not.toContain(reason);
});

test.each(["", "anything", "constructor", "__proto__"])("no reason we know: %j", (reason) => {
  const { why, todo } = showParked(parked({ reason: reason as UnmatchedReason }));
  expect([why, todo]).toEqual([
    "It could not be matched.",
    "Have it looked at by whoever runs the site, then try again.",
  ]);
});

test("a payment of nothing has nothing to give", () => {
  const paid = { amountCents: 0, currency: "eur" };
  expect(showParked(parked({ reason: "wrong-amount", paid })).why).toMatch(/^Nothing was paid/);
});

test("an object without an id is named by its event", () => {
  expect(showParked(parked({ objectId: "" })).objectId).toBe("evt_1");
});

test.each([
  [0, 0, "No payment arrived in the last 30 days."],
  [1, 999, "1 payment of 9.99 € in all was credited in the last 30 days."],
  [2, 4_399, "2 payments of 43.99 € in all were credited in the last 30 days."],
])("%i payments", (count, cents, words) => {
  expect(totalWords({ count, cents })).toBe(words);
});
