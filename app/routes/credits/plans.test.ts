import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";
import { testApp } from "#test/app.ts";
import type { App } from "#app/routes/context.server.ts";
import { CANCELLATION_POLICY } from "#app/features/seats/rules.ts";
import { addPack, DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import {
  answerBuyCredits,
  openPlans,
  type PlanOffer,
  debtText,
  methodTexts,
  needText,
  packViews,
  clearReturn,
  readReturn,
  returnCookie,
} from "./plans.server.ts";
import { aPack } from "#test/wallet-fixtures.ts";
import { signedCookie } from "#app/platform/signed-cookie.server.ts";

const database = useDatabase();
let app: App;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  for (const pack of DEFAULT_PACKS) await addPack(database.db, pack);
});

const buyer = (credits = 0, debt = 0, userId: string = crypto.randomUUID()) => ({
  userId,
  balanceCents: credits * 100,
  debtCents: debt * 100,
});
async function open(who = buyer(), priceCents?: number): Promise<PlanOffer> {
  const plans = await openPlans(app, who, { returnTo: "/bookings", priceCents });
  if ("failure" in plans) throw new Error(plans.failure.formError);
  return plans;
}
const namesOf = ({ packs, chosenId }: PlanOffer) => packs.find(({ id }) => id === chosenId)?.name;

test("from the wallet: all packs, the single game chosen, and nothing missing", async () => {
  const plans = await open();
  expect(plans.packs.map(({ isMonthly }) => isMonthly)).toEqual([false, true, true, true]);
  expect(namesOf(plans)).toBe("Single game");
  expect(plans).toMatchObject({ need: null, debt: null, running: [], game: null });
  expect(plans.policy.rules).toEqual(CANCELLATION_POLICY);
  expect((await open()).id).not.toBe(plans.id);
});

test.each([
  [buyer(4), 1_000, "This game costs 10 credits. You have 4.", null],
  [buyer(0), 1_001, "This game costs 10.01 credits. You have 0.", null],
  [buyer(0, 10), 1_000, expect.stringContaining("and you owe 10: 20 credits."), null],
  [buyer(0, 10), 0, null, expect.stringContaining("10 credits")],
  [buyer(0, 500), 1_000, expect.any(String), null],
])("it says what a join lacks, and never chooses a plan that renews (%#)", async (...given) => {
  const [who, priceCents, need, debt] = given;
  const plans = await open(who, priceCents);
  expect([namesOf(plans), plans.need, plans.debt]).toEqual(["Single game", need, debt]);
});

test("from a game it names the game and its spots; no draft, and nothing else's address", async () => {
  const { db } = database;
  const gameId = await aGame(db, { startsIn: 48, spots: 2 });
  const draftId = await aGame(db, { status: "Draft" });
  const gameOf = async (returnTo: string) => {
    const plans = await openPlans(app, buyer(), { returnTo, priceCents: 1_000 });
    return "failure" in plans ? plans : plans.game;
  };
  const path = `/events/${gameId}`;
  const game = {
    path,
    venue: "Campus Hall",
    when: "Mon 12:00",
    spots: "2 spots left",
    note: "Your spot is held for 15 minutes. Once it is paid, you are in.",
    held: null,
  };
  expect(await gameOf(path)).toMatchObject(game);
  const later = `/events/${await aGame(db, { startsIn: 7 * 24 })}`;
  expect(await gameOf(later)).toMatchObject({ when: "Sat Nov 28, 12:00" });
  expect(await gameOf(`${path}?from=list`)).toMatchObject(game);
  for (const other of [`/events/${draftId}`, `${path}/chat`, "/events", "/events/1", "/wallet"]) {
    expect(await gameOf(other)).toBeNull();
  }
});

test("a player with a monthly plan sees which one it is", async () => {
  const user_id = await ada(database.db);
  await database.db
    .insertInto("stripe_customers")
    .values({ customer_id: "cus_1", user_id })
    .execute();
  const plan = { id: "sub_1", customer_id: "cus_1", status: "past_due", state_at: new Date() };
  await database.db.insertInto("subscriptions").values(plan).execute();
  const plans = await open(buyer(0, 10, user_id), 1_000);
  expect(plans.running).toMatchObject([{ id: "sub_1", state: "Payment failed" }]);
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
  expect(plans.chosenId).toBeNull();
  await setActive(false, "%");
  expect(await open()).toMatchObject({ packs: [], chosenId: null });
  await setActive(true, "%");
});

// spec: 8.14
test("a failed load is a result in the specification's words", async () => {
  await sql`alter table credit_packs rename to credit_packs_away`.execute(database.db);
  const result = await answerBuyCredits(app, buyer(), "/bookings");
  await sql`alter table credit_packs_away rename to credit_packs`.execute(database.db);
  expect(result.init?.status).toBe(500);
  expect(result.data.plans).toEqual({
    failure: { title: "Error", formError: "Failed to load credit packs" },
  });
  expect((await answerBuyCredits(app, buyer(), "/bookings")).init?.status).toBe(200);
});

