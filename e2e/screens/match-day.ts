import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { Db } from "#app/platform/db.server.ts";
import type { NewGame, Schema } from "#app/platform/schema.ts";
import type { Insertable } from "kysely";
import { press, pressInVain, type ScreenOf } from "./screen.ts";

export interface MatchDayGames {
  /** About to kick off, with players in every state. */
  matchDay: string;
  /** Has begun, with all its spots taken. */
  fullMatch: string;
  /** Cancelled, with players who were in it. */
  rainedOff: string;
}

type StageGame = (hours: number, game: Partial<NewGame>) => Promise<string>;
type NewBooking = Insertable<Schema["bookings"]>;

export async function stageMatchDay(db: Db, stageGame: StageGame): Promise<MatchDayGames> {
  const [matchDay, fullMatch, rainedOff, ...missed] = await Promise.all([
    stageGame(0.5, { title: "Evening futsal", max_players: 14 }),
    stageGame(0, { title: "Full futsal", max_players: 4 }),
    stageGame(30, { title: "Rained off", status: "Cancelled" }),
    stageGame(-48, { title: "Missed futsal" }),
    stageGame(-96, { title: "Missed futsal" }),
  ]);
  const demo = db.selectFrom("users").select("id").where("email", "like", "%.%@uni.example");
  const ids = (await demo.orderBy("email").limit(16).execute()).map(({ id }) => id);
  const admin = db.selectFrom("users").select("id").where("email", "=", "admin@uni.example");
  const { id: noted_by } = await admin.executeTakeFirstOrThrow();
  const paid = { payment_status: "Paid" as const, price_eur: "10" };
  const unpaid = { payment_status: "Unpaid" as const, price_eur: "0" };
  const byHand = { ...paid, price_eur: "0" };
  const left = { payment_status: "Cancelled" as const, cancelled_at: new Date() };
  const offered: Partial<NewBooking>[] = [
    ...[paid, paid, unpaid, paid, paid, byHand, paid, unpaid, paid, paid],
    { ...left, end_reason: "Left", cancel_reason: "Injured my knee", price_eur: "10" },
    { ...left, end_reason: "Removed", price_eur: "0" },
  ];
  const rows = await add(
    db,
    offered.map((row, n) => ({ ...row, user_id: ids[n], game_id: matchDay })),
  );
  await add(
    db,
    missed.map((game_id) => ({ ...paid, user_id: ids[1], game_id, attendance: "NoShow" })),
  );
  await add(
    db,
    ids.slice(0, 4).map((user_id) => ({ ...paid, user_id, game_id: fullMatch })),
  );
  const gone = {
    ...left,
    payment_status: "Cancelled" as const,
    end_reason: "GameCancelled" as const,
  };
  await add(
    db,
    ids.slice(0, 4).map((user_id) => ({ ...gone, price_eur: "0", user_id, game_id: rainedOff })),
  );
  const cash = { amount_eur: "10", method: "MobilePay" as const, noted_by, noted_at: new Date() };
  await db
    .insertInto("cash_payments")
    .values([rows[5]!, rows[11]!].map((booking_id) => ({ ...cash, id: randomUUID(), booking_id })))
    .execute();
  await db
    .updateTable("profiles")
    .set({ phone: "+358 40 123 4567" })
    .where("user_id", "in", ids.slice(0, 8))
    .execute();
  return { matchDay, fullMatch, rainedOff };
}

async function add(db: Db, bookings: Partial<NewBooking>[]): Promise<string[]> {
  const given = bookings.map((booking) => ({ id: randomUUID(), ...booking }) as NewBooking);
  await db.insertInto("bookings").values(given).execute();
  return given.map(({ id }) => id!);
}

const of =
  (id: keyof MatchDayGames, suffix = "") =>
  (scenario: MatchDayGames) =>
    `/admin/games/${scenario[id]}${suffix}`;

