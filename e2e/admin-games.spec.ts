import type { Browser } from "@playwright/test";
import { expect, type Page, test } from "./fixtures.ts";
import { enterPlayer, join, type Player } from "./concurrency.ts";

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("an organiser plans, moves and cancels a game", async ({
      page,
      signIn,
      baseURL: url = "",
      dataDir,
      database,
      browser,
    }) => {
      await signIn("admin");
      await page.goto("/admin/games");
      await page.getByRole("link", { name: "New game" }).click();
      await page.getByLabel("Title").fill("Sunday futsal");
      await page.getByLabel("Repeat weekly").selectOption("2 weeks");
      await page.getByRole("button", { name: "Publish" }).click();
      await expect(page.getByRole("heading", { name: "Sunday futsal" })).toBeVisible();
      await expect(page.getByRole("heading", { name: "Series" })).toBeVisible();

      const gameId = page.url().split("/").at(-1)!;
      const name = `moved-${javaScriptEnabled}`;
      const place = { url, dataDir, stop: async () => {} };
      const player = await enterPlayer(place, database, { name, credits: 10 });
      expect(await join(url, player, gameId)).toBe(302);

      await page.getByRole("link", { name: "Edit", exact: true }).click();
      await page.getByLabel("Start", { exact: true }).fill("06:15");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Save and notify 1 player" }).click();
      await expect(page.getByText("06:15–").first()).toBeVisible();

      await cancelGame(page);
      await expect(page.getByText("1 player was refunded in full, 10 credits")).toBeVisible();
      await expectRefund(browser, url, player);
      await expectMail(page, `${name}@uni.example`);
    });
  });
}

async function cancelGame(page: Page) {
  await page.getByRole("button", { name: "Cancel game" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this game?" });
  await dialog.getByRole("button").last().click();
}

async function expectRefund(browser: Browser, baseURL: string, { cookie }: Player) {
  const context = await browser.newContext({ baseURL, extraHTTPHeaders: { Cookie: cookie } });
  const page = await context.newPage();
  await page.goto("/wallet");
  const [refund, payment] = [/^Refund/, /^Game Payment/].map((name) =>
    page.getByRole("row", { name }).first(),
  );
  await expect(refund!).toContainText("+10");
  await expect(payment!).toContainText("−10");
  await context.close();
}

/** The email is sent a moment after the response. */
async function expectMail(page: Page, address: string) {
  const mails = page.getByRole("article").filter({ hasText: `To ${address}` });
  await expect(async () => {
    await page.goto("/demo/outbox");
    const cancelled = mails.filter({ hasText: "The game was cancelled" });
    await expect(cancelled).toHaveCount(1, { timeout: 200 });
  }).toPass();
}
