import { expect, test, vi } from "vitest";
import { packViews } from "#app/routes/credits/plans.server.ts";
import { aPack } from "#test/wallet-fixtures.ts";
import { gamesAvailable } from "./rules.ts";

vi.mock("#app/features/games/rules.ts", async (original) => ({
  ...(await original<object>()),
  GAME_PRICE_CENTS: 1_200,
}));

test("with another game price the wallet counts games, and plans cost per game, by it", () => {
  expect([2_399, 2_400].map(gamesAvailable)).toEqual([1, 2]);
  const [single] = packViews([aPack({ priceCents: 1_000, creditsCents: 1_000 })]);
  expect(single!.perGame).toBe("12,00 € per game");
});
