import type { Db } from "#app/platform/db.server.ts";
import { deliverEvents, singlePurchase } from "#test/payments.ts";
import { expect, test } from "./fixtures.ts";
import { widthOf } from "./layout.ts";
import { addPlayer, silent } from "./players.ts";

/** A4 at 96 dots per inch. */
const A4 = { width: 794, height: 1_123 };

/** A player who has bought a single game; the path of its receipt. */
async function aReceipt(db: Db) {
  const { who, userId } = await addPlayer(db);
  const bought = singlePurchase(userId, { payment_link: "plink_demo_pay_per_game" });
  await deliverEvents(silent(db), bought.completed, new Date());
  const payment = db.selectFrom("payments").select("id").where("user_id", "=", userId);
  const { id } = await payment.executeTakeFirstOrThrow();
  return { who, path: `/wallet/receipts/${id}` };
}

test("a receipt prints on one page of A4, dark on white, by itself", async ({
  page,
  signIn,
  database: { db },
}) => {
  const { who, path } = await aReceipt(db);
  await signIn(who);
  await page.setViewportSize(A4);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/wallet");
  await page.getByRole("link", { name: /^Receipt \d{4}-/ }).click();
  await expect(page).toHaveURL(path);
  const receipt = page.getByRole("article");
  await expect(receipt).toContainText("9.99 €");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });

  for (const text of ["Seller", "Buyer", "Paid on", "Without VAT", "VAT", "Paid"]) {
    await expect(receipt.getByText(text).first()).toBeVisible();
  }
  const others = ["banner", "navigation", "contentinfo", "button", "complementary"] as const;
  for (const role of others) await expect(page.getByRole(role)).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Back to the wallet" })).toBeHidden();
  const drawn = await receipt.evaluate((element) => {
    const { color } = getComputedStyle(element);
    const page = getComputedStyle(document.documentElement).backgroundColor;
    const { width, bottom } = element.getBoundingClientRect();
    return { color, page, isWide: width > innerWidth / 2, bottom };
  });
  expect(drawn).toMatchObject({ color: "rgb(14, 26, 20)", page: "rgb(255, 255, 255)" });
  expect(drawn.isWide).toBe(true);
  expect(await page.evaluate(widthOf)).toBe(A4.width);

  const paper = await page.pdf({ format: "A4", printBackground: true });
  expect(paper.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});
