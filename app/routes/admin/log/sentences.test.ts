import { describe, expect, test } from "vitest";
import { hoursLater, NOW } from "#test/fixtures.ts";
import type { Named, RecordedEntry } from "#app/features/audit/entries.server.ts";
import { AUDIT_ACTIONS, type AuditAction } from "#app/platform/audit-actions.ts";
import { toLogEntryView } from "./entry-view.server.ts";
import { textOf } from "./parts.ts";
import { actionLabel, sentenceOf } from "./sentences.server.ts";

const ID = "3f2b8c1e-5a4d-4e6f-8a9b-0c1d2e3f4a5b";
const GAME = {
  ...{ id: ID, date: "2026-11-24", startTime: "18:00:00", venueName: "Töölö Cage" },
};
const ADA = { id: "a", name: "Ada Smith" };
const NOTHING: Named = {
  ...{ game: null, player: null, placed: null, ticket: null, name: null, venueNames: null },
};
const EVERYTHING: Named = {
  ...{
    game: GAME,
    player: ADA,
    placed: null,
    name: "Bikes",
    venueNames: { v1: "Otaniemi", v2: "Töölö Cage" },
  },
  ticket: { kind: "message", subject: "Lost shoes", writer: "Ada Smith", amountEur: null },
};

function entry(action: string, details = {}, about: Partial<RecordedEntry> = {}): RecordedEntry {
  return {
    ...{ id: 1, at: NOW, actor: "x", actorName: "Olga Admin", action, subject: ID, details },
    ...{ others: [], ...EVERYTHING, ...about },
  };
}
const sentence = (action: AuditAction, details = {}, about: Partial<RecordedEntry> = {}) =>
  textOf(sentenceOf(entry(action, details, about)));

