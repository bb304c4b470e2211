import type { Page } from "@playwright/test";
import { payLater, spendAll, startPaying } from "./credits.ts";
import { press } from "./screen.ts";
import type { Screen } from "./scenario.ts";

/** A spot that is held while its player pays, where it is seen, also while a bank has yet to confirm. */
export const PAYING_SCREENS: Screen[] = [
  {
    name: "bookings-paying",
    as: "newcomer",
    before: spendAll,
    path: ({ spare }) => `/events/${spare}`,
    act: (page) => leaveFor(page, "/bookings"),
    endsOn: "/bookings",
  },
  {
    name: "wallet-paying",
    as: "newcomer",
    before: spendAll,
    path: ({ spare }) => `/events/${spare}`,
    act: (page) => leaveFor(page, "/wallet"),
    endsOn: "/wallet",
  },
  {
    name: "game-under-way",
    as: "newcomer",
    before: spendAll,
    path: ({ spare }) => `/events/${spare}`,
    act: payByBank,
  },
  {
    name: "game-give-back",
    as: "newcomer",
    before: spendAll,
    path: ({ spare }) => `/events/${spare}`,
    act: giveBackInVain,
    isCropped: true,
  },
  {
    name: "paid-under-way",
    as: "newcomer",
    before: spendAll,
    path: ({ spare }) => `/events/${spare}`,
    act: payWithoutWaiting,
    endsOn: "/wallet/paid",
  },
];

async function leaveFor(page: Page, path: string) {
  await startPaying(page);
  await page.goto(path);
  await page.getByText(/^Spot held until/).waitFor();
}

async function payByBank(page: Page) {
  const { pathname } = new URL(page.url());
  await startPaying(page);
  await payLater(page);
  await page.goto(pathname);
  await page.getByText("Waiting for your bank").waitFor();
}

async function payWithoutWaiting(page: Page) {
  await startPaying(page);
  await payLater(page);
  await page.getByRole("link", { name: "Go on without waiting" }).click();
  await page.getByText("Waiting for your bank").waitFor();
}

async function giveBackInVain(page: Page) {
  await payByBank(page);
  await press(page, "Give the spot back");
  await page.getByRole("dialog", { name: "Give the spot back?" }).waitFor();
}
