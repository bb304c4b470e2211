import type { Page } from "@playwright/test";
import { makeTeams, publishTeams } from "#app/features/teams/change-teams.server.ts";
import { recordResult } from "#app/features/teams/record-result.server.ts";
import type { TeamCount } from "#app/features/teams/rules.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { NewGame } from "#app/platform/schema.ts";
import { press, pressInVain, type ScreenOf } from "./screen.ts";

export interface TeamIds {
  /** Eight players, in no teams. */
  noTeams: string;
  /** Two teams that are published, and one player who came later. */
  twoTeams: string;
  threeTeams: string;
  /** Two teams whose game is over, with a result. */
  teamsPlayed: string;
}

type StageGame = (hours: number, game: Partial<NewGame>) => Promise<string>;

const TITLE = "Futsal in teams";

export async function stageTeams(db: Db, stageGame: StageGame): Promise<TeamIds> {
  const game = { max_players: 14 };
  const [noTeams, twoTeams, threeTeams, teamsPlayed] = await Promise.all([
    stageGame(30, game),
    stageGame(31, { ...game, title: TITLE }),
    stageGame(32, game),
    stageGame(-30, game),
  ]);
  const late = await book(db, noTeams, 8).then(() => book(db, twoTeams, 9));
  await book(db, threeTeams, 12);
  await book(db, teamsPlayed, 8);
  await make(db, twoTeams, 2);
  await db.updateTable("bookings").set({ team: null }).where("id", "=", late.at(-1)!).execute();
  const published = { gameId: twoTeams, actorId: "command", version: 2, isPublished: true };
  await publishTeams(db, { ...published, now: new Date() });
  await make(db, threeTeams, 3);
  await make(db, teamsPlayed, 2);
  const form = { gameId: teamsPlayed, actorId: "command", version: 0, teamsVersion: 2 };
  const score = { firstScore: 5, secondScore: 3, players: [] };
  await recordResult(db, { ...form, ...score, now: new Date() });
  return { noTeams, twoTeams, threeTeams, teamsPlayed };
}

async function make(db: Db, gameId: string, count: TeamCount) {
  const made = await makeTeams(db, { gameId, actorId: "command", version: 0, count, seed: 5 });
  if (!made.ok) throw new Error(made.reason);
}

/** So many people of the demo data, of other positions each. */
async function book(db: Db, game_id: string, count: number): Promise<string[]> {
  const people = await db
    .selectFrom("profiles")
    .select("user_id")
    .where("email", "like", "%.%@uni.example")
    .orderBy("email")
    .limit(count)
    .execute();
  const seats = people.map(({ user_id }) => ({ user_id, game_id, price_eur: "0" }));
  const rows = await db
    .insertInto("bookings")
    .values(seats.map((seat) => ({ ...seat, payment_status: "Paid" as const })))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

const teamsOf = (game: keyof TeamIds | "empty") => (scenario: Ids) =>
  `/admin/games/${scenario[game]}/teams`;

/** The teams of a game: made by an organiser, on paper, in the result and for who plays. */
type Ids = TeamIds & Record<"empty" | "past", string>;

export const TEAM_SCREENS: ScreenOf<Ids>[] = [
  { name: "admin-teams-none", as: "admin", path: teamsOf("noTeams") },
  { name: "admin-teams-few", as: "admin", path: teamsOf("empty") },
  { name: "admin-teams", as: "admin", path: teamsOf("twoTeams") },
  { name: "admin-teams-three", as: "admin", path: teamsOf("threeTeams") },
  { name: "admin-teams-played", as: "admin", path: teamsOf("teamsPlayed") },
  { name: "admin-teams-conflict", as: "admin", path: teamsOf("threeTeams"), act: makeStale },
  { name: "admin-teams-bibs-errors", as: "admin", path: teamsOf("threeTeams"), act: wearTheSame },
  {
    name: "admin-teams-remove",
    as: "admin",
    path: teamsOf("threeTeams"),
    act: async (page) => {
      await press(page, "Remove teams");
      await page.getByRole("dialog").waitFor();
    },
    isCropped: true,
  },
  {
    name: "roster-teams-result",
    as: "admin",
    path: ({ teamsPlayed }) => `/admin/games/${teamsPlayed}`,
    act: (page) => page.getByRole("heading", { name: "Result" }).scrollIntoViewIfNeeded(),
  },
  { name: "roster-winners", as: "admin", path: ({ past }) => `/admin/games/${past}`, act: allWon },
  {
    name: "roster-teams-print",
    as: "admin",
    path: ({ twoTeams }) => `/admin/games/${twoTeams}/print`,
  },
  {
    name: "game-teams",
    as: "newcomer",
    before: joinTeams,
    path: ({ twoTeams }) => `/events/${twoTeams}`,
    act: (page) => page.getByRole("heading", { name: "Teams" }).scrollIntoViewIfNeeded(),
  },
];

/** Makes teams as if they had been changed since the page was opened. */
async function makeStale(page: Page) {
  const versions = page.locator("input[name=version]");
  await versions.evaluateAll((inputs) =>
    inputs.forEach((input) => input.setAttribute("value", "9999")),
  );
  await pressInVain(page, "Make again");
}

async function wearTheSame(page: Page) {
  for (const team of ["Team 1", "Team 2"]) await page.getByLabel(team).selectOption("Red");
  await pressInVain(page, "Save bibs");
}

async function allWon(page: Page) {
  await page.getByLabel("Team A").fill("5");
  await page.getByLabel("Team B").fill("3");
  for (const goals of await page.getByLabel(/^Goals of/).all()) await goals.fill("0");
  for (const won of await page.getByLabel(/^Won/).all()) await won.check();
  await pressInVain(page, "Save result");
}

async function joinTeams(db: Db, user_id: string): Promise<void> {
  const game = db.selectFrom("games").select("id").where("title", "=", TITLE);
  const { id: game_id } = await game.executeTakeFirstOrThrow();
  const booking = { user_id, game_id, payment_status: "Paid" as const, price_eur: "0", team: 2 };
  await db.insertInto("bookings").values(booking).execute();
}
