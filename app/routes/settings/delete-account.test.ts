import { beforeAll, expect, test } from "vitest";
import { monthlyPurchase, singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { everything } from "#test/fixtures.ts";
import { PASSWORD } from "#test/accounts.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import DeleteAccount, { action, loader } from "./delete-account.tsx";
import { loader as settingsPage } from "./index.tsx";
import { renderPage, textOf } from "#test/screen.tsx";
import { useSettings } from "#test/settings.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";

const settings = useSettings();
beforeAll(() => somePacks(settings.app.db));
const deleteAccount = (cookie: string, password = PASSWORD) =>
  settings.post(action, "/delete-account", cookie, { intent: "delete-account", password });
const page = async (cookie: string) =>
  (await settings.open(loader, "/delete-account", cookie)).data as Awaited<
    ReturnType<typeof loader>
  >;

test("the account goes, with messages and sessions, and the browser is signed out", async () => {
  const { userId, cookie } = await settings.player();
  const { db } = settings.app;
  const ticket = { user_id: userId, subject: "Hi", message: "there" };
  await db.insertInto("support_messages").values(ticket).execute();
  await db
    .insertInto("support_messages")
    .values({ ...ticket, kind: "withdrawal" })
    .execute();
  await db.insertInto("reviews").values({ user_id: userId, rating: 1 }).execute();
  const gone = await deleteAccount(cookie);
  expect([gone.status, gone.to]).toEqual([302, "/"]);
  expect((await settings.toast(gone.headers))?.title).toBe("Your account is deleted");
  expect(gone.headers.getSetCookie().some((line) => /session=;/.test(line))).toBe(true);
  expect(gone.headers.get("Clear-Site-Data")).toBe('"cache", "storage"');
  expect((await settings.open(settingsPage, "", cookie)).status).toBe(302);
  const kept = db.selectFrom("support_messages").select("kind").where("user_id", "=", userId);
  expect(await kept.execute()).toEqual([{ kind: "withdrawal" }]);
  expect(
    await db.selectFrom("reviews").selectAll().where("user_id", "=", userId).execute(),
  ).toEqual([]);
});

test("the page says what lapses, and names the subscription that has to end first", async () => {
  const { userId, cookie } = await settings.player();
  expect(await page(cookie)).toMatchObject({ credits: null, subscriptions: [] });
  await topUp(settings.app.db, { userId, amountCents: 1_250, key: userId });
  expect(await page(cookie)).toMatchObject({ credits: "12.50 credits", subscriptions: [] });
  const plan = monthlyPurchase(userId);
  await deliverEvents(settings.app, [plan.completed, plan.created, plan.paid(0)]);
  expect((await page(cookie)).subscriptions).toEqual(["4 games a month"]);
  expect(await deleteAccount(cookie)).toMatchObject({
    status: 409,
    result: { formError: "You have a subscription that goes on. Please end it first." },
  });
});

test("the page says that a debt stays with the address", async () => {
  const { userId, cookie } = await settings.player();
  const { db } = settings.app;
  const purchase = singlePurchase(userId);
  await deliverEvents(settings.app, purchase.completed);
  const correction = { userId, amountCents: -1_000, reason: "Gone", actor: "command", key: userId };
  await correctBalance(db, settings.app.jobs, correction);
  await deliverEvents(settings.app, purchase.refunded(999));
  const loaderData = await page(cookie);
  expect(loaderData).toMatchObject({ credits: null, debt: "10 credits" });
  const html = renderPage(DeleteAccount, { loaderData });
  expect(textOf(html)).toContain("You owe 10 credits.");
  expect(textOf(html)).toContain("The rest stays with your email address");
});

test("a wrong password, none, a visitor and the last admin: nothing is written", async () => {
  const { cookie, email } = await settings.player();
  await makeAdmin(settings.app.db, email, "command");
  const before = await everything(settings.app.db);
  expect(await deleteAccount(cookie, "Wrong1234")).toMatchObject({
    status: 422,
    result: { fieldErrors: { password: "Wrong password" } },
  });
  expect(await deleteAccount(cookie, "")).toMatchObject({
    status: 422,
    result: { fieldErrors: { password: "Password is required" } },
  });
  expect(await deleteAccount("")).toMatchObject({ status: 302, to: "/" });
  expect(await deleteAccount(cookie)).toMatchObject({
    status: 409,
    result: { formError: "You are the last admin. Give somebody else the role first." },
  });
  expect(await everything(settings.app.db)).toEqual(before);
});

test("a payment on its way is named, and one that comes meanwhile keeps the account", async () => {
  const { userId, cookie } = await settings.player();
  expect((await page(cookie)).payments).toEqual([]);
  const before = (await page(cookie)).shown;
  await deliverEvents(settings.app, singlePurchase(userId).unpaid);
  const late = { intent: "delete-account", password: PASSWORD, shown: before };
  expect(await settings.post(action, "/delete-account", cookie, late)).toMatchObject({
    status: 409,
    result: { formError: expect.stringContaining("what you would lose has changed") },
  });
  const loaderData = await page(cookie);
  expect(textOf(renderPage(DeleteAccount, { loaderData }))).toContain(
    "Payments on their way: 9.99\u00a0€",
  );
  const again = { ...late, shown: loaderData.shown };
  expect(await settings.post(action, "/delete-account", cookie, again)).toMatchObject({
    status: 302,
  });
});