const UNREADABLE = /[0-9a-f]{8}-|[{}[\]"]|undefined|null|NaN| {2}|\s$|^\s| [,;:]/;

describe.each(AUDIT_ACTIONS)("%s", (action) => {
  test("has a label and a sentence", () => {
    expect(actionLabel(action)).not.toMatch(UNREADABLE);
    expect(sentence(action)).not.toMatch(UNREADABLE);
    expect(sentence(action).length).toBeLessThan(110);
  });

  test("has one too where everything that it is about is deleted, and from an older version", () => {
    expect(sentence(action, {}, NOTHING)).not.toMatch(UNREADABLE);
    const strange = { before: "text", after: ["list"], notified: null, mail: { x: 1 } };
    expect(sentence(action, strange, NOTHING)).not.toMatch(UNREADABLE);
  });
});

const AT = "Tue, Nov 24, 18:00 at Töölö Cage";
const cases: [AuditAction, object, string][] = [
  ["account.suspend", {}, "suspended Ada Smith"],
  ["game.download", {}, `downloaded the players of ${AT}`],
  [
    "log.download",
    { from: "2026-11-01", to: "2026-11-21" },
    "downloaded the log from Nov 1, 2026 to Nov 21, 2026",
  ],
  ["booking.attendance", { after: { attendance: "CheckedIn" } }, `checked in Ada Smith at ${AT}`],
  [
    "booking.attendance",
    { after: { attendance: "NoShow" } },
    `marked Ada Smith as a no-show at ${AT}`,
  ],
  [
    "booking.attendance",
    { before: { attendance: "NoShow" }, after: { attendance: "NoShow" } },
    `found the attendance of Ada Smith at ${AT} recorded already`,
  ],
  [
    "booking.attendance",
    { after: { attendance: null } },
    `cleared the attendance of Ada Smith at ${AT}`,
  ],
  [
    "booking.remove",
    { after: { refundCents: 1_000 } },
    `removed Ada Smith from ${AT}, with 10 credits back`,
  ],
  [
    "booking.remove",
    { after: { refundCents: 0, isFreeSessionBack: true } },
    `removed Ada Smith from ${AT}, with the free session back`,
  ],
  [
    "booking.cash-kept",
    { before: { amount_eur: "8.00", method: "Cash" } },
    `kept 8.00\u00a0€ that Ada Smith had paid for ${AT}`,
  ],
  [
    "booking.cash-due",
    { before: { amount_eur: "8.00", method: "Cash" } },
    `marked 8.00\u00a0€ that Ada Smith had paid for ${AT} as to be given back`,
  ],
  ["booking.add", { after: { paymentStatus: "Unpaid" } }, `added Ada Smith to ${AT}, unpaid`],
  [
    "booking.add",
    { after: { paymentStatus: "Paid", priceCents: 1_000 } },
    `added Ada Smith to ${AT}, for 10 credits`,
  ],
  [
    "booking.add",
    { after: { paymentStatus: "Paid", priceCents: 0 } },
    `added Ada Smith to ${AT}, with the free session`,
  ],
  [
    "booking.mark-paid",
    { after: { amount_eur: "7.50", method: "MobilePay" } },
    `marked Ada Smith as paid for ${AT}, 7.50\u00a0€ (MobilePay)`,
  ],
  [
    "booking.mark-unpaid",
    { before: { amount_eur: "7.50", method: "MobilePay" }, after: { payment_status: "Unpaid" } },
    `marked Ada Smith as unpaid for ${AT} again, 7.50\u00a0€ (MobilePay)`,
  ],
  [
    "booking.mark-unpaid",
    { before: { amount_eur: "0.00", method: "Other" } },
    `marked Ada Smith as unpaid for ${AT} again`,
  ],
  ["booking.not-collected", {}, `marked the unpaid seat of Ada Smith at ${AT} as not collected`],
  ["booking.collected", {}, `marked the unpaid seat of Ada Smith at ${AT} as to be collected`],
  ["game.cancel", { after: { bookingsCalledOff: 10 } }, `cancelled ${AT}; 10 bookings cancelled`],
  [
    "game.cancel",
    { after: { bookingsCalledOff: 1 }, minPlayers: 8, players: 1 },
    `cancelled ${AT}: 1 of at least 8 players; 1 booking cancelled`,
  ],
  [
    "teams.move",
    { bib: "Blue", before: { team: null }, after: { team: 2 } },
    `put Ada Smith into Blue of ${AT}`,
  ],
  [
    "teams.move",
    { before: { team: null }, after: { team: 2 } },
    `put Ada Smith into a team of ${AT}`,
  ],
  [
    "teams.move",
    { bib: "Blue", before: { team: 1 }, after: { team: 2 } },
    `moved Ada Smith to Blue of ${AT}`,
  ],
  [
    "teams.move",
    { bib: "None", before: { team: 1 }, after: { team: 2 } },
    `moved Ada Smith to another team of ${AT}`,
  ],
  ["game.create", { after: { status: "Draft" } }, `created ${AT} as a draft`],
  [
    "game.edit",
    {
      before: { startTime: "18:00", venueId: "v1", description: "x".repeat(80) },
      after: { startTime: "18:30", venueId: "v2", description: "y".repeat(80) },
      notified: 8,
    },
    `changed ${AT}: start 18:00 → 18:30, venue Otaniemi → Töölö Cage, description; 8 players notified`,
  ],
  [
    "game.message",
    { after: { players: 10 } },
    `messaged the 10 players of ${AT}. Read the message`,
  ],
  [
    "game.result",
    { before: null, after: { firstScore: 5, secondScore: 3, players: [{ bookingId: ID }] } },
    `recorded the result of ${AT}: 5–3`,
  ],
  ["inbox.answer", {}, "answered “Lost shoes” from Ada Smith"],
  [
    "pack.create",
    { after: { priceCents: 3_400, creditsCents: 4_000 } },
    "created the pack Bikes: 34.00\u00a0€ for 40 credits",
  ],
  [
    "pack.edit",
    { before: { priceCents: 3_400 }, after: { priceCents: 3_990 }, isLinkDropped: true },
    "changed the pack Bikes: price 34.00\u00a0€ → 39.90\u00a0€; its payment link is gone",
  ],
  [
    "venue.add-photos",
    { before: { photos: [] }, after: { photos: [{}, {}] } },
    "added 2 photos to Bikes",
  ],
  [
    "wallet.grant",
    { credits: "10", before: { balance: "80.50" }, after: { balance: "90.50" }, key: ID },
    "gave Ada Smith 10 credits (balance 80.50 → 90.50)",
  ],
  [
    "wallet.grant",
    { credits: "-1", before: { balance: "2" }, after: { balance: "1" } },
    "took 1 credit from Ada Smith (balance 2 → 1)",
  ],
];
test.each(cases)("%s with %j", (action, details, text) => {
  expect(sentence(action, details)).toBe(text);
});

test("a series is one sentence, with all its games behind it", () => {
  const others = ["2026-12-01", "2027-01-05"].map((date, index) => ({
    ...{ ...NOTHING, details: {}, game: { ...GAME, id: `g${index}`, date } },
  }));
  const created = entry("game.create", {}, { player: null, others });
  expect(textOf(sentenceOf(created))).toBe(`created ${AT} and 2 more games`);
  expect(toLogEntryView(created).all.map(textOf)).toEqual([
    ...[AT, "Tue, Dec 1, 18:00 at Töölö Cage", "Tue, Jan 5, 2027, 18:00 at Töölö Cage"],
  ]);
});

test("who is placed in teams by one tap is named, with all of them behind it", () => {
  const placed = [ADA, { id: "b", name: "Bo Hall" }, { id: "c", name: "Cleo" }];
  const entryOf = (count: number) =>
    entry("teams.place", {}, { player: null, placed: placed.slice(0, count) });
  expect(textOf(sentenceOf(entryOf(1)))).toBe(`placed Ada Smith in the teams of ${AT}`);
  expect(toLogEntryView(entryOf(1)).all).toEqual([]);
  expect(textOf(sentenceOf(entryOf(3)))).toBe(
    `placed Ada Smith and 2 more players in the teams of ${AT}`,
  );
  expect(toLogEntryView(entryOf(3)).all.map(textOf)).toEqual(placed.map(({ name }) => name));
});

test("a review has no subject, and a withdrawal its amount", () => {
  const of = (ticket: object) => ({ ticket: { ...EVERYTHING.ticket!, ...ticket } });
  expect(sentence("inbox.done", {}, of({ kind: "review", subject: null }))).toBe(
    "marked the review from Ada Smith as done",
  );
  expect(sentence("inbox.paid-back", {}, of({ kind: "withdrawal", amountEur: "9.99" }))).toBe(
    "marked the withdrawal of Ada Smith, 9.99\u00a0€ as refunded",
  );
});

test("players of one form are counted, and what each game lost is added up", () => {
  const other = { ...EVERYTHING, player: { id: "b", name: "Bo Hall" } };
  const others = [{ ...other, details: { after: { bookingsCalledOff: 3 } } }];
  const details = { after: { attendance: "CheckedIn", bookingsCalledOff: 4 } };
  expect(sentence("booking.attendance", details, { others })).toBe(
    `checked in Ada Smith and Bo Hall at ${AT}`,
  );
  const more = [...others, { ...others[0]!, player: { id: "c", name: "Cleo" } }];
  expect(sentence("booking.add", {}, { others: more })).toBe(
    `added Ada Smith and 2 more players to ${AT}`,
  );
  expect(sentence("game.cancel", details, { others })).toMatch(/7 bookings cancelled$/);
});

test("an action of another version is a plain sentence", () => {
  for (const action of ["moon.landed", "__proto__", "constructor"]) {
    const text = textOf(sentenceOf(entry(action, { a: { b: ID } }, NOTHING)));
    expect(text).toMatch(/^recorded “[a-z ]+”$/);
  }
  expect(textOf(sentenceOf(entry("moon.landed")))).toBe(`recorded “moon landed”: ${AT}`);
});

test("a game that is deleted is described as its entry has it", () => {
  const details = { before: { date: "2026-11-24", startTime: "18:00", venueId: "v2" } };
  expect(sentence("game.cancel", details, { game: null })).toMatch(`cancelled the game ${AT};`);
});

test("who is unknown and what the entry is about have words too", () => {
  const view = toLogEntryView({ ...entry("x.y", {}, NOTHING), actorName: null, at: hoursLater(1) });
  expect([view.who, view.name]).toEqual(["Somebody", "something that is deleted"]);
});

describe("what the sentence leaves out", () => {
  test.each([
    ["nothing", {}, []],
    [
      "short changes, which it says itself",
      { before: { startTime: "18:00" }, after: { startTime: "19:00" } },
      [],
    ],
    [
      "of long texts the lines that differ",
      {
        before: { description: `a\nb\nc\n${"d".repeat(60)}` },
        after: { description: `a\nB\nnew\nc\n${"d".repeat(60)}`, id: ID },
      },
      [{ label: "description", before: "b", after: "B\nnew" }],
    ],
    [
      "all of three changes",
      {
        before: { isOutdoor: true, sport: "Futsal", title: "A" },
        after: { isOutdoor: false, sport: "Football", title: "B" },
      },
      [
        { label: "title", before: "A", after: "B" },
        { label: "sport", before: "Futsal", after: "Football" },
        { label: "outdoor", before: "yes", after: "no" },
      ],
    ],
  ])("%s", (_, details, changes) => {
    expect(toLogEntryView(entry("game.edit", details)).changes).toEqual(changes);
  });
});
