import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { stopSelling } from "#app/features/wallet/edit-pack.server.ts";
import { writeShown } from "#app/platform/as-shown.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { openPlans, type PlanOffer } from "#app/routes/credits/plans.server.ts";
import { action as sandbox, loader as sandboxPage } from "#app/routes/demo/checkout.tsx";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, balanceCents, ben, NOW } from "#test/fixtures.ts";
import { payingOf } from "#test/payment-holds.ts";
import { signIn, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { storeDefaultPacks } from "../../../db/defaults.ts";
import { action as checkout } from "./checkout.tsx";
import { loader as wallet } from "./show.tsx";

/* What is missing for a game, sold by the payment link whose buyer chooses the amount. */
const database = useDatabase();
const paying = payingOf(database);
let app: App;
let userId: string;
let cookie: string;
let gameId: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  await storeDefaultPacks(app.db, app.env);
});
beforeEach(async () => {
  userId = await ben(app.db);
  cookie = await signIn(app, userId);
  gameId = await aGame(app.db, { startsIn: 48 });
});

const give = (amountCents: number) =>
  topUp(app.db, { userId, amountCents, key: `difference-${userId}` });
async function plansFor(priceCents = 1_000, debtCents = 0) {
  const buyer = { userId, balanceCents: await balanceCents(app.db, userId), debtCents };
  const plans = await openPlans(app, buyer, { returnTo: `/events/${gameId}`, priceCents });
  if ("failure" in plans) throw new Error(plans.failure.formError);
  return plans;
}
const balanceOf = async () => (await visit(app, wallet, { path: "/wallet", cookie })).data.balance;
const goToPay = (body: Record<string, string>) =>
  visit(app, checkout, { path: "/checkout", cookie, body });
const findLink = (packId: string) =>
  app.db
    .selectFrom("credit_packs")
    .select("stripe_checkout_link as link")
    .where("id", "=", packId)
    .executeTakeFirstOrThrow();
async function setLink(stripe_checkout_link: string | null) {
  const row = app.db.updateTable("credit_packs").where("pack_key", "=", "any_amount");
  await row.set({ stripe_checkout_link }).execute();
}

describe("a player with 9.01 after a refund", () => {
  beforeEach(async () => {
    await give(1_000);
    const other = await aGame(app.db, { startsIn: 72 });
    const joined = await joinGame(app.db, app.jobs, { gameId: other, playerId: userId, now: NOW });
    if (!joined.ok) throw new Error(joined.reason);
    const { bookingId } = joined;
    await cancelBooking(app.db, app.jobs, { bookingId, playerId: userId, now: NOW });
  });

  test("is offered 0.99 above the packs, chosen, and pays exactly that", async () => {
    const plans = await plansFor();
    const [first, second] = plans.packs;
    expect(first).toMatchObject({
      name: "Just what is missing",
      perGame: "0.99\u00a0€",
      credits: "0.99 credits",
      difference: { amountCents: 99, payLabel: "Pay 0.99\u00a0€ and join" },
    });
    expect(second).toMatchObject({ name: "Single game", perGame: "9,99 € per game" });
    expect(plans.chosenId).toBe(first!.id);

    const fields = { packId: first!.id, amount: "99", returnTo: `/events/${gameId}` };
    const { status, headers } = await goToPay(fields);
    expect(status).toBe(303);
    const path = headers.get("Location")!;
    expect(path).toMatch(/^\/demo\/checkout\/any_amount\?.*__prefilled_amount=99$/);
    const page = await visit(app, sandboxPage, { path, cookie });
    expect(page.data).toMatchObject({
      amount: "0.99",
      pack: { credits: "as many credits as euros" },
    });
    const body = { intent: "pay", email: "ben@uni.example", amount: page.data.amount! };
    expect((await visit(app, sandbox, { path, cookie, body })).status).toBe(303);
    expect(await balanceCents(app.db, userId)).toBe(1_000);
  });

  test("is offered it in the wallet, but not for no game while a spot is held", async () => {
    expect((await balanceOf()).difference).toMatchObject({ amountCents: 99 });
    await paying.hold(gameId, userId);
    expect((await balanceOf()).difference).toBeNull();
  });

  const game = () => ({ returnTo: `/events/${gameId}` });
  const OFFER = { name: "Just what is missing", difference: { amountCents: 99 } };
  const NEED = "This game costs 10 credits. You have 9.01.";

  test("is offered it again after no plan was chosen, with what the game needs", async () => {
    const { data } = await goToPay(game());
    expect(data).toMatchObject({ fieldErrors: { packId: "Choose a plan first." } });
    expect(data.plans).toMatchObject({
      need: NEED,
      packs: expect.arrayContaining([expect.objectContaining({ name: OFFER.name })]),
    });
    const body = new URLSearchParams(game());
    const html = await (await (await openSite(app))("/checkout", { cookie, body })).text();
    expect(html).toContain(NEED);
    expect(html).toContain(OFFER.name);
  });

  test("is offered it again where a pack or the game's spot has changed", async () => {
    const { packs, formKey } = await plansFor();
    const single = { ...game(), packId: packs[1]!.id };
    const changed = await goToPay({
      ...single,
      shown: writeShown({ [packs[1]!.id]: "other" }),
    });
    expect(changed.data.offer?.packs[0]).toMatchObject(OFFER);
    await app.db.updateTable("games").set({ max_players: 1 }).where("id", "=", gameId).execute();
    await joinGame(app.db, app.jobs, { gameId, playerId: await ada(app.db), now: NOW });
    const full = await goToPay({ ...single, formKey: formKey! });
    expect(full.data).toMatchObject({
      buysCreditsAlone: true,
      plans: { need: NEED, formKey: null },
    });
    expect(full.data.plans).toHaveProperty("packs.0.name", OFFER.name);
  });

  test("reads in the wallet how much is short of a game, with its button", async () => {
    expect(await balanceOf()).toMatchObject({
      credits: "9 credits",
      buys: "9.01 exactly, 0.99 short of a game",
      difference: { amountCents: 99, price: "0.99\u00a0€", note: null },
    });
    const html = await (await (await openSite(app))("/wallet", { cookie })).text();
    expect(html).toMatch(/<form[^>]* action="\/checkout"/);
    expect(html).toContain("Pay 0.99\u00a0€");
    expect(html).not.toContain(">0 games available<");
  });
});

