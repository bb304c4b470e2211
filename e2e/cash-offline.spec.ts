import { expect, test } from "./fixtures.ts";
import { aMatch } from "./matches.ts";

test("money waits for an answer: without a connection nothing is noted, said, and kept in the dialog", async ({
  page,
  context,
  signIn,
  database,
}) => {
  const { gameId, bookings } = await aMatch(database, [], ["Aino"]);
  const payments = database.db.selectFrom("cash_payments").selectAll();
  const listPayments = () => payments.where("booking_id", "=", bookings.get("Aino")!).execute();
  await signIn("admin");
  await page.goto(`/admin/games/${gameId}`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: /^Mark paid/ }).click();
  const dialog = page.getByRole("dialog", { name: /has paid$/ });
  await dialog.getByLabel("Amount in €").fill("7,50");
  await dialog.getByLabel("MobilePay").check();
  const press = () => dialog.getByRole("button", { name: "Mark paid" }).click();
  const notifications = page.getByRole("region", { name: "Notifications" });
  await context.setOffline(true);
  await press();
  await expect(notifications).toContainText("Nothing was sent. Your form is as you left it.");
  await expect(dialog.getByLabel("Amount in €")).toHaveValue("7,50");
  await expect(dialog.getByLabel("MobilePay")).toBeChecked();
  expect(await listPayments()).toEqual([]);

  // Now it arrives, but not the answer: pressed once more it is the same payment.
  await context.setOffline(false);
  const posts = `**/admin/games/${gameId}.data*`;
  await page.route(posts, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort("internetdisconnected");
  });
  await press();
  await expect(notifications).toContainText("Sending it again is safe.");
  expect(await listPayments()).toHaveLength(1);
  await expect(dialog.getByLabel("Amount in €")).toHaveValue("7,50");
  await page.unroute(posts);
  await press();
  await expect(notifications).toContainText("Marked paid");
  await expect(dialog).toBeHidden();
  expect(await listPayments()).toMatchObject([{ amount_eur: "7.50", method: "MobilePay" }]);
});