/** A game's players on the organiser's phone. */
export const MATCH_DAY_SCREENS: ScreenOf<MatchDayGames>[] = [
  { name: "match-day", as: "admin", path: of("matchDay") },
  { name: "match-day-marked", as: "admin", path: of("matchDay"), act: mark },
  { name: "match-day-waiting", as: "admin", path: of("matchDay"), act: markOffline },
  {
    name: "match-day-waiting-elsewhere",
    as: "admin",
    path: of("matchDay"),
    act: waitElsewhere,
    endsOn: "/admin/packs",
  },
  {
    name: "match-day-offline",
    as: "admin",
    path: of("matchDay"),
    act: markAndReloadOffline,
    endsOn: "/offline",
  },
  { name: "match-day-player", as: "admin", path: of("matchDay"), act: unfold },
  {
    name: "match-day-check-in-rest",
    as: "admin",
    path: of("matchDay"),
    act: (page) => openDialog(page, "Check in the rest"),
    isCropped: true,
  },
  {
    name: "match-day-pay",
    as: "admin",
    path: of("matchDay"),
    act: (page) => openDialog(page, /^Mark paid /),
    isCropped: true,
  },
  {
    name: "match-day-pay-errors",
    as: "admin",
    path: of("matchDay"),
    act: payInVain,
    isCropped: true,
  },
  { name: "match-day-former", as: "admin", path: of("matchDay"), act: unfoldFormer },
  { name: "match-day-walk-in", as: "admin", path: of("matchDay"), act: addNobody },
  { name: "match-day-sign-up-link", as: "admin", path: of("matchDay"), act: askForLink },
  { name: "match-day-add-by-hand", as: "admin", path: of("matchDay"), act: addByHandInVain },
  { name: "match-day-not-enough", as: "admin", path: of("matchDay"), act: chargeBroke },
  {
    name: "match-day-add-anyway",
    as: "admin",
    path: of("fullMatch"),
    act: addToFull,
    isCropped: true,
  },
  { name: "match-day-print", as: "admin", path: of("matchDay", "/print") },
  { name: "admin-game-rained-off", as: "admin", path: of("rainedOff") },
];

/** Two are marked, and stay so: each picture is of the same players. */
async function mark(page: Page) {
  await page.route("**/tap", (route) =>
    route.fulfill({ json: { ok: true, current: route.request().postDataJSON()["to"] } }),
  );
  await tapFirst(page);
  await page.getByText("Saved").nth(2).waitFor();
}

async function markOffline(page: Page) {
  await page.route("**/tap", (route) => route.abort());
  await tapFirst(page);
  await page.getByText("Waiting for a connection").nth(2).waitFor();
}

async function waitElsewhere(page: Page) {
  await markOffline(page);
  await page.getByRole("link", { name: "Packs" }).click();
  await page.getByText("taps wait on this phone").waitFor();
}

async function markAndReloadOffline(page: Page) {
  await markOffline(page);
  await page.goto("/offline");
  await page.getByText("on this phone not sent yet").waitFor();
}

async function tapFirst(page: Page) {
  const rows = page.getByRole("listitem");
  for (const name of [/^Check in/, /^Check in/, /^No-show/]) {
    await rows.getByRole("button", { name }).first().click();
  }
}

async function unfold(page: Page) {
  await page.getByRole("listitem").locator("summary").first().click();
}

async function openDialog(page: Page, name: string | RegExp) {
  await press(page, name);
  await page.getByRole("dialog").waitFor();
}

async function payInVain(page: Page) {
  await openDialog(page, /^Mark paid /);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount in €").fill("ten");
  await dialog.getByRole("button", { name: "Mark paid" }).click();
  await dialog.getByRole("alert").waitFor();
}

async function unfoldFormer(page: Page) {
  // Open by itself, while there is cash to give back.
  await page.getByText("Money to give back").last().scrollIntoViewIfNeeded();
}

async function addNobody(page: Page) {
  await page.getByLabel("Email or name").fill("Walk In");
  await pressInVain(page, "Add unpaid");
  await page.getByRole("img", { name: "QR code of the sign-up link" }).scrollIntoViewIfNeeded();
}

async function askForLink(page: Page) {
  await press(page, "No account yet?");
  await page.getByRole("img", { name: "QR code of the sign-up link" }).scrollIntoViewIfNeeded();
}

async function addByHandInVain(page: Page) {
  await page.getByLabel("Email or name").fill("Walk In");
  await page.getByLabel("Amount in €").last().fill("ten");
  await pressInVain(page, "Add as paid by hand");
  await page.getByLabel("Amount in €").last().scrollIntoViewIfNeeded();
}

async function addToFull(page: Page) {
  await page.getByLabel("Email or name").fill("broke@uni.example");
  await press(page, "Add unpaid");
  await page.getByText("The game is full. Add anyway?").scrollIntoViewIfNeeded();
}

async function chargeBroke(page: Page) {
  await page.getByLabel("Email or name").fill("broke@uni.example");
  await pressInVain(page, /^Add and take /);
}
