import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { Insertable } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import type { NewGame, Schema } from "#app/platform/schema.ts";
import { press, type ScreenOf } from "./screen.ts";

/** Games with money that is owed, or to be given back. */
export interface MoneyGames {
  /** Played, with unpaid seats in every state, and cash of players who are no longer in. */
  owed: string;
  /** To come, with players who paid by hand. */
  paidByHand: string;
  /** Called off, with players who paid by hand. */
  cashBack: string;
}

type StageGame = (hours: number, game: Partial<NewGame>) => Promise<string>;
type Booking = Partial<Insertable<Schema["bookings"]>>;
type Cash = Partial<Insertable<Schema["cash_payments"]>>;

export async function stageMoney(db: Db, stageGame: StageGame): Promise<MoneyGames> {
  const [owed, paidByHand, cashBack] = [
    await stageGame(-26, { title: "Sunday futsal" }),
    await stageGame(50, { title: "Cash futsal" }),
    await stageGame(74, { title: "Flooded hall", status: "Cancelled" }),
  ];
  const demo = db.selectFrom("users").select("id").where("email", "like", "%.%@uni.example");
  const ids = (await demo.orderBy("email").limit(8).execute()).map(({ id }) => id);
  const book = (game_id: string, n: number, booking: Booking, cash?: Cash) =>
    addBooking(db, { user_id: ids[n]!, game_id, ...booking }, cash);
  const unpaid = { payment_status: "Unpaid", attendance: "CheckedIn" } as const;
  await book(owed, 0, unpaid);
  await book(owed, 1, { ...unpaid, attendance: "NoShow" });
  await book(owed, 2, { ...unpaid, not_collected_at: new Date() });
  await book(owed, 3, { payment_status: "Paid", attendance: "CheckedIn" }, {});
  await book(owed, 4, ended("Left"), {});
  await book(owed, 5, ended("Removed"), { kept_at: new Date(), method: "MobilePay" });
  for (const n of [0, 1]) await book(paidByHand, n, { payment_status: "Paid" }, {});
  await book(paidByHand, 2, { payment_status: "Paid", price_eur: "10" });
  for (const n of [0, 1]) await book(cashBack, n, ended("GameCancelled"), {});
  return { owed, paidByHand, cashBack };
}

const ended = (end_reason: "Left" | "Removed" | "GameCancelled"): Booking => ({
  ...{ payment_status: "Cancelled", cancelled_at: new Date(), end_reason },
});

async function addBooking(
  db: Db,
  booking: Booking & { user_id: string; game_id: string },
  cash?: Cash,
) {
  const id = randomUUID();
  const charged = { id, price_eur: "0", payment_status: "Paid" as const };
  await db
    .insertInto("bookings")
    .values({ ...charged, ...booking })
    .execute();
  if (!cash) return;
  const admin = db.selectFrom("users").select("id").where("email", "=", "admin@uni.example");
  const { id: noted_by } = await admin.executeTakeFirstOrThrow();
  const payment = { booking_id: id, amount_eur: "8", method: "Cash" as const, noted_by };
  await db
    .insertInto("cash_payments")
    .values({ id: randomUUID(), noted_at: new Date(), ...payment, ...cash })
    .execute();
}

const of =
  (id: keyof MoneyGames, suffix = "") =>
  (scenario: MoneyGames) =>
    `/admin/games/${scenario[id]}${suffix}`;

export const MONEY_SCREENS: ScreenOf<MoneyGames>[] = [
  { name: "admin-game-owed", as: "admin", path: of("owed"), act: unfoldAll },
  { name: "admin-game-cash-back", as: "admin", path: of("cashBack") },
  { name: "admin-games-cancel-cash", as: "admin", path: of("paidByHand", "/cancel") },
  {
    name: "admin-game-cancel-cash",
    as: "admin",
    path: of("paidByHand"),
    act: (page) => press(page, "Cancel game"),
    isCropped: true,
  },
  { name: "admin-games-cash-back", as: "admin", path: "/admin/games?when=all&pays=cash-back" },
  {
    name: "bookings-cash-back",
    as: "newcomer",
    path: "/bookings",
    before: stageCashBack,
  },
];

async function unfoldAll(page: Page) {
  for (const summary of await page.getByRole("listitem").locator("summary").all()) {
    await summary.click();
  }
}

/** The newcomer was in a game that is called off, and has paid by hand. */
async function stageCashBack(db: Db, user_id: string) {
  const games = db.selectFrom("games").select("id").where("title", "=", "Flooded hall");
  const { id: game_id } = await games.executeTakeFirstOrThrow();
  await addBooking(db, { user_id, game_id, ...ended("GameCancelled") }, {});
}
