import { describe, expect, test } from "vitest";
import { NOW } from "#test/fixtures.ts";
import type { Entry } from "#app/features/wallet/statement.server.ts";
import type { LotSource, TransactionType } from "#app/platform/schema.ts";
import { toBalanceView, toAmountView, toEntryView, toLotView } from "./wallet-view.server.ts";
import { byMonth } from "./statement.tsx";
import {
  messageOf,
  onwardLabel,
  readSessionId,
  readSince,
} from "#app/routes/wallet/paid-page.server.ts";

const entry = (given: Partial<Entry> = {}): Entry => ({
  seq: 1,
  at: NOW,
  type: "topup",
  note: null,
  amountCents: 1_000,
  balanceCents: 1_000,
  expiresAt: null,
  receipt: null,
  game: null,
  ...given,
});

// spec: 4.28
test.each([
  [1_000, "+10", "plus 10"],
  [-1_000, "\u221210", "minus 10"],
  [901, "+9.01", "plus 9.01"],
  [-1, "\u22120.01", "minus 0.01"],
])("%i cents", (cents, shown, spoken) => {
  expect(toAmountView(cents)).toMatchObject({ shown, spoken });
});

// spec: 4.27
test.each<[TransactionType, string]>([
  ["topup", "Credit Top-up"],
  ["deduction", "Game Payment"],
  ["refund", "Refund"],
  ["credit", "Transaction"],
  ["adjustment", "Transaction"],
  ["expiry", "Transaction"],
  ["reversal", "Transaction"],
  ["withdrawal", "Transaction"],
])("an entry of type %s is called %s", (type, name) => {
  expect(toEntryView(entry({ type })).name).toBe(name);
});

test("an entry is dated by Helsinki's clock, and its note never repeats its name", () => {
  const at = new Date("2026-11-30T22:30:00Z");
  expect(toEntryView(entry({ at, note: "Credit Top-up" }))).toMatchObject({
    month: "2026-12",
    monthDay: "Dec 1",
    monthDayYear: "Dec 1, 2026",
    time: "00:30",
    note: null,
    balance: "10",
  });
  expect(toEntryView(entry({ note: "Single game" })).note).toBe("Single game");
});

test("an entry about a game says where and when it is, and what its name leaves out", () => {
  const game = { id: "1", venueName: "Campus Hall", date: "2026-11-26", startTime: "20:00:00" };
  expect(toEntryView(entry({ type: "deduction", note: "Joined a game", game }))).toMatchObject({
    note: null,
    game: { id: "1", venue: "Campus Hall", when: "Thu, Nov 26, 20:00" },
  });
  const note = "The game was cancelled by the organiser";
  expect(toEntryView(entry({ type: "refund", note, game }))).toMatchObject({ note });
});

test("entries are grouped by month, in their order", () => {
  const on = (day: string) => toEntryView(entry({ at: new Date(`${day}T12:00:00Z`) }));
  const months = byMonth([on("2026-12-02"), on("2026-12-01"), on("2026-11-30"), on("2025-11-30")]);
  expect(months.map(({ month, entries }) => [month, entries.length])).toEqual([
    ["December 2026", 2],
    ["November 2026", 1],
    ["November 2025", 1],
  ]);
});

// spec: 9.2, 9.3
test.each([
  [0, "0 credits", null, "0 games available", false],
  [999, "9 credits", "9.99", "0.01 short of a game", false],
  [100, "1 credit", null, "9 short of a game", false],
  [1_999, "19 credits", "19.99", "1 game available", true],
  [4_000, "40 credits", null, "4 games available", true],
])("a balance of %i cents", (balanceCents, credits, exactly, games, canPlay) => {
  expect(toBalanceView({ balanceCents, debtCents: 0 })).toEqual({
    credits,
    buys: exactly ? `${exactly} exactly, ${games}` : games,
    inShort: `${exactly ? `${exactly} credits` : credits} · ${games}`,
    difference: null,
    canPlay,
    debt: null,
  });
});

test("a debt says what it is", () => {
  expect(toBalanceView({ balanceCents: 0, debtCents: 1_000 }).debt).toBe(
    "You owe 10 credits from a refunded payment.",
  );
});

test.each<[LotSource, string | null, string, string]>([
  ["pack", null, "Bought credits", "Never expires"],
  ["reward", null, "Earned credits", "Never expires"],
  ["refund", "2026-12-12T12:00:00Z", "Refunded credits", "Expires Dec 12, 14:00"],
  ["adjustment", "2026-12-12T12:00:00Z", "From the organiser", "Expires Dec 12, 14:00"],
  ["subscription", "2026-12-12T12:00:00Z", "Monthly credits", "Expires Dec 12, 14:00"],
  [
    "subscription",
    "2026-11-21T09:00:00Z",
    "Monthly credits",
    "Month ended Nov 21, 11:00, renewal pending",
  ],
  ["adjustment", "2026-11-21T09:00:00Z", "From the organiser", "Expired Nov 21, 11:00"],
])("a lot: %s, %s", (source, expires, name, lasts) => {
  const expiresAt = expires ? new Date(expires) : null;
  const lot = { id: "1", source, isRestored: false, remainingCents: 950, expiresAt };
  expect(toLotView(lot, NOW)).toEqual({ id: "1", source: name, credits: "9.50 credits", lasts });
  expect(toLotView({ ...lot, isRestored: true }, NOW).source).toBe("Restored credits");
});

test.each([
  ["/bookings", "Go to My Games"],
  ["/wallet", "See your wallet"],
  ["/events", "Continue"],
])("the way on to %s", (path, label) => {
  expect(onwardLabel(path)).toBe(label);
});

test.each([
  [100, 199, "1 credit added", "New balance: 1 credit."],
  [4_000, 4_099, "40 credits added", "New balance: 40 credits."],
])("%i cents that have arrived make %i", (creditsCents, balanceCents, title, text) => {
  expect(messageOf({ state: "arrived", creditsCents, balanceCents }, null)).toEqual({
    title,
    text,
  });
});

describe("the address of the page after a payment", () => {
  const at = (query: string) => new Request(`http://kickabout.test/wallet/paid?${query}`);

  test.each([
    ["cs_test_a1B2", "cs_test_a1B2"],
    [`cs_${"a".repeat(200)}`, `cs_${"a".repeat(200)}`],
    [`cs_${"a".repeat(201)}`, null],
    ["cs_", null],
    ["{CHECKOUT_SESSION_ID}", null],
    ["pi_123", null],
    ["cs_1'--", null],
    ["cs_1\0", null],
    ["cs_1%0A", null],
    ["", null],
  ])("session %j", (id, read) => {
    expect(readSessionId(at(`session_id=${encodeURIComponent(id)}`))).toBe(read);
  });

  const now = NOW.getTime() / 1_000;
  test.each([
    [String(now - 90), now - 90],
    [String(now - 3_600), now - 3_600],
    [String(now - 3_601), now],
    [String(now + 1), now],
    ["-1", now],
    ["1e9", now],
    ["", now],
  ])("waiting since %j", (text, since) => {
    expect(readSince(at(`since=${text}`), NOW)).toBe(since);
  });
});
