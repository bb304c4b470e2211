import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { SILENT, silent } from "../players.ts";
import type { Db } from "#app/platform/db.server.ts";
import { monthlyPurchase, deliverEvents } from "#test/payments.ts";
import { press, pressInVain, pressOffline } from "./screen.ts";
import type { Screen } from "./scenario.ts";
import { BUYER, DEBTOR, ODD, PAID, UNPAID } from "./payments.ts";

const PAYER = "?prefilled_email=pia%40uni.example";
const SINGLE = `/demo/checkout/pay_per_game${PAYER}`;
const PORTAL = "/demo/checkout/portal";
const WAITING = "/wallet/paid?session_id=cs_test_unknown";
const SINCE = Math.floor(Date.now() / 1_000) - 120;

/** The plan dialog, the sandbox where plans are paid, and the wallet. */
export const CREDIT_SCREENS: Screen[] = [
  { name: "plans", as: "player", path: "/bookings", act: openPlans, isCropped: true },
  { name: "plans-monthly", as: "player", path: "/wallet", act: openMonthly, isCropped: true },
  { name: "plans-subscribed", as: BUYER, path: "/wallet", act: openPlans, isCropped: true },
  {
    name: "plans-failed",
    as: "player",
    path: "/bookings",
    act: startOffline,
    toast: "Failed to process request",
  },
  {
    name: "plans-setup-required",
    as: "player",
    path: "/bookings",
    act: startWithoutLink,
    toast: "Setup Required",
  },
  { name: "plans-not-loaded", as: "player", path: "/bookings", act: openPlansInVain },
  {
    name: "plans-join",
    as: "broke",
    path: ({ open }) => `/events/${open}`,
    act: lackCredits,
    isCropped: true,
  },
  {
    name: "plans-running",
    as: "newcomer",
    before: (db, userId) => subscribe(db, userId, 1),
    path: "/wallet",
    act: openMonthly,
    isCropped: true,
  },
  {
    name: "plans-rejected",
    as: "newcomer",
    path: "/wallet",
    act: subscribeTwice,
    isCropped: true,
  },
  {
    name: "checkout-failed",
    as: "player",
    path: "/wallet",
    act: postUnknownPack,
    endsOn: "/checkout",
  },
  { name: "checkout", as: "player", path: SINGLE },
  {
    name: "checkout-game",
    as: "newcomer",
    before: spendAll,
    path: ({ open }) => `/events/${open}`,
    act: startPaying,
    endsOn: "/demo/checkout/pay_per_game",
  },
  { name: "checkout-declined", path: SINGLE, act: (page) => pressInVain(page, "Fail") },
  { name: "checkout-later", path: SINGLE, act: payLater },
  { name: "checkout-bank-rejected", path: SINGLE, act: payLaterInVain },
  { name: "checkout-monthly", path: `/demo/checkout/monthly_8${PAYER}` },
  { name: "portal", as: BUYER, path: PORTAL },
  { name: "portal-empty", as: "broke", path: PORTAL },
  { name: "wallet", as: BUYER, path: "/wallet" },
  {
    name: "wallet-two-plans",
    as: "newcomer",
    before: (db, userId) => subscribe(db, userId, 2),
    path: "/wallet",
  },
  { name: "receipt", as: BUYER, path: ({ receipt }) => `/wallet/receipts/${receipt}` },
  {
    name: "receipt-refunded",
    as: BUYER,
    path: ({ refundedReceipt }) => `/wallet/receipts/${refundedReceipt}`,
  },
  { name: "wallet-player", as: "player", path: "/wallet" },
  { name: "wallet-debt", as: DEBTOR, path: "/wallet" },
  { name: "wallet-empty", as: "broke", path: "/wallet" },
  { name: "wallet-nothing-older", as: "player", path: "/wallet?before=1" },
  { name: "paid-waiting", as: "player", path: WAITING },
  { name: "paid-long", as: "player", path: `${WAITING}&since=${SINCE}` },
  { name: "paid-unconfirmed", as: BUYER, path: `/wallet/paid?session_id=${UNPAID}` },
  { name: "paid-failed", as: BUYER, path: `/wallet/paid?session_id=${UNPAID}_failed` },
  { name: "paid-arrived", as: BUYER, path: `/wallet/paid?session_id=${PAID}` },
  {
    name: "paid-game",
    as: "newcomer",
    before: spendAll,
    path: ({ open }) => `/events/${open}`,
    act: payForGame,
    endsOn: "/wallet/paid",
  },
  {
    name: "paid-declined",
    as: "newcomer",
    before: spendAll,
    path: ({ open }) => `/events/${open}`,
    act: (page, _, db) => payInDebt(page, db),
    endsOn: "/wallet/paid",
  },
  {
    name: "game-paying",
    as: "newcomer",
    before: spendAll,
    path: ({ open }) => `/events/${open}`,
    act: comeBack,
  },
  {
    name: "checkout-not-held",
    as: "newcomer",
    path: "/wallet",
    act: (page, { full }) => payForFull(page, `/events/${full}`),
    endsOn: "/checkout",
  },
  { name: "paid-unmatched", as: BUYER, path: `/wallet/paid?session_id=${ODD}` },
];

