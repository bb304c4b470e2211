import type { Page } from "@playwright/test";
import type { Db } from "#app/platform/db.server.ts";
import type { NewGame } from "#app/platform/schema.ts";
import { press, pressInVain, type ScreenOf } from "./screen.ts";

/** Games with a minimum of players. */
export interface MinimumGames {
  /** Game with too few so far. */
  short: string;
  playedAnyway: string;
  tooFew: string;
}

type StageGame = (hours: number, game: Partial<NewGame>) => Promise<string>;

export async function stageMinimums(db: Db, stageGame: StageGame): Promise<MinimumGames> {
  const decided = (decision: "PlayAnyway" | "CalledOff") =>
    ({ min_players: 8, decision, decided_at: new Date() }) as const;
  const [short, playedAnyway, tooFew] = await Promise.all([
    stageGame(8, { min_players: 8 }),
    stageGame(9, decided("PlayAnyway")),
    stageGame(10, { ...decided("CalledOff"), status: "Cancelled" }),
  ]);
  const others = db.selectFrom("users").select("id").where("email", "like", "%.%@uni.example");
  const players = await others.orderBy("email").limit(6).execute();
  for (const { id: user_id } of players) {
    const booking = { user_id, payment_status: "Paid" as const, price_eur: "0" };
    await db
      .insertInto("bookings")
      .values([short, playedAnyway].map((game_id) => ({ ...booking, game_id })))
      .execute();
  }
  return { short, playedAnyway, tooFew };
}

export const MINIMUM_SCREENS: ScreenOf<MinimumGames>[] = [
  { name: "game-minimum", as: "player", path: ({ short }) => `/events/${short}` },
  { name: "game-minimum-visitor", path: ({ short }) => `/events/${short}` },
  { name: "game-too-few-players", as: "admin", path: ({ tooFew }) => `/events/${tooFew}` },
  {
    name: "bookings-minimum",
    as: "newcomer",
    path: ({ playedAnyway }) => `/events/${playedAnyway}`,
    act: joinAndOpenTickets,
    endsOn: "/bookings",
  },
  { name: "admin-game-minimum", as: "admin", path: ({ short }) => `/admin/games/${short}` },
  {
    name: "admin-play-anyway",
    as: "admin",
    path: ({ short }) => `/admin/games/${short}`,
    act: async (page) => {
      await press(page, "Play anyway");
      await page.getByRole("dialog").waitFor();
    },
    isCropped: true,
  },
  {
    name: "admin-game-played-anyway",
    as: "admin",
    path: ({ playedAnyway }) => `/admin/games/${playedAnyway}`,
  },
  {
    name: "admin-game-too-few-players",
    as: "admin",
    path: ({ tooFew }) => `/admin/games/${tooFew}`,
  },
  {
    name: "admin-game-minimum-errors",
    as: "admin",
    path: ({ short }) => `/admin/games/${short}/edit`,
    act: saveInVain,
  },
];

async function joinAndOpenTickets(page: Page) {
  await press(page, "Join game");
  await page.getByText("You're attending this game!").waitFor();
  await page.goto("/bookings", { waitUntil: "networkidle" });
}

async function saveInVain(page: Page) {
  await page.getByLabel("Minimum players").fill("12");
  await page.getByLabel("Decided, hours before").fill("2.5");
  await pressInVain(page, "Save changes");
}
