import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, NOW } from "#test/fixtures.ts";
import { mailJobs } from "#test/notices.ts";
import { deliverEvents, monthlyPurchase, singlePurchase, somePacks } from "#test/payments.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { correctBalance } from "./correct-balance.server.ts";

const database = useDatabase();
beforeAll(() => somePacks(database.db));

async function queuedOf(userId: string): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select payments.id from pgboss.job join payments on payments.id::text = data->>'paymentId'
     where name = 'mail.send' and data->>'kind' = 'purchase' and user_id = $1
     order by receipt_year, receipt_number`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

async function mailsOf(userId: string, env = {}): Promise<Mail[]> {
  const sent: Mail[] = [];
  const app = testApp(database, () => NOW);
  const tools = { ...app, env: { ...app.env, ...env } };
  const mails = mailJobs({ ...tools, mailer: async (mail) => void sent.push(mail) });
  for (const paymentId of await queuedOf(userId)) await mails.purchase({ paymentId });
  return sent;
}

test("a purchase is mailed once, with seller, number, day, amount and VAT", async () => {
  const userId = await aPlayer(database.db, { name: "Cleo" });
  const { completed, succeeded } = singlePurchase(userId);
  await deliverEvents(database, [completed, succeeded, completed]);
  const seller = { address: "Otakaari 1, 02150 Espoo", vatId: "FI12345678" };
  const [mail, ...more] = await mailsOf(userId, { companyName: "Kickabout Oy", seller });
  expect(more).toEqual([]);
  const [paymentId] = await queuedOf(userId);
  expect(mail).toMatchObject({
    subject: "Receipt: 10 credits, Single game",
    key: `purchase:${paymentId}`,
  });
  expect(mail!.text).toContain("10 credits were added to your wallet and never expire.");
  expect(mail!.text).toMatch(
    /Receipt \d{4}-\d{4}\s+\w{3} \d+, \d{4}\s+10 credits, Single game: 9\.99/,
  );
  expect(mail!.text).toMatch(/Without VAT: 8\.80\s€\s+VAT 13\.5 %: 1\.19\s€\s+Paid: 9\.99\s€/);
  expect(mail!.text).toMatch(
    /Seller:\s+Kickabout Oy\s+Otakaari 1\s+02150 Espoo\s+VAT ID FI12345678/,
  );
  expect(mail!.text).toContain("Buyer: Cleo Number");
  expect(mail!.html).toContain(`redirectTo=%2Fwallet%2Freceipts%2F${paymentId}"`);
  expect(mail!.html).not.toContain("Turn these emails off");
});

test("each month of a plan is mailed, with the day until which its credits last", async () => {
  const userId = await aPlayer(database.db);
  const plan = monthlyPurchase(userId);
  await deliverEvents(database, [plan.completed, plan.created, plan.paid(0)]);
  const [first] = await mailsOf(userId);
  expect(first!.text).toContain("and can be used until Dec 21, 2026, 12:00.");
  await deliverEvents(database, plan.paid(1));
  const [, second] = await mailsOf(userId);
  expect(second!.text).toContain("and can be used until Jan 21, 2027, 12:00.");
  expect(second!.text).toContain("Paid: 34.00");
});

test("credits that settle a debt at once are named in the email", async () => {
  const userId = await aPlayer(database.db);
  const first = singlePurchase(userId);
  await deliverEvents(database, first.completed);
  const spent = { userId, amountCents: -400, reason: "Lost", actor: "test", key: "spent" };
  await correctBalance(database.db, database.jobs, spent);
  await deliverEvents(database, [first.refunded(999), singlePurchase(userId).completed]);
  const [refunded, settled] = await mailsOf(userId);
  expect(settled!.text).toContain("4 of them settled a payment that was taken back.");
  expect(refunded!.text).toMatch(/Refunded on \w+ \d+, \d+: −9\.99\s€/);
});

test("where Stripe sends receipts, we send none", async () => {
  const userId = await aPlayer(database.db);
  await deliverEvents(database, singlePurchase(userId).completed);
  expect(await mailsOf(userId, { mailsReceipts: false })).toEqual([]);
  expect(await mailsOf(userId)).toHaveLength(1);
});

test("a payment that fails to be granted queues no email", async () => {
  const userId = await aPlayer(database.db);
  const { completed } = singlePurchase(userId, { amount_total: 500 });
  expect(await deliverEvents(database, completed)).toEqual(["unmatched"]);
  expect(await queuedOf(userId)).toEqual([]);
});
