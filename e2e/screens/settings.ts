import { silent } from "../players.ts";
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { turnOnFeed } from "#app/features/bookings/calendar-feeds.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { DEMO_PASSWORD } from "../../db/demo/people.ts";
import { aBrowser } from "#test/push-service.ts";
import { singlePurchase, deliverEvents } from "#test/payments.ts";
import { clearToast, press, pressInVain, pressOffline } from "./screen.ts";
import type { Screen } from "./scenario.ts";
import { BUYER, DEBTOR } from "./payments.ts";

const PASSWORD = "/settings/change-password";
const CALENDAR = "/settings/calendar";
const NOTIFICATIONS = "/settings/notifications";
const SUPPORT = "/settings/contact-support";
const REVIEW = "/settings/leave-review";
const WITHDRAW = "/settings/withdraw";
const DELETE = "/settings/delete-account";

/** The settings and what can be done there. */
export const SETTINGS_SCREENS: Screen[] = [
  { name: "settings", as: "player", path: "/settings" },
  {
    name: "settings-logout-failed",
    as: "player",
    path: "/settings",
    act: (page) => pressOffline(page, "Logout", "**/sign-out.data*"),
  },
  { name: "notifications", as: "player", path: NOTIFICATIONS },
  { name: "notifications-device-on", as: "newcomer", path: NOTIFICATIONS, act: turnOnPush },
  { name: "notifications-device-off", as: "newcomer", path: NOTIFICATIONS, act: askNobody },
  { name: "notifications-blocked", as: "newcomer", path: NOTIFICATIONS, act: blockPush },
  {
    name: "notifications-saved",
    as: "newcomer",
    path: NOTIFICATIONS,
    act: saveNotifications,
    toast: "Notifications saved",
  },
  { name: "change-password", as: "player", path: PASSWORD },
  {
    name: "change-password-errors",
    as: "player",
    path: PASSWORD,
    act: (page) => pressInVain(page, "Update password"),
  },
  {
    name: "change-password-done",
    as: "newcomer",
    path: PASSWORD,
    act: changePassword,
    endsOn: "/settings",
  },
  { name: "calendar-off", as: "player", path: CALENDAR },
  { name: "calendar", as: "newcomer", path: CALENDAR, before: turnOnFeed },
  {
    name: "calendar-renewed",
    as: "newcomer",
    path: CALENDAR,
    before: turnOnFeed,
    act: (page) => press(page, "Renew address"),
    toast: "Address renewed",
  },
  { name: "contact-support", as: "player", path: SUPPORT },
  {
    name: "contact-support-errors",
    as: "player",
    path: SUPPORT,
    act: (page) => pressInVain(page, "Send message"),
  },
  {
    name: "contact-support-sent",
    as: "newcomer",
    path: SUPPORT,
    act: write,
  },
  { name: "leave-review", as: "player", path: REVIEW },
  { name: "leave-review-rated", as: "player", path: REVIEW, act: rate },
  {
    name: "leave-review-errors",
    as: "player",
    path: REVIEW,
    act: (page) => pressInVain(page, "Submit review"),
  },
  {
    name: "leave-review-sent",
    as: "newcomer",
    path: REVIEW,
    act: review,
  },
  { name: "onboarding", as: "player", path: "/settings/onboarding" },
  { name: "withdraw", as: BUYER, path: WITHDRAW },
  { name: "withdraw-confirm", as: BUYER, path: WITHDRAW, act: stateWithdrawal },
  {
    name: "withdraw-done",
    as: "newcomer",
    path: WITHDRAW,
    before: buy,
    act: withdraw,
    toast: "Withdrawal received",
  },
  { name: "withdraw-states", as: "newcomer", path: WITHDRAW, before: withdrawSome },
  { name: "withdraw-empty", as: "broke", path: WITHDRAW },
  { name: "delete-account", as: "player", path: DELETE },
  {
    name: "delete-account-errors",
    as: "player",
    path: DELETE,
    act: (page) => pressInVain(page, "Delete my account"),
  },
  { name: "delete-account-debt", as: DEBTOR, path: DELETE },
  { name: "delete-account-blocked", as: BUYER, path: DELETE },
  {
    name: "delete-account-done",
    as: "newcomer",
    path: DELETE,
    act: deleteAccount,
    endsOn: "/",
  },
];

