import type { Connection } from "#app/platform/connect.server.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { addPlayer } from "./players.ts";

const AMOUNT = "9.99\u00a0€";

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("a bank confirms two days later, and a second payment is asked about meanwhile", async ({
      page,
      signIn,
      database,
    }) => {
      const { who, userId } = await addPlayer(database.db);
      await signIn(who);
      await startPlaying(page);
      const bank = await payLater(page);
      await twoDaysLater(database, userId);
      await page.goto("/wallet");
      const waiting = page.getByText(`Waiting for your bank · ${AMOUNT}`);
      await expect(waiting).toBeVisible();

      await startPlaying(page);
      const question = `You have a payment of ${AMOUNT} on its way`;
      await expect(page.getByText(question)).toBeVisible();
      await page.getByRole("button", { name: "Pay anyway" }).click();
      await expect(page).toHaveURL(/\/demo\/checkout\//);

      await page.goto(bank);
      await page.getByRole("button", { name: "The bank confirms" }).click();
      await expect(page.getByText("10 credits added")).toBeVisible();
      await page.goto("/wallet");
      await expect(page.getByText("1 game available")).toBeVisible();
      await expect(waiting).toBeHidden();
    });

    test("a bank declines two days later, and the wallet says what to do", async ({
      page,
      signIn,
      database,
    }) => {
      const { who, userId } = await addPlayer(database.db);
      await signIn(who);
      await startPlaying(page);
      const bank = await payLater(page);
      await twoDaysLater(database, userId);
      await page.goto(bank);
      await page.getByRole("button", { name: "The bank declines" }).click();
      await expect(page).toHaveURL(/bank=declined/);
      await page.goto("/wallet");
      await expect(page.getByText(`Payment failed · ${AMOUNT}`)).toBeVisible();
      await expect(page.getByText("You can pay again by card or MobilePay.")).toBeVisible();
      await startPlaying(page);
      await expect(page).toHaveURL(/\/demo\/checkout\//);
    });
  });
}

async function startPlaying(page: Page) {
  await page.goto("/wallet", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Buy credits" }).click();
  await page.getByRole("button", { name: "START PLAYING" }).click();
}

/** Leaves the payment to the bank; returns the address at which the bank answers. */
async function payLater(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Pay later" }).click();
  await expect(page.getByRole("heading", { name: "Your bank will confirm" })).toBeVisible();
  const bank = page.url();
  await page.getByRole("link", { name: "Go on without waiting" }).click();
  await expect(page.getByText("Waiting for your bank")).toBeVisible();
  return bank;
}

async function twoDaysLater({ pool }: Connection, userId: string) {
  await pool.query(
    "update pending_payments set created_at = created_at - interval '2 days' where user_id = $1",
    [userId],
  );
}
