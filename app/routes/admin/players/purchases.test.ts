import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, NOW } from "#test/fixtures.ts";
import { somePacks } from "#test/payments.ts";
import { renderPage, textOf } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { aBuyer, withdraw } from "#test/withdrawals.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import type { App } from "#app/routes/context.server.ts";
import Player, { action, loader } from "./show.tsx";

const database = useDatabase();
let app: App;
let cookie: string;
beforeAll(async () => {
  const plain = testApp(database, () => NOW);
  app = { ...plain, env: { ...plain.env, demo: false, stripeSecretKey: "sk_test_1" } };
  await somePacks(app.db);
  ({ cookie } = await anAdmin(app));
});

async function page(playerId: string, { on = app, result }: { on?: App; result?: unknown } = {}) {
  const { data } = await visit(on, loader, { path: `/admin/players/${playerId}`, cookie });
  return renderPage(Player, { loaderData: data, actionData: result });
}
const post = (playerId: string, body: Record<string, string>) =>
  visit(app, action, {
    ...{ path: `/admin/players/${playerId}`, cookie },
    body: { intent: "refund", formKey: crypto.randomUUID(), ...body },
  });

test("a purchase offers all that is left of it, and asks with amount, player and credits", async () => {
  const { userId, paymentId } = await aBuyer(database);
  await joinGame(app.db, database.jobs, {
    ...{ gameId: await aGame(app.db), playerId: userId, now: NOW },
  });
  const html = await page(userId);
  expect(html).toMatch(/id="amount-[^>]*value="9.99"/);
  expect(html).toContain("https://dashboard.stripe.com/test/");
  const { status, data } = await post(userId, { paymentId, amount: "5,00" });
  expect(status).toBe(422);
  const asked = textOf(await page(userId, { result: data }));
  expect(asked).toMatch(/\|Refund 5\.00\u00a0€ to Ben Number/);
  expect(asked).toContain("No credits leave the wallet. 5 credits of it are spent already");
  const more = (await post(userId, { paymentId, amount: "10" })).data as FormResult;
  expect(more.fieldErrors?.amount).toContain("more than is left to refund");
});

test("without Stripe's key there is the way to the very payment alone", async () => {
  const { userId } = await aBuyer(database);
  const live = { ...app, env: { ...app.env, stripeSecretKey: undefined } };
  const html = await page(userId, { on: live });
  expect(html).not.toContain('value="refund"');
  expect(html).toContain("https://dashboard.stripe.com/");
});

test("a withdrawal that waits is refunded in the inbox", async () => {
  const { userId, paymentId } = await aBuyer(database);
  await withdraw(database, { userId, paymentId });
  const html = await page(userId);
  expect(html).not.toContain('value="refund"');
  expect(textOf(html)).toContain("Withdrawal to refund");
});