const pack = (priceCents: number, credits: number, isMonthly = true) =>
  aPack({ priceCents, creditsCents: credits * 100, isMonthly });

// spec: 2.86, 2.89, 2.90, 9.34, 9.35
test("the packs read as the specification quotes them", () => {
  const packs = [pack(999, 10, false), pack(3_400, 40), pack(6_400, 80), pack(9_000, 120)];
  const views = packViews(packs);
  expect(views.map(({ perGame }) => perGame)).toEqual([
    "9,99 € per game",
    "8.50€ per game",
    "8.00€ per game",
    "7.50€ per game",
  ]);
  expect(views.map(({ isPopular }) => isPopular)).toEqual([false, false, true, false]);
  expect(views[0]).toMatchObject({
    credits: "10 credits",
    total: "9.99\u00a0€, incl. VAT",
    renewal: "You pay once. Nothing renews, and these credits never expire.",
  });
  expect(views[1]).toMatchObject({
    credits: "40 credits a month",
    total: "34.00\u00a0€, incl. VAT",
    renewal: "Renews every month at 34.00\u00a0€, incl. VAT, until you cancel.",
  });
});

// spec: 2.90
test.each([
  [2_000, 30, "6.67€ per game"],
  [1_000, 30, "3.33€ per game"],
  [5, 100, "0.01€ per game"],
  [4_200, 45.5, "9.23€ per game"],
  [123_456_789, 10, "1234567.89€ per game"],
])("%i cents for %d credits are %s", (priceCents, credits, perGame) => {
  expect(packViews([pack(priceCents, credits)])[0]?.perGame).toBe(perGame);
});

// spec: 2.88
test("of fewer than three monthly packs none is popular", () => {
  const views = packViews([pack(999, 10, false), pack(3_400, 40), pack(6_400, 80)]);
  expect(views.some(({ isPopular }) => isPopular)).toBe(false);
});

test.each([
  [1_000, 400, 0, "This game costs 10 credits. You have 4."],
  [1_000, 901, 0, "This game costs 10 credits. You have 9.01."],
  [1_000, 999, 0, "This game costs 10 credits. You have 9.99."],
  [1_000, 0, 500, "This game costs 10 credits and you owe 5: 15 credits."],
  [1_000, 1_000, 0, null],
  [0, 0, 0, null],
])("for %i cents with %i and a debt of %i: %s", (priceCents, balanceCents, debtCents, text) => {
  expect(needText({ priceCents, balanceCents, debtCents })).toBe(text);
});

test.each([
  [0, null],
  [1_000, "You owe 10 credits from a refunded payment. Your next purchase pays that first."],
  [100, "You owe 1 credit from a refunded payment. Your next purchase pays that first."],
])("a debt of %i cents", (debt, text) => {
  expect(debtText(debt)).toBe(text);
});

const env = { appUrl: "https://kick.example", sessionSecret: "s".repeat(32) };
const carrying = (setCookie: string) =>
  new Request("https://kick.example/wallet/paid", {
    headers: { Cookie: setCookie.split(";")[0] ?? "" },
  });

test("where a purchase began is remembered for an hour, until it is cleared", async () => {
  const cookie = await returnCookie(env, "/events/1?a=b");
  expect(cookie).toMatch(/; Max-Age=3600;.*HttpOnly/);
  expect(await readReturn(env, carrying(cookie))).toBe("/events/1?a=b");
  expect(await readReturn(env, carrying(await clearReturn(env)))).toBeNull();
  expect(await readReturn(env, new Request("https://kick.example/"))).toBeNull();
});

test("a cookie that is forged, or leads away, is ignored", async () => {
  const [, value = ""] = /=([^;]+)/.exec(await returnCookie(env, "/events/1")) ?? [];
  const forged = `__Host-kickabout_return=${value.slice(0, -6)}AAAA%3D%3D`;
  expect(await readReturn(env, carrying(forged))).toBeNull();
  const away = await signedCookie(env, "return").write("//evil.example", { maxAge: 60 });
  expect(await readReturn(env, carrying(away))).toBeNull();
});

test.each([
  [
    { single: ["card", "MobilePay"], monthly: ["card"] },
    {
      single: "by card or MobilePay.",
      monthly: "by card. MobilePay: for single payments only.",
      either: "by card or MobilePay. A monthly plan: by card.",
    },
  ],
  [
    { single: ["card"], monthly: ["card"] },
    { single: "by card.", monthly: "by card.", either: "by card." },
  ],
])("ways of paying that do not renew are for single payments only: %j", (methods, texts) => {
  expect(methodTexts(methods)).toEqual(texts);
});

test("the dialog names the ways of paying that are configured", async () => {
  expect((await open()).methods.single).toBe("by card or MobilePay.");
});