test("less than can be paid is said before: 0.20 short sells 0.50", async () => {
  await give(980);
  const note = "0.50\u00a0€ is the least you can pay. What is left stays yours.";
  expect(await balanceOf()).toMatchObject({
    buys: "9.80 exactly, 0.20 short of a game",
    difference: { amountCents: 50, note },
  });
  expect((await plansFor()).packs[0]).toMatchObject({
    credits: "0.50 credits",
    note,
  });
});

test("a pack that does not pay for the game says so, and cannot be chosen beside what is missing", async () => {
  const notesOf = ({ packs }: PlanOffer) => packs.map(({ note }) => note);
  const monthly = [null, null, null];
  expect(notesOf(await plansFor(1_000, 300))).toEqual([
    ...["With less you are not in.", "Not enough for this game."],
    ...monthly,
  ]);
  expect(notesOf(await plansFor(1_000, 0))).toEqual([null, ...monthly]);
  const { packs } = await plansFor(1_000, 300);
  expect(packs.map(({ isDisabled = false }) => isDisabled)).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
});

test("what is owed counts as missing", async () => {
  expect((await plansFor(1_000, 300)).packs[0]).toMatchObject({
    difference: { amountCents: 1_300, payLabel: "Pay 13.00\u00a0€ and join" },
  });
  const debt = app.db.updateTable("profiles").set({ wallet_debt_eur: "3.00" });
  await debt.where("user_id", "=", userId).execute();
  expect((await balanceOf()).buys).toBe("13 short of a game, with what you owe");
});

test("with an empty wallet, or with enough, the packs alone are offered", async () => {
  expect((await plansFor()).packs.map(({ name }) => name)[0]).toBe("Single game");
  expect((await balanceOf()).difference).toBeNull();
  await give(1_000);
  expect((await plansFor()).packs).toHaveLength(4);
  expect(await balanceOf()).toMatchObject({ buys: "1 game available", difference: null });
});

test("once its sale is stopped nothing of it shows, after another start of the demo neither", async () => {
  await give(901);
  const { packId } = (await balanceOf()).difference!;
  const { link } = await findLink(packId);
  expect(await stopSelling(app.db, { packId, actor: "test" })).toEqual({ ok: true });
  await storeDefaultPacks(app.db, app.env);
  expect((await plansFor()).packs).toHaveLength(4);
  expect(await balanceOf()).toMatchObject({ difference: null });
  await setLink(link);
  expect((await plansFor()).packs).toHaveLength(5);
});

test("a demo at another address sells it there", async () => {
  await give(901);
  const { packId } = (await balanceOf()).difference!;
  await storeDefaultPacks(app.db, { ...app.env, appUrl: "http://elsewhere.example" });
  expect((await findLink(packId)).link).toBe("http://elsewhere.example/demo/checkout/any_amount");
  await storeDefaultPacks(app.db, app.env);
});

test.each(["", "0", "49", "20001", "0.99", "99x", "-1"])(
  "an amount of %j is not prefilled, and the buyer chooses",
  async (amount) => {
    await give(901);
    const { packId } = (await balanceOf()).difference!;
    const { status, headers } = await goToPay({ packId, amount });
    expect([status, headers.get("Location")]).toEqual([
      303,
      expect.not.stringContaining("__prefilled_amount"),
    ]);
  },
);

describe("in the sandbox", () => {
  const path = () =>
    `/demo/checkout/any_amount?client_reference_id=${userId}&__prefilled_amount=99`;
  const pay = (amount: string, intent = "pay") =>
    visit(app, sandbox, { path: path(), body: { intent, email: "ben@uni.example", amount } });

  test.each([
    ["0.50", 50],
    ["200", 20_000],
    ["3,5", 350],
  ])("%s instead of the prefilled amount grants as much", async (typed, cents) => {
    expect((await pay(typed)).status).toBe(303);
    expect(await balanceCents(app.db, userId)).toBe(cents);
  });

  test.each(["0", "0.49", "200.01", "", "-1", "lots", "1e2"])(
    "%j is rejected at its field, and nothing is paid",
    async (typed) => {
      expect(await pay(typed)).toMatchObject({
        status: 422,
        data: {
          fieldErrors: { amount: "Please enter an amount from 0.50\u00a0€ to 200.00\u00a0€." },
          values: { amount: typed },
        },
      });
      expect(await balanceCents(app.db, userId)).toBe(0);
    },
  );

  test("what the bank confirms later is the amount that was chosen", async () => {
    const to = (await pay("1.37", "pay-later")).headers.get("Location")!;
    const sessionId = new URL(to, "http://k.example").searchParams.get("session_id")!;
    const body = { intent: "bank-confirms", sessionId };
    expect((await visit(app, sandbox, { path: to, body })).status).toBe(303);
    expect(await balanceCents(app.db, userId)).toBe(137);
  });
});
