import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { CANCELLATION_POLICY } from "#app/features/bookings/rules.ts";
import { aPack } from "#test/wallet-fixtures.ts";
import { packViews, type PlanOffer } from "./plans.server.ts";
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

function render(offer: Partial<PlanOffer> = {}): string {
  const plans: PlanOffer = {
    id: "opening",
    packs: packViews(PACKS),
    chosenId: "pack-2",
    need: null,
    debt: null,
    hasMonthlyPlan: false,
    policy: CANCELLATION_POLICY,
    returnTo: "/events/1",
    ...offer,
  };
  const Stub = createRoutesStub([{ path: "/", Component: () => <PlanChoice plans={plans} /> }]);
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
  expect(html).toMatch(/<input[^>]* checked=""[^>]* value="pack-2"|value="pack-2"[^>]* checked=""/);
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
    "34.00 €, incl. VAT",
    "Renews every month at 34.00 €, incl. VAT, until you cancel",
    "Manage subscription",
    ...CANCELLATION_POLICY,
  ]) {
    expect(text).toContain(quoted);
  }
  expect(text.match(/MOST POPULAR/g)).toHaveLength(1);
  expect(text).toMatch(/Pack 2\|8\.00€ per game\|[^P]*\|MOST POPULAR\|/);
});

test("it says what is missing, what is owed, and that there is a plan already", () => {
  const need = "You need 10 credits and have 4. You need 6 more.";
  const debt = "You owe 10 credits.";
  expect(textOf(render({ need, debt }))).toContain(`|${need}|${debt}|`);
  const html = render({ hasMonthlyPlan: true });
  expect(html).toMatch(/You already have a monthly subscription\. <a[^>]* href="\/wallet"/);
  expect(render()).not.toContain('role="status"');
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
