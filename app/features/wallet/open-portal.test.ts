import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { useFakeStripe } from "#test/fake-stripe.ts";
import { ben, hoursLater } from "#test/fixtures.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { openPortal } from "#app/features/wallet/stripe/subscriptions.server.ts";

const database = useDatabase();
const fake = useFakeStripe();
const RETURN = "https://k.example/wallet";

let number = 0;

/** A Stripe customer of the player's, made so many hours after the first ones. */
async function aCustomer(userId: string, hours: number, status?: string): Promise<string> {
  const id = `cus_portal${(number += 1)}`;
  fake.objects.set(id, { id, object: "customer", created: 1 });
  await database.db
    .insertInto("stripe_customers")
    .values({ customer_id: id, user_id: userId, created_at: hoursLater(hours) })
    .execute();
  if (status) {
    await database.db
      .insertInto("subscriptions")
      .values({ id: `sub_portal${number}`, customer_id: id, status, state_at: hoursLater(hours) })
      .execute();
  }
  return id;
}

const visitor = (userId: string, subscriptionId: string | null = null) => ({
  db: database.db,
  appUrl: "https://k.example",
  userId,
  subscriptionId,
});

function open(userId: string, { timeout = 5_000, about = null as string | null } = {}) {
  const stripe = openStripe("sk_test_1", { ...fake.options, timeout, maxNetworkRetries: 0 });
  return openPortal({ ...visitor(userId, about), stripe });
}

const openInSandbox = (userId: string) => openPortal({ ...visitor(userId), stripe: null });

const askedFor = () => fake.asked.at(-1)?.params;

test("a player who never was a customer has nothing to manage", async () => {
  const [userId, other] = [await ben(database.db), await ben(database.db)];
  await aCustomer(other, 0);
  expect(await open(userId)).toBeNull();
  expect(await openInSandbox(userId)).toBeNull();
  expect(fake.asked).toEqual([]);
});

test("Stripe's portal of the newest customer", async () => {
  const userId = await ben(database.db);
  await aCustomer(userId, 0);
  const customer = await aCustomer(userId, 1);
  expect(await open(userId)).toMatch(/^https:\/\/billing\.stripe\.com\//);
  expect(askedFor()).toEqual({ customer, return_url: RETURN });
});

test("a subscription that runs goes before a newer customer without one", async () => {
  const userId = await ben(database.db);
  await aCustomer(userId, 0, "active");
  const customer = await aCustomer(userId, 1, "past_due");
  await aCustomer(userId, 2, "canceled");
  await aCustomer(userId, 3, "incomplete_expired");
  await aCustomer(userId, 4);
  await open(userId);
  expect(askedFor()).toEqual({ customer, return_url: RETURN });
});

test("of two subscriptions each is reached, and nobody else's", async () => {
  const [userId, other] = [await ben(database.db), await ben(database.db)];
  const customers: [string, string][] = [];
  for (const hours of [0, 1]) {
    const customer = await aCustomer(userId, hours, "active");
    customers.push([customer, `sub_portal${number}`]);
  }
  for (const [customer, about] of customers) {
    await open(userId, { about });
    expect(askedFor()).toEqual({ customer, return_url: RETURN });
  }
  await aCustomer(other, 0, "active");
  await open(userId, { about: `sub_portal${number}` });
  expect(askedFor()).toEqual({ customer: customers[1]![0], return_url: RETURN });
});

test("the sandbox has a portal of its own", async () => {
  const userId = await ben(database.db);
  await aCustomer(userId, 0, "active");
  expect(await openInSandbox(userId)).toBe("https://k.example/demo/checkout/portal");
  expect(fake.asked).toEqual([]);
});

test("an error of Stripe's is thrown", async () => {
  const userId = await ben(database.db);
  const customer = await aCustomer(userId, 0, "active");
  fake.fail("POST /v1/billing_portal/sessions", "rate-limit");
  await expect(open(userId)).rejects.toThrow("Too many requests");
  fake.fail("POST /v1/billing_portal/sessions", "silence");
  await expect(open(userId, { timeout: 50 })).rejects.toThrow("timeout being reached");
  fake.objects.delete(customer);
  await expect(open(userId)).rejects.toThrow(`No such customer: '${customer}'`);
});
