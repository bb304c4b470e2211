import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { SILENT } from "../players.ts";
import { owe, payLater, spendAll, startPaying } from "./credits.ts";
import { press } from "./screen.ts";
import type { Scenario, Screen } from "./scenario.ts";
import { aGameIn } from "./waitlist.ts";

const open = ({ open: id }: Scenario) => `/events/${id}`;

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
    name: "wallet-under-way",
    as: "newcomer",
    before: spendAll,
    path: ({ spare }) => `/events/${spare}`,
    act: async (page) => {
      await payByBank(page);
      await page.goto("/wallet");
    },
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
  { name: "game-no-credits", as: "newcomer", before: spendAll, path: open },
  { name: "game-debt", as: "newcomer", before: owe, path: open },
  {
    name: "plans-debt",
    as: "newcomer",
    before: owe,
    path: open,
    act: (page) => openPlansFor(page, "Join game"),
    isCropped: true,
  },
  {
    name: "plans-difference",
    as: "newcomer",
    before: spendMost,
    path: open,
    act: (page) => openPlansFor(page, "Pay and join"),
    isCropped: true,
  },
  {
    name: "checkout-difference",
    as: "newcomer",
    before: spendMost,
    path: open,
    act: async (page) => {
      await openPlansFor(page, "Pay and join");
      await press(page, "Pay 0.99 € and join");
      await page.getByText("Sandbox checkout — no real money").waitFor();
    },
    endsOn: "/demo/checkout/any_amount",
  },
  { name: "wallet-difference", as: "newcomer", before: spendMost, path: "/wallet" },
  {
    name: "paid-late",
    as: "newcomer",
    before: spendAll,
    path: open,
    act: (page, scenario, db) => payLate(page, db, scenario.venue),
    endsOn: "/wallet/paid",
  },
  {
    name: "paid-spot-gone",
    as: "newcomer",
    before: spendAll,
    path: open,
    act: (page, scenario, db) => payLate(page, db, scenario.venue, scenario.otherId),
    endsOn: "/wallet/paid",
  },
];

/** All but 9.01, as after a cancellation. */
async function spendMost(db: Db, userId: string) {
  const correction = { amountCents: -2_099, reason: "Played", actor: "command" as const };
  await correctBalance(db, SILENT, { ...correction, userId, key: randomUUID() });
}

async function openPlansFor(page: Page, button: string) {
  await press(page, button);
  await page.getByRole("dialog", { name: "Choose Your Plan" }).waitFor();
}

/** When the spot is held no more; `takenBy`: the only one, which somebody else has by then. */
async function payLate(page: Page, db: Db, venue_id: string, takenBy?: string) {
  const title = takenBy ? "One spot" : "Two spots";
  const game_id = await aGameIn(db, 60, { title, venue_id, max_players: takenBy ? 1 : 2 });
  await page.goto(`/events/${game_id}`);
  await startPaying(page);
  await payLater(page);
  const ended_at = new Date(Date.now() - 1_000);
  const lapsed = { status: "Lapsed" as const, expires_at: ended_at, ended_at };
  const holds = db.updateTable("payment_holds").where("game_id", "=", game_id);
  await holds.set(lapsed).execute();
  if (takenBy) {
    const booking = { user_id: takenBy, game_id, payment_status: "Paid" as const, price_eur: "0" };
    await db.insertInto("bookings").values(booking).execute();
  }
  await press(page, "The bank confirms");
  await page
    .getByText(takenBy ? "You are not in, and your" : "You're in")
    .first()
    .waitFor();
}

async function leaveFor(page: Page, path: string) {
  await startPaying(page);
  await page.goto(path);
  await page.getByText(/^Spot held for you/).waitFor();
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