async function saveNotifications(page: Page) {
  await page.getByRole("checkbox", { name: /^Game changed by email/ }).uncheck();
  await press(page, "Save");
}

/** Pretends that the browser had asked and got this answer. */
async function answerPush(page: Page, permission: NotificationPermission) {
  await page.addInitScript((answer) => {
    Object.defineProperty(Notification, "permission", { get: () => answer });
  }, permission);
  await page.reload({ waitUntil: "networkidle" });
}

async function askNobody(page: Page) {
  await answerPush(page, "default");
}

async function blockPush(page: Page) {
  await answerPush(page, "denied");
}

async function turnOnPush(page: Page) {
  const endpoint = `https://fcm.googleapis.com/fcm/send/${randomUUID()}`;
  const subscription = JSON.stringify({ endpoint, keys: aBrowser().keys });
  const form = { intent: "device-on", subscription };
  await page.request.post(NOTIFICATIONS, { form, maxRedirects: 0 });
  await clearToast(page);
  await answerPush(page, "granted");
}

async function changePassword(page: Page) {
  await page.getByLabel("Current password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByLabel("New password", { exact: true }).fill("Another2Password");
  await page.getByLabel("Confirm new password", { exact: true }).fill("Another2Password");
  await press(page, "Update password");
}

async function write(page: Page) {
  await page.getByLabel("Subject *").fill("Lost shoes");
  await page.getByLabel("Message *").fill("Blue ones, after the game on Monday.");
  await press(page, "Send message");
  await page.getByText("Message sent").waitFor();
}

async function rate(page: Page) {
  await page.getByRole("radio", { name: /Great/ }).check();
}

async function review(page: Page) {
  await rate(page);
  await press(page, "Submit review");
  await page.getByText("Review submitted").waitFor();
}

async function buy(db: Db, newcomerId: string) {
  const pack = singlePurchase(newcomerId, { payment_link: "plink_demo_pay_per_game" });
  await deliverEvents(silent(db), pack.completed, new Date());
}

/** One withdrawal in each state. */
async function withdrawSome(db: Db, newcomerId: string) {
  const refused_by = newcomerId;
  const states = [
    { outcome: "taken_back", ended_at: new Date() },
    { outcome: "refused", ended_at: new Date(), refused_by, refusal_reason: REASON },
    { paid_back_at: new Date(), paid_back_by: newcomerId },
    {},
  ] as const;
  for (const [day, state] of states.entries()) {
    await buy(db, newcomerId);
    const own = { user_id: newcomerId, credits_eur: "10", amount_eur: "9.99" };
    const stated_at = new Date(Date.now() - (states.length - day) * 86_400_000);
    const { id: payment_id } = await db
      .selectFrom("payments")
      .select("id")
      .where("user_id", "=", newcomerId)
      .where("id", "not in", db.selectFrom("withdrawals").select("payment_id"))
      .executeTakeFirstOrThrow();
    await db
      .insertInto("withdrawals")
      .values({ ...own, payment_id, stated_at, ...state })
      .execute();
  }
}
const REASON =
  "You joined Monday's game with these credits and played. What you used cannot go back.";

async function stateWithdrawal(page: Page) {
  await page.getByRole("radio").first().check();
  await press(page, "Withdraw from this purchase");
  await page.getByRole("button", { name: "Confirm withdrawal" }).waitFor();
}

async function withdraw(page: Page) {
  await stateWithdrawal(page);
  await press(page, "Confirm withdrawal");
}

async function deleteAccount(page: Page) {
  await page.getByLabel("Your password").fill(DEMO_PASSWORD);
  await press(page, "Delete my account");
}
