import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada } from "#test/fixtures.ts";
import { CANCELLATION_POLICY } from "#app/features/bookings/rules.ts";
import { addPack, DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import { answerBuyCredits, openPlans, type PlanOffer } from "./plans.server.ts";

const database = useDatabase();
beforeAll(async () => {
  for (const pack of DEFAULT_PACKS) await addPack(database.db, pack);
});

const buyer = (credits = 0, debt = 0, userId: string = crypto.randomUUID()) => ({
  userId,
  balanceCents: credits * 100,
  debtCents: debt * 100,
});
async function open(who = buyer(), priceCents?: number): Promise<PlanOffer> {
  const plans = await openPlans(database, who, { returnTo: "/bookings", priceCents });
  if ("failure" in plans) throw new Error(plans.failure.formError);
  return plans;
}
const namesOf = ({ packs, chosenId }: PlanOffer) => packs.find(({ id }) => id === chosenId)?.name;

test("from the wallet: all packs, the single game chosen, and nothing missing", async () => {
  const plans = await open();
  expect(plans.packs.map(({ isMonthly }) => isMonthly)).toEqual([false, true, true, true]);
  expect(namesOf(plans)).toBe("Single game");
  expect(plans).toMatchObject({ need: null, debt: null, hasMonthlyPlan: false });
  expect(plans.policy).toEqual(CANCELLATION_POLICY);
  expect((await open()).id).not.toBe(plans.id);
});

test.each([
  [buyer(4), 1_000, "Single game", "You need 10 credits and have 4. You need 6 more.", null],
  [buyer(0), 1_000, "Single game", "You need 10 credits and have 0. You need 10 more.", null],
  [
    buyer(0),
    1_001,
    "4 games a month",
    "You need 10.01 credits and have 0. You need 10.01 more.",
    null,
  ],
  [
    buyer(0, 10),
    1_000,
    "4 games a month",
    expect.any(String),
    expect.stringContaining("10 credits"),
  ],
  [buyer(0, 10), 0, "Single game", null, expect.stringContaining("10 credits")],
  [buyer(0, 55), 1_000, "8 games a month", expect.any(String), expect.any(String)],
  [buyer(0, 500), 1_000, "12 games a month", expect.any(String), expect.any(String)],
])("what a join lacks is said, and a pack that covers it chosen (%#)", async (...given) => {
  const [who, priceCents, name, need, debt] = given;
  const plans = await open(who, priceCents);
  expect([namesOf(plans), plans.need, plans.debt]).toEqual([name, need, debt]);
});

test("who pays for a month already is told, and not led to a second one", async () => {
  const user_id = await ada(database.db);
  await database.db
    .insertInto("stripe_customers")
    .values({ customer_id: "cus_1", user_id })
    .execute();
  const plan = { id: "sub_1", customer_id: "cus_1", status: "active", state_at: new Date() };
  await database.db.insertInto("subscriptions").values(plan).execute();
  const plans = await open(buyer(0, 10, user_id), 1_000);
  expect(plans.hasMonthlyPlan).toBe(true);
  expect(namesOf(plans)).toBe("Single game");
});

test("a pack that is not active is not offered; with none on sale none is chosen", async () => {
  const setActive = (is_active: boolean, pack_key: string) =>
    database.db
      .updateTable("credit_packs")
      .set({ is_active })
      .where("pack_key", "like", pack_key)
      .execute();
  await setActive(false, "pay_per_game");
  const plans = await open();
  expect(plans.packs).toHaveLength(3);
  expect(namesOf(plans)).toBe("4 games a month");
  await setActive(false, "%");
  expect(await open()).toMatchObject({ packs: [], chosenId: null });
  await setActive(true, "%");
});

// spec: 8.14
test("a failed load is an answer in the specification's words", async () => {
  await sql`alter table credit_packs rename to credit_packs_away`.execute(database.db);
  const answer = await answerBuyCredits(database, buyer(), "/bookings");
  await sql`alter table credit_packs_away rename to credit_packs`.execute(database.db);
  expect(answer.init?.status).toBe(500);
  expect(answer.data.plans).toEqual({
    failure: { title: "Error", formError: "Failed to load credit packs" },
  });
  expect((await answerBuyCredits(database, buyer(), "/bookings")).init?.status).toBe(200);
});
