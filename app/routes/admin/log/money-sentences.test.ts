import { expect, test } from "vitest";
import { NOW } from "#test/fixtures.ts";
import type { AuditAction } from "#app/platform/audit-actions.ts";
import { textOf } from "./parts.ts";
import { sentenceOf } from "./sentences.server.ts";

const ADA = { id: "a", name: "Ada Smith" };
const NINE = "a payment of 9.99\u00a0€";
const ASSIGNED = {
  resolution: "assign",
  paid: { amountCents: 999, currency: "eur" },
  ...{ pack: "Single game", priceCents: 999, creditsCents: 1_000 },
};

const cases: [AuditAction, Record<string, unknown>, string][] = [
  ["payment.resolve", { resolution: "assign" }, "assigned a payment to Ada Smith"],
  ["payment.resolve", ASSIGNED, `assigned ${NINE} to Ada Smith: 10 credits, as “Single game”`],
  [
    "payment.resolve",
    { ...ASSIGNED, priceCents: 3_400, creditsCents: 4_000, isConfirmed: true },
    `assigned ${NINE} to Ada Smith: 40 credits, as “Single game”, which costs 34.00\u00a0€`,
  ],
  [
    "payment.take-back",
    { paid: ASSIGNED.paid, pack: "Single game", creditsCents: 1_000 },
    `took back ${NINE} from Ada Smith: 10 credits, as “Single game”`,
  ],
  ["payment.resolve", { resolution: "dismiss", paid: ASSIGNED.paid }, `dismissed ${NINE}`],
  [
    "payment.resolve",
    { ...ASSIGNED, paid: "9.99" },
    "assigned a payment to Ada Smith: 10 credits, as “Single game”",
  ],
];

test.each(cases)("%s with %j", (action, details, text) => {
  const named = { game: null, player: ADA, placed: null, ticket: null, name: null };
  const entry = { id: 1, at: NOW, actor: "x", actorName: "Olga Admin", action, subject: "evt_1" };
  const recorded = { ...entry, ...named, venueNames: null, others: [], details };
  expect(textOf(sentenceOf(recorded))).toBe(text);
});
