import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { CANCELLATION_IN_SHORT, CANCELLATION_POLICY } from "#app/features/seats/rules.ts";
import { NOW } from "#test/fixtures.ts";
import { aPack } from "#test/wallet-fixtures.ts";
import { type FailedCheckout, methodTexts, packOffer, type PlanOffer } from "./plans.server.ts";
import { toSubscriptionView } from "./subscription-view.server.ts";
import PlanChoice from "./plan-choice.tsx";
import { PlanDialog } from "./plan-dialog.tsx";

const PACKS = [
  [999, 10],
  [3_400, 40],
  [6_400, 80],
  [9_000, 120],
].map(([priceCents = 0, credits = 0], n) =>
  aPack({
    id: `pack-${n}`,
    name: `Pack ${n}`,
    priceCents,
    creditsCents: credits * 100,
    isMonthly: n > 0,
  }),
);

function render(offer: Partial<PlanOffer> = {}, result?: FailedCheckout): string {
  const plans: PlanOffer = {
    id: "opening",
    ...packOffer(PACKS),
    chosenId: "pack-0",
    need: null,
    debt: null,
    running: [],
    game: null,
    formKey: null,
    policy: { inShort: CANCELLATION_IN_SHORT, rules: CANCELLATION_POLICY },
    methods: methodTexts({ single: ["card", "MobilePay"], monthly: ["card"] }),
    returnTo: "/events/1",
    ...offer,
  };
  const Component = () => <PlanChoice plans={plans} result={result} />;
  const Stub = createRoutesStub([{ path: "/", Component }]);
  return renderToStaticMarkup(<Stub />);
}
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, "|")
    .replace(/\|+/g, "|")
    .replaceAll("&#x27;", "'");

test("as plain HTML it is open, with both kinds of plan, and posts to checkout", () => {
  const html = render();
  expect(html).toMatch(/<dialog[^>]* id="plans"[^>]* open=""/);
  expect(html).toMatch(/<form[^>]* action="\/checkout"/);
  expect(html).toContain('name="returnTo" value="/events/1"');
  expect(html).not.toMatch(/ hidden=""/);
  expect(html.match(/type="radio"/g)).toHaveLength(4);
  expect(html).toMatch(/<input[^>]* checked=""[^>]* value="pack-0"|value="pack-0"[^>]* checked=""/);
  expect(html).toMatch(/<button[^>]* form="plan-form"[^>]*>START PLAYING<\/button>/);
});

// spec: 2.83, 2.84, 2.85, 2.88, 2.91, 9.20, 9.36
test("it uses the specification's words", () => {
  const text = textOf(render());
  for (const quoted of [
    "|Choose Your Plan|",
    "|Pay Per Game|",
    "|Monthly Subscription|",
    "|9,99 € per game|",
    "|8.50€ per game|",
    "|8.00€ per game|",
    "|7.50€ per game|",
    "|START PLAYING|",
    "Subscriptions auto-renew, cancel anytime, credits reset monthly",
    "34.00\u00a0€, incl. VAT",
    "Renews every month at 34.00\u00a0€, incl. VAT, until you cancel",
    "Manage subscription",
    ...CANCELLATION_POLICY,
  ]) {
    expect(text).toContain(quoted);
  }
  expect(text.match(/MOST POPULAR/g)).toHaveLength(1);
  expect(text).toMatch(/Pack 2\|64\.00\u00a0€\|[^P]*\|8\.00€ per game\|[^P]*\|MOST POPULAR\|/);
});

test("without a choice it names how single payments and monthly plans can be paid", () => {
  expect(textOf(render())).toContain(
    "|START PLAYING|Next: secure payment by card or MobilePay. A monthly plan: by card.|",
  );
});

