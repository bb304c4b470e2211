import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { NOW } from "#test/fixtures.ts";
import { toEntryView } from "#app/routes/credits/wallet-view.server.ts";
import type { PaidPage } from "./paid-page.server.ts";
import Paid from "./paid.tsx";
import { Statement, WalletHistory } from "#app/routes/credits/statement.tsx";

function render(Component: ComponentType): string {
  const Stub = createRoutesStub([{ path: "/", Component }]);
  return renderToStaticMarkup(<Stub />);
}

const spent = toEntryView({
  seq: 7,
  at: NOW,
  type: "deduction",
  note: "Joined a game",
  amountCents: -1_000,
  balanceCents: 3_050,
  expiresAt: null,
  receipt: null,
  game: { id: "game-1", venueName: "Campus Hall", date: "2026-11-23", startTime: "20:00:00" },
});

// spec: 4.28
test("an entry is seen with its sign and heard without it", () => {
  for (const html of [
    render(() => <Statement entries={[spent]} olderBefore={7} hasNewer={false} />),
    render(() => <WalletHistory entries={[spent]} />),
  ]) {
    expect(html).toContain('<span aria-hidden="true">\u221210</span>');
    expect(html).toContain('<span class="sr-only">minus 10</span>');
    expect(html).toContain("Game Payment");
    expect(html).not.toContain("Joined a game");
    expect(html).toMatch(
      /href="\/events\/game-1"[^>]*><span translate="no">Campus Hall<.span><span[^>]*> · <.span><span[^>]*>Mon, Nov 23, 20:00</,
    );
  }
});

test("a statement has its month, its balance and the way to older entries", () => {
  const html = render(() => <Statement entries={[spent]} olderBefore={7} hasNewer={false} />);
  expect(html).toMatch(/scope="rowgroup"[^>]*>November 2026</);
  expect(html).toContain(">30.50</td>");
  expect(html).toContain('href="/wallet?before=7#statement"');
  expect(html).toContain('href="/wallet/statement.csv"');
  expect(html).not.toContain("Newest entries");
});

test("the profile shows three transactions, and the others on demand", () => {
  const entries = Array.from({ length: 10 }, (_, n) => ({ ...spent, seq: n }));
  const html = render(() => <WalletHistory entries={entries} />);
  const [shown = "", more = ""] = html.split("<details");
  expect([shown.match(/<li/g), more.match(/<li/g)].map((rows) => rows?.length)).toEqual([3, 7]);
  expect(more).toContain(">7 more</summary>");
  expect(render(() => <WalletHistory entries={entries.slice(0, 3)} />)).not.toContain("<details");
});

test("an empty statement says so", () => {
  const empty = { entries: [], olderBefore: null };
  expect(render(() => <WalletHistory entries={[]} />)).toContain("No transactions yet.");
  const first = render(() => <Statement {...empty} hasNewer={false} />);
  expect(first).toContain("No transactions yet.");
  expect(first).toMatch(/href="\/events"[^>]*>Find a game</);
  expect(first).not.toContain("Download CSV");
  expect(render(() => <Statement {...empty} hasNewer />)).toContain("There is nothing older.");
});

const paid: PaidPage = {
  sessionId: "cs_test_1",
  state: "waiting",
  mark: "waiting",
  message: { title: "Waiting for your credits", text: "Your payment is on its way to us." },
  isLong: false,
  again: "/wallet/paid?session_id=cs_test_1&since=1",
  refreshes: true,
  ...{ retry: null, formKey: null },
  game: null,
  paidGame: null,
  onward: null,
  hasOutcome: false,
  isForGame: false,
  receipt: null,
  contactEmail: "hello@kickabout.example",
};
const renderPaid = (page: Partial<PaidPage>) =>
  render(() => <Paid {...({ loaderData: { ...paid, ...page } } as Parameters<typeof Paid>[0])} />);

test("the waiting page speaks in a live region, and refreshes itself only without JavaScript", () => {
  const html = renderPaid({});
  expect(html).toMatch(/role="status"[^>]*><p[^>]*>Waiting for your credits</);
  expect(html).toMatch(/<noscript><meta http-equiv="refresh" content="5;url=[^"]*cs_test_1/);
  expect(renderPaid({ refreshes: false })).not.toContain("refresh");
});

test("one that waits long or is unmatched says whom to write to, with the reference", () => {
  for (const page of [{ isLong: true }, { state: "unmatched" as const }]) {
    const html = renderPaid(page);
    expect(html).toContain('href="mailto:hello@kickabout.example?subject=Payment%20cs_test_1"');
  }
  expect(renderPaid({})).not.toContain("mailto:");
});

test("a failed one offers to buy again, an arrived one leads on", () => {
  const fields = { packId: "pack-1", returnTo: "/wallet" };
  const retry = { fields, what: "Single game", price: "9.99\u00a0€", shown: "" };
  const again = renderPaid({ state: "failed", retry });
  expect(again).toMatch(/action="\/checkout"[\s\S]*value="pack-1"[\s\S]*Try again · 9\.99/);
  expect(renderPaid({ state: "failed" })).toMatch(/action="\/wallet"[\s\S]*Try again/);
  const onward = { to: "/bookings", label: "Go to My Games" };
  const html = renderPaid({ state: "arrived", refreshes: false, onward });
  expect(html).toMatch(/href="\/bookings"[^>]*>Go to My Games</);
});