async function openPlans(page: Page) {
  await press(page, "Buy credits");
  await page.getByRole("button", { name: "START PLAYING" }).waitFor();
}

async function openMonthly(page: Page) {
  await openPlans(page);
  await page.getByRole("tab", { name: "Monthly Subscription" }).click();
  // The dialog grows under the pointer, and a plan that it is over looks like a chosen one.
  await page.mouse.move(0, 0);
}

async function subscribe(db: Db, userId: string, times: number) {
  for (let turn = 0; turn < times; turn += 1) {
    const plan = monthlyPurchase(userId, { start: new Date(), pack: "demo_monthly_4" });
    await deliverEvents(silent(db), [plan.completed, plan.created, plan.paid(0)], new Date());
  }
}

/** The plan begins in another tab. */
async function subscribeTwice(page: Page) {
  await openMonthly(page);
  await page.getByRole("radio", { name: /8\.50€/ }).check();
  const other = await page.context().newPage();
  await other.goto("/wallet");
  await openMonthly(other);
  await other.getByRole("radio", { name: /8\.50€/ }).check();
  await press(other, "START PLAYING");
  await other.getByRole("button", { name: /^Subscribe/ }).click();
  await other.getByText("40 credits added").waitFor();
  await other.close();
  await pressInVain(page, "START PLAYING");
}

export async function spendAll(db: Db, userId: string) {
  const correction = { amountCents: -3_000, reason: "Played", actor: "command" as const };
  await correctBalance(db, SILENT, { ...correction, userId, key: randomUUID() });
}

export async function startPaying(page: Page) {
  await lackCredits(page);
  await press(page, "START PLAYING");
  await page.getByText("Sandbox checkout — no real money").waitFor();
}

async function payForGame(page: Page) {
  await startPaying(page);
  await page.getByRole("button", { name: /^Pay 9/ }).click();
  await page.getByText("You're in", { exact: true }).waitFor();
}

async function payForFull(page: Page, returnTo: string) {
  await openPlans(page);
  const packId = await page.getByRole("radio", { name: /9,99 €/ }).getAttribute("value");
  await postCheckout(page, { packId: packId!, returnTo, formKey: randomUUID() });
  await page.getByText("No spot was held").waitFor();
}

export async function owe(db: Db, userId: string) {
  await spendAll(db, userId);
  const debt = db.updateTable("profiles").set({ wallet_debt_eur: "5" });
  await debt.where("user_id", "=", userId).execute();
}

/** The debt comes while it is paid for. */
async function payInDebt(page: Page, db: Db) {
  await startPaying(page);
  const email = await page.getByLabel("Email").inputValue();
  const debt = db.updateTable("profiles").set({ wallet_debt_eur: "5" });
  await debt.where("email", "=", email).execute();
  await page.getByRole("button", { name: /^Pay 9/ }).click();
  await page.getByText("You are not in, and your credits stay").waitFor();
}

async function comeBack(page: Page) {
  await startPaying(page);
  await page.getByRole("link", { name: "Back to game" }).click();
  await page.getByRole("button", { name: "Give the spot back" }).waitFor();
}

async function startOffline(page: Page) {
  await openPlans(page);
  await pressOffline(page, "START PLAYING", "**/checkout.data*");
}

/** A pack without a payment link would be on the other screens as well: here the response is changed. */
async function startWithoutLink(page: Page) {
  await openPlans(page);
  await page.route("**/checkout.data*", async (route) => {
    const response = await route.fetch({ postData: "packId=none" });
    const body = (await response.text())
      .replace('"Error"', '"Setup Required"')
      .replace(
        "Failed to process request",
        "Payment link is not configured yet. Please contact support.",
      );
    await route.fulfill({ response, body });
  });
  await pressInVain(page, "START PLAYING");
}

async function openPlansInVain(page: Page) {
  await page.route("**/plan-choice-*.js", (route) => route.abort());
  await pressInVain(page, "Buy credits");
}

async function lackCredits(page: Page) {
  await press(page, "Pay and join");
  await page.getByRole("button", { name: "START PLAYING" }).waitFor();
}

/** Posts a pack that is not on sale. */
async function postUnknownPack(page: Page) {
  await postCheckout(page, { packId: "none" });
  await page.getByRole("heading", { name: "Error" }).waitFor();
}

/** Posts the plan dialog like a browser without JavaScript. */
async function postCheckout(page: Page, fields: Record<string, string>) {
  await page.evaluate((values) => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/checkout";
    for (const [name, value] of Object.entries(values)) {
      form.append(Object.assign(document.createElement("input"), { name, value }));
    }
    document.body.append(form);
    form.submit();
  }, fields);
}

export async function payLater(page: Page) {
  await press(page, "Pay later");
  await page.getByRole("heading", { name: "Your bank will confirm" }).waitFor();
}

async function payLaterInVain(page: Page) {
  await payLater(page);
  await pressInVain(page, "The bank declines");
}
