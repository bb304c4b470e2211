import { describe, expect, test } from "vitest";
import { type PriceViewer, priceView } from "./price.ts";

const [PAID, FREE] = [false, true].map((isFirstSessionFree) => ({ id: "1", isFirstSessionFree }));
const player = (viewer: Partial<PriceViewer>) => ({
  ...{ hasUsedFreeSession: true, balanceCents: 1_000, joined: [], joinedFree: [] },
  ...viewer,
});
const NEW = { hasUsedFreeSession: false };
const [BROKE, JOINED] = [{ balanceCents: 999 }, { joined: ["1"] }];

// spec: 9.5, 9.6
describe("euros stand beside the credits", () => {
  test.each([
    ["for a visitor", PAID, null],
    ["for a visitor of a game that is free for newcomers", FREE, null],
    ["for who lacks a cent", PAID, player(BROKE)],
    ["for who lacks credits and has used the free session", FREE, player(BROKE)],
  ])("%s", (_, game, viewer) => {
    expect(priceView(game!, viewer)).toMatchObject({
      ...{ cents: 1_000, credits: "10 credits (10.00\u00a0€)", hasEuros: true },
    });
  });

  test.each([
    ["not for who has the credits", PAID, player({}), 1_000],
    ["not for who is in", PAID, player({ ...BROKE, ...JOINED }), 1_000],
    ["not where the game is free for this viewer", FREE, player({ ...BROKE, ...NEW }), 0],
  ])("%s", (_, game, viewer, cents) => {
    expect(priceView(game!, viewer)).toMatchObject({
      cents,
      credits: "10 credits",
      hasEuros: false,
    });
  });
});

test.each([
  [
    "a visitor reads that a free first session may be theirs",
    FREE,
    null,
    "Free if it's your first session",
  ],
  ["a visitor reads nothing of it at another game", PAID, null, null],
  ["a player with the free session reads that it is free", FREE, player(NEW), "Free for you"],
  ["a player with the free session pays for another game", PAID, player(NEW), null],
  ["a player who has used it reads nothing of it", FREE, player({}), null],
  ["who has joined it free reads that", FREE, player({ ...JOINED, joinedFree: ["1"] }), "Free"],
  ["who has joined it for credits reads nothing of it", FREE, player(JOINED), null],
])("%s", (_, game, viewer, free) => {
  expect(priceView(game!, viewer).free).toBe(free);
});
