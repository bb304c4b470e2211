import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn, visit } from "#test/visit.ts";
import { aGame, ben, NOW } from "#test/fixtures.ts";
import { heldCount } from "#test/holds.ts";
import { payingOf, paymentStatuses } from "#test/payment-holds.ts";
import { somePacks } from "#test/payments.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { openPlans } from "#app/routes/credits/plans.server.ts";
import { action as gameAction } from "#app/routes/games/show.tsx";
import type { App } from "#app/routes/context.server.ts";
import { action } from "./checkout.tsx";

const database = useDatabase();
const paying = payingOf(database);
const list = waitlistOf(database);
let app: App;
let packId: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  await somePacks(app.db);
  const link = { stripe_checkout_link: "http://kickabout.test/demo/checkout/pay_per_game" };
  const pack = app.db.updateTable("credit_packs").set(link).where("pack_key", "=", "pay_per_game");
  packId = (await pack.returning("id").executeTakeFirstOrThrow()).id;
});

/** What the plan dialog of a game sends. */
async function dialogOf(gameId: string, playerId: string) {
  const returnTo = `/events/${gameId}`;
  const buyer = { userId: playerId, balanceCents: 0, debtCents: 0 };
  const plans = await openPlans(app, buyer, { returnTo, priceCents: 1_000 });
  if ("failure" in plans) throw new Error("no plans");
  const { formKey, shown } = plans;
  return { packId, returnTo, shown, ...(formKey && { formKey }) };
}
const post = async (playerId: string, body: Record<string, string>) =>
  visit(app, action, { path: "/checkout", cookie: await signIn(app, playerId), body });

test("the button that leads to the payment of a game holds its spot", async () => {
  const gameId = await aGame(app.db, { spots: 1 });
  const playerId = await ben(app.db);
  const { status } = await post(playerId, await dialogOf(gameId, playerId));
  expect(status).toBe(303);
  expect(await paying.find(gameId, playerId)).toMatchObject({ holdsSpot: true });
});

test("the form of a full game holds nothing, and buys credits alone", async () => {
  const { gameId } = await list.fullGame();
  const playerId = await ben(app.db);
  const form = await dialogOf(gameId, playerId);
  expect(form).not.toHaveProperty("formKey");
  expect((await post(playerId, form)).status).toBe(303);
  expect(await paymentStatuses(app.db, playerId)).toEqual([]);
});

test("a spot that is gone is said with 409, and the next press buys credits alone", async () => {
  const gameId = await aGame(app.db, { spots: 1 });
  const playerId = await ben(app.db);
  const form = await dialogOf(gameId, playerId);
  await paying.hold(gameId, await ben(app.db));
  const { status, data } = await post(playerId, form);
  expect(status).toBe(409);
  expect(data).toMatchObject({
    title: "No spot was held",
    formError: expect.stringMatching(/^This game is full\..* Nothing was bought\./),
    buysCreditsAlone: true,
  });
  const { formKey: _, ...alone } = form;
  expect((await post(playerId, alone)).status).toBe(303);
});

test("a game that has moved since the dialog opened is said before anything is bought", async () => {
  const gameId = await aGame(app.db);
  const playerId = await ben(app.db);
  const form = await dialogOf(gameId, playerId);
  const moved = { start_time: "09:00", end_time: "10:30" };
  await app.db.updateTable("games").set(moved).where("id", "=", gameId).execute();
  const { status, data } = await post(playerId, form);
  expect(status).toBe(409);
  expect(data).toMatchObject({ formError: expect.stringContaining("This game has moved") });
  expect(await heldCount(app.db, gameId)).toBe(0);
});

test("another game at that hour is asked about once", async () => {
  const playerId = await ben(app.db);
  const first = await aGame(app.db);
  await paying.hold(first, playerId);
  await paying.pay(playerId);
  const gameId = await aGame(app.db);
  const form = await dialogOf(gameId, playerId);
  const asked = await post(playerId, form);
  expect(asked.status).toBe(409);
  const { confirms } = asked.data as { confirms: string };
  expect((await post(playerId, { ...form, confirmed: confirms })).status).toBe(303);
  expect(await heldCount(app.db, gameId)).toBe(1);
});

test("a purchase of credits alone books no game that was left before", async () => {
  const gameId = await aGame(app.db);
  const playerId = await ben(app.db);
  await paying.hold(gameId, playerId);
  expect((await post(playerId, { packId, returnTo: "/wallet" })).status).toBe(303);
  expect(await paymentStatuses(app.db, playerId)).toEqual(["GivenBack"]);
});

test("the player gives the spot back on the game's page", async () => {
  const gameId = await aGame(app.db);
  const playerId = await ben(app.db);
  await paying.hold(gameId, playerId);
  const stop = async () =>
    visit(app, gameAction, {
      path: `/events/${gameId}`,
      cookie: await signIn(app, playerId),
      body: { intent: "stop-paying" },
    });
  expect((await stop()).status).toBe(302);
  expect(await heldCount(app.db, gameId)).toBe(0);
  expect((await stop()).status).toBe(409);
});
