import { randomUUID } from "node:crypto";
import { isMet } from "../incidents/alarms.ts";
import { readIncident } from "../incidents/page.ts";
import { aPayment, packOfOne, purchasesOf } from "../incidents/payments.ts";
import { anOrganiser, aPerson, type Person } from "../incidents/people.ts";
import { openStage, type Stage } from "../incidents/stage.ts";
import { expect, test } from "../fixtures.ts";

/* Incidents of docs/runbook.md, each ended by the page's own commands. */
test.describe.configure({ mode: "serial", timeout: 300_000 });

let stage: Stage;
let organiser: Person;
test.beforeAll(async () => {
  test.setTimeout(400_000);
  stage = await openStage();
  organiser = await anOrganiser(stage);
});
// No incident may end a process.
test.afterEach(() => expect(stage.units.lost).toEqual([]));
test.afterAll(() => stage?.close());

test("4, a payment is unmatched", async () => {
  const { steps } = readIncident(4);
  const [, , links, fetchIt] = steps[0]!;
  expect((await stage.run(links)).out).toContain("pay_per_game: made https://buy.stripe.com/");
  const player = await aPerson(stage);
  const lost = await aPayment(stage, randomUUID());
  expect(await stage.deliver(lost.completed)).toBe(200);
  await expect.poll(isRaised).toBe(true);
  expect(stage.units.log("kickabout-web@3001")).toMatch(/"reason":"[^"]+".*"payment unmatched"/);
  const { body } = await stage.ask("/admin", { cookie: organiser.cookie });
  expect(body).toContain("/admin/payments");

  const form = { email: player.email, packId: (await packOfOne(stage)).id };
  const assigned = await stage.submit("/admin/payments", organiser.cookie, "assign", form);
  expect(assigned.status).toBe(302);

  // Another one, of a pack whose price was changed by hand.
  await stage.database.pool.query(
    "update credit_packs set price_eur = price_eur + 1 where pack_key = 'pay_per_game'",
  );
  expect((await stage.run(links)).out).toContain("pay_per_game: made https://buy.stripe.com/");
  // And one whose event has not come.
  const late = await aPayment(stage, player.userId, 1_099);
  expect((await stage.run(fetchIt)).status).toBe(0);
  expect(await purchasesOf(stage, player)).toEqual([lost.id, late.id].sort());
  await expect.poll(isRaised).toBe(false);
});

const isRaised = async () => isMet("KickaboutPaymentsUnmatched", await stage.scrape());

test("5, Stripe's deliveries fail since its secret was rolled", async () => {
  const { steps, over } = readIncident(5);
  const [, first, second, apply] = steps[0]!;
  const player = await aPerson(stage);
  const before = await stage.scrape();
  const missed = await aPayment(stage, player.userId, 1_099);
  for (let n = 0; n < 5; n += 1) {
    expect(await stage.deliver(missed.completed, "whsec_new")).toBe(400);
  }
  expect(isMet("KickaboutStripeRejected", before, await stage.scrape())).toBe(true);
  expect(stage.units.log("kickabout-web@3001")).toMatch(
    /webhooks\/stripe.*"status":400|"status":400.*webhooks\/stripe/,
  );
  stage.change({ STRIPE_WEBHOOK_SECRET: "whsec_new,whsec_old" });
  expect((await stage.run(first)).status).toBe(0);
  expect((await stage.run(second)).status).toBe(0);
  expect((await stage.run(apply)).status).toBe(0);
  expect(await purchasesOf(stage, player)).toEqual([missed.id]);
  for (const secret of ["whsec_new", "whsec_old"]) {
    expect(await stage.deliver(missed.completed, secret)).toBe(200);
  }
  expect(await purchasesOf(stage, player)).toEqual([missed.id]);
  expect(await stage.run(over[0])).toEqual({ status: 0, out: "", problems: "" });
});

test("8, “I was charged twice”", async () => {
  const { see, steps, over } = readIncident(8);
  await stage.run(readIncident(4).steps[0]![2]);
  const player = await aPerson(stage);
  const [known, lost] = [
    await aPayment(stage, player.userId, 1_099),
    await aPayment(stage, player.userId, 1_099),
  ];
  expect(await stage.deliver(known.completed)).toBe(200);
  const rows = async (n: number) => (await stage.run(see[n], { ID: player.userId })).out;
  expect(await rows(0)).toMatch(/topup[^]*\(1 row\)/);
  expect(await rows(1)).toMatch(/10\.99[^]*\(1 row\)/);
  // Two at Stripe and one here.
  expect((await stage.run(steps[0]![2])).status).toBe(0);
  expect(await rows(1)).toMatch(/10\.99[^]*10\.99[^]*\(2 rows\)/);
  expect(await stage.deliver(lost.refunded(1_099))).toBe(200);
  expect(await rows(1)).toMatch(/10\.99 +\| +10\.99/);
  expect(await rows(0)).toMatch(/\(3 rows\)/);
  expect(await stage.run(over[0])).toEqual({ status: 0, out: "", problems: "" });
});
