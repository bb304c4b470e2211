import { topUp } from "#app/features/wallet/ledger.server.ts";
import { expect, test } from "./fixtures.ts";
import { addPlayer, addRaceGames } from "./players.ts";

test("a payment goes on from its game, and an open checkout says that its spot was given back", async ({
  page,
  signIn,
  database: { db },
}) => {
  const [gameId = ""] = await addRaceGames(db, { count: 1, spots: 9 });
  const { who, userId } = await addPlayer(db);
  await topUp(db, { userId, amountCents: 901, key: `open-${userId}` });
  await signIn(who);
  await page.goto(`/events/${gameId}`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Pay and join" }).click();
  await page.getByRole("button", { name: "Pay 0.99 € and join" }).click();
  await expect(page.getByText("0.99 € is missing for this game.")).toBeVisible();
  const tab = await page.context().newPage();
  await tab.goto(`/events/${gameId}`, { waitUntil: "networkidle" });
  await expect(tab.getByRole("button", { name: "Change plan" })).toBeVisible();
  await tab.getByRole("button", { name: "Continue to payment" }).click();
  await expect(tab).toHaveURL(page.url());
  await tab.goto(`/events/${gameId}`, { waitUntil: "networkidle" });
  await tab.getByRole("button", { name: "Give the spot back" }).click();
  await expect(tab.getByLabel("Notifications")).toContainText("Spot given back");
  await page.bringToFront();
  const alone = "No spot is held for you any more. What you buy stays in your wallet.";
  await expect(page.getByText(alone)).toBeVisible();
});
