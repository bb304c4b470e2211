import type { Page } from "@playwright/test";
import { press, pressInVain, pressOffline, type Screen } from "./screen.ts";
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
  {
    name: "plans-not-loaded",
    as: "player",
    path: "/bookings",
    act: openPlansInVain,
    toast: "Failed to load credit packs",
  },
  {
    name: "plans-join",
    as: "broke",
    path: ({ open }) => `/events/${open}`,
    act: lackCredits,
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
  { name: "checkout-declined", path: SINGLE, act: (page) => pressInVain(page, "Fail") },
  { name: "checkout-later", path: SINGLE, act: payLater },
  { name: "checkout-bank-rejected", path: SINGLE, act: payLaterInVain },
  { name: "checkout-monthly", path: `/demo/checkout/monthly_8${PAYER}` },
  { name: "portal", as: BUYER, path: PORTAL },
  { name: "portal-empty", as: "broke", path: PORTAL },
  { name: "wallet", as: BUYER, path: "/wallet" },
  { name: "wallet-player", as: "player", path: "/wallet" },
  { name: "wallet-debt", as: DEBTOR, path: "/wallet" },
  { name: "wallet-empty", as: "broke", path: "/wallet" },
  { name: "wallet-nothing-older", as: "player", path: "/wallet?before=1" },
  { name: "paid-waiting", as: "player", path: WAITING },
  { name: "paid-long", as: "player", path: `${WAITING}&since=${SINCE}` },
  { name: "paid-unconfirmed", as: BUYER, path: `/wallet/paid?session_id=${UNPAID}` },
  { name: "paid-failed", as: BUYER, path: `/wallet/paid?session_id=${UNPAID}_failed` },
  { name: "paid-arrived", as: BUYER, path: `/wallet/paid?session_id=${PAID}` },
  { name: "paid-unmatched", as: BUYER, path: `/wallet/paid?session_id=${ODD}` },
];

async function openPlans(page: Page) {
  await press(page, "Buy credits");
  await page.getByRole("button", { name: "START PLAYING" }).waitFor();
}

async function openMonthly(page: Page) {
  await openPlans(page);
  await page.getByRole("tab", { name: "Monthly Subscription" }).click();
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
  await press(page, "Join game");
  await page.getByRole("button", { name: "START PLAYING" }).waitFor();
}

/** As a browser without JavaScript posts the plan dialog, with a pack that is not on sale. */
async function postUnknownPack(page: Page) {
  await page.evaluate(() => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/checkout";
    document.body.append(form);
    form.submit();
  });
  await page.getByRole("heading", { name: "Error" }).waitFor();
}

async function payLater(page: Page) {
  await press(page, "Pay later");
  await page.getByRole("heading", { name: "Your bank will confirm" }).waitFor();
}

async function payLaterInVain(page: Page) {
  await payLater(page);
  await pressInVain(page, "The bank declines");
}
