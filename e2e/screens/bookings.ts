import type { Page } from "@playwright/test";
import { stageNoShow } from "./no-shows.ts";
import { clearToast, press, showFact, showOldHour } from "./screen.ts";
import type { Scenario, Screen } from "./scenario.ts";

/** My Games, and cancelling. */
export const BOOKING_SCREENS: Screen[] = [
  { name: "bookings-visitor", path: "/bookings" },
  { name: "bookings", as: "player", path: "/bookings" },
  {
    name: "bookings-no-show",
    as: "newcomer",
    path: "/bookings",
    before: async (db, newcomerId) => {
      await stageNoShow(db, newcomerId, 12);
      await stageNoShow(db, newcomerId, 30);
    },
  },
  { name: "bookings-empty", as: "broke", path: "/bookings" },
  {
    name: "bookings-several",
    as: "newcomer",
    path: "/bookings",
    act: async (page, scenario) => {
      for (const game of [scenario.soon, scenario.free]) await join(page, game);
    },
  },
  {
    name: "offline-tickets",
    as: "newcomer",
    path: "/bookings",
    act: async (page, scenario) => {
      for (const game of [scenario.soon, scenario.free]) await join(page, game);
      await page.goto("/offline");
    },
    endsOn: "/offline",
  },
  { name: "bookings-install", as: "player", path: "/bookings", act: offerInstall },
  { name: "cancel-dialog", as: "player", path: "/bookings", act: openCancel, isCropped: true },
  {
    name: "cancel-dialog-late",
    as: "newcomer",
    path: "/bookings",
    act: (page, { soon }) => joinAndOpenCancel(page, soon),
    isCropped: true,
  },
  {
    name: "cancel-dialog-free",
    as: "newcomer",
    path: "/bookings",
    act: (page, { free }) => joinAndOpenCancel(page, free),
    isCropped: true,
  },
  {
    name: "booking-cancelled",
    as: "newcomer",
    path: "/bookings",
    act: cancel,
    toast: "Booking cancelled",
  },
  { name: "cancel-moved", as: "newcomer", path: "/bookings", act: cancelOldHour, toast: "Error" },
  {
    name: "cancel-other-refund",
    as: "newcomer",
    path: "/bookings",
    act: cancelAtOldRefund,
    toast: "Error",
  },
  { name: "cancel-failed", as: "newcomer", path: "/bookings", act: cancelTwice, toast: "Error" },
];

/** Offers it like Chrome where the site can be installed. */
async function offerInstall(page: Page) {
  await page.evaluate(() => dispatchEvent(new Event("beforeinstallprompt", { cancelable: true })));
  await page.getByRole("region", { name: /home screen/ }).waitFor();
}

async function openCancel(page: Page) {
  await press(page, /^Cancel/);
  await page.getByRole("dialog").waitFor();
}

async function joinAndOpenCancel(page: Page, game: string) {
  await join(page, game);
  await openCancel(page);
}

async function cancel(page: Page, { spare }: Scenario) {
  await joinAndOpenCancel(page, spare);
  await press(page, "Cancel booking");
}

async function cancelOldHour(page: Page, { spare }: Scenario) {
  await joinAndOpenCancel(page, spare);
  await showOldHour(page);
  await clearToast(page);
  await press(page, "Cancel booking");
}

async function cancelAtOldRefund(page: Page, { spare }: Scenario) {
  await joinAndOpenCancel(page, spare);
  await showFact(page, "refund", "You'll get nothing back.");
  await clearToast(page);
  await press(page, "Cancel booking");
}

/** Acts in a second tab: this one does not know yet. */
async function cancelTwice(page: Page, { spare }: Scenario) {
  await joinAndOpenCancel(page, spare);
  const bookingId = await page.locator("input[name=bookingId]").first().inputValue();
  const form = { intent: "cancel", bookingId };
  await page.request.post("/bookings", { form, maxRedirects: 0 });
  await clearToast(page);
  await press(page, "Cancel booking");
}

/** Without the toast, which would be seen on the next page. */
async function join(page: Page, game: string) {
  await page.request.post(`/events/${game}`, { form: { intent: "join" }, maxRedirects: 0 });
  await clearToast(page);
  await page.reload({ waitUntil: "networkidle" });
}