test("it says what is missing, what is owed, and for which game", () => {
  const need = "This game costs 10 credits. You have 4.";
  const debt = "You owe 10 credits.";
  const game = {
    path: "/events/1",
    venue: "Campus Hall",
    when: "Mon 12:00",
    spots: "1 spots left",
    note: "Your spot is held for 15 minutes.",
    held: null,
  };
  expect(textOf(render({ game, need, debt }))).toContain(
    `|Campus Hall|Mon 12:00| |1 spots left|${need}|${game.note}|${debt}|`,
  );
  expect(render()).not.toContain('role="status"');
});

test("the rule of cancellation is a line, which unfolds the whole of it and of renewals", () => {
  const [, folded = ""] = /<details[^>]*>(.*)<\/details>/.exec(render()) ?? [];
  expect(textOf(folded)).toContain(
    "|Cancel at least 24 hours before kick-off and your credits come back, minus 0.99. |Read the rules|",
  );
  for (const sentence of CANCELLATION_POLICY) expect(textOf(folded)).toContain(sentence);
  expect(textOf(folded)).toContain("replaces what is left of the month before");
});

test("a form without a plan is answered under the plans, and nowhere else", () => {
  const result = { title: "Choose a plan first", fieldErrors: { packId: "Choose a plan first." } };
  const monthly = { ...packOffer(PACKS.slice(1)), chosenId: null };
  const html = render(monthly, result);
  expect(html).not.toContain("required");
  const [, id = "none"] = /<fieldset[^>]* aria-describedby="([^"]+)"/.exec(html) ?? [];
  expect(html).toContain(`<p id="${id}" role="alert"`);
  expect(html.match(/Choose a plan first/g)).toHaveLength(1);
  expect(html.indexOf("Choose a plan first")).toBeGreaterThan(html.lastIndexOf('type="radio"'));
});

const running = toSubscriptionView({
  id: "sub_a1b2",
  status: "active",
  isEnding: false,
  periodEnd: new Date("2026-12-21T10:00:00Z"),
  packId: "pack-2",
  packName: "Pack 2",
  startedAt: NOW,
  month: { creditsCents: 8_000, priceCents: 6_400 },
});

test("a running plan is named, and the others lead to the portal instead of checkout", () => {
  const html = render({ running: [running] });
  const text = textOf(html);
  expect(text).toMatch(/\|Pack 2\|Your plan\|[^|]*\|Renews on Dec 21\.\|Manage subscription\|/);
  expect(text).toMatch(/\|Pack 1\|[^C]*\|Change plan\| to Pack 1\|Pack 3\|/);
  expect(html.match(/<form[^>]* action="\/wallet"/g)).toHaveLength(3);
  expect(html.match(/name="subscriptionId" value="sub_a1b2"/g)).toHaveLength(3);
  // The single pack alone is sold.
  expect(html.match(/type="radio"/g)).toHaveLength(1);
});

test("without a single pack on sale a running plan leaves nothing to pay", () => {
  const html = render({ ...packOffer(PACKS.slice(1)), chosenId: null, running: [running] });
  expect(html).not.toContain("START PLAYING");
  expect(textOf(html)).toContain("|Your plan|");
});

test("two running plans differ by when they began and their reference", () => {
  const html = render({ running: [running, { ...running, id: "sub_c3d4", origin: "Other" }] });
  expect(textOf(html)).toContain("|Started on Nov 21, reference …a1b2|");
  expect(textOf(html)).toContain("|Other|");
});

test("with nothing on sale there is nothing to press", () => {
  const text = textOf(render({ packs: [], chosenId: null }));
  expect(text).toContain("No plans are on sale right now.");
  expect(text).not.toContain("START PLAYING");
});

// spec: 8.14
test("a failed load says so in the page", () => {
  const failure = { title: "Error", formError: "Failed to load credit packs" };
  expect(textOf(renderToStaticMarkup(<PlanDialog plans={{ failure }} />))).toContain(
    "|Error|Failed to load credit packs|",
  );
  expect(renderToStaticMarkup(<PlanDialog plans={null} />)).toBe("");
});
