import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { Db } from "#app/platform/db.server.ts";
import { press, pressInVain, type ScreenOf } from "./screen.ts";
import type { NewGame } from "#app/platform/schema.ts";

/** Games that are planned, cancelled and deleted together. */
export interface PlannedGames {
  /** The first of three weeks of drafts. */
  series: string;
  /** The first of two weeks that are published. */
  published: string;
  /** A draft at the hour of `published`. */
  clashing: string;
  /** Played, with a result. */
  recorded: string;
}

type StageGame = (hours: number, game: Partial<NewGame>) => Promise<string>;

export async function stagePlanning(db: Db, stageGame: StageGame): Promise<PlannedGames> {
  const series_id = randomUUID();
  const week = (n: number) =>
    stageGame(24 * (9 + 7 * n), { title: "Tuesday futsal", series_id, status: "Draft" });
  const [series] = [await week(0), await week(1), await week(2)];
  const ofPublished = { title: "Friday futsal", series_id: randomUUID() };
  const [published] = [
    await stageGame(24 * 40, ofPublished),
    await stageGame(24 * 47, ofPublished),
  ];
  const clashing = await stageGame(24 * 40, { title: "Late futsal", status: "Draft" });
  const recorded = await stageGame(-30, {});
  const score = { first_score: 3, second_score: 1, recorded_at: new Date() };
  await db
    .insertInto("game_results")
    .values({ game_id: recorded, ...score })
    .execute();
  const players = db.selectFrom("users").select("id").where("email", "like", "%.%@uni.example");
  const last = await players.orderBy("email", "desc").executeTakeFirstOrThrow();
  const booking = { user_id: last.id, game_id: recorded, payment_status: "Paid" as const };
  await db
    .insertInto("bookings")
    .values({ ...booking, price_eur: "0", goals: 2, has_won: true })
    .execute();
  return { series, published, clashing, recorded };
}

const YEARS = "from=2020-01-01&to=2099-12-31";

type Ids = PlannedGames & Record<"open" | "calledOff" | "venue", string>;

export const PLANNING_SCREENS: ScreenOf<Ids>[] = [
  {
    name: "admin-game-new-asks",
    as: "admin",
    path: ({ open }) => `/admin/games/new?from=${open}`,
    act: publishOver,
  },
  {
    name: "admin-game-publish-asks",
    as: "admin",
    path: ({ clashing }) => `/admin/games/${clashing}`,
    act: (page) => pressInVain(page, "Publish"),
  },
  {
    name: "admin-game-new-price",
    as: "admin",
    path: "/admin/games/new",
    act: (page) => page.getByLabel("Price shown in €").fill("5"),
  },
  {
    name: "roster-take-back",
    as: "admin",
    path: ({ recorded }) => `/admin/games/${recorded}`,
    act: openTakeBack,
    isCropped: true,
  },
  {
    name: "admin-game-more-weeks",
    as: "admin",
    path: ({ series }) => `/admin/games/new?more=${series}`,
    act: (page) => page.getByLabel("Weeks", { exact: true }).fill("26"),
  },
  { name: "admin-game-series", as: "admin", path: ({ series }) => `/admin/games/${series}` },
  {
    name: "admin-game-series-published",
    as: "admin",
    path: ({ published }) => `/admin/games/${published}`,
  },
  {
    name: "admin-game-cancel-changed",
    as: "admin",
    path: ({ published }) => `/admin/games/${published}`,
    act: cancelOneOutdated,
    isCropped: true,
  },
  {
    name: "admin-games-cancel",
    as: "admin",
    path: ({ series }) => `/admin/games/${series}/cancel?scope=following`,
  },
  {
    name: "admin-games-cancel-changed",
    as: "admin",
    path: ({ series }) => `/admin/games/${series}/cancel?scope=following`,
    act: cancelOutdated,
  },
  {
    name: "admin-games-cancel-ticked",
    as: "admin",
    path: ({ series }) => `/admin/games/${series}`,
    act: tickFirstTwo,
    endsOn: ({ series }) => `/admin/games/${series}/cancel`,
  },
  {
    name: "admin-games-cancel-one",
    as: "admin",
    path: ({ open }) => `/admin/games/${open}/cancel`,
  },
  {
    name: "admin-games-cancel-over",
    as: "admin",
    path: ({ calledOff }) => `/admin/games/${calledOff}/cancel`,
  },
  {
    name: "admin-games-delete",
    as: "admin",
    path: ({ series }) => `/admin/games/${series}/delete?scope=following`,
  },
  {
    name: "admin-games-delete-used",
    as: "admin",
    path: ({ open }) => `/admin/games/${open}/delete`,
  },
  {
    name: "admin-venue-cancel",
    as: "admin",
    path: ({ venue }) => `/admin/venues/${venue}/cancel-games?${YEARS}`,
  },
  {
    name: "admin-venue-cancel-none",
    as: "admin",
    path: ({ venue }) => `/admin/venues/${venue}/cancel-games?from=2099-01-01&to=2099-01-02`,
  },
  {
    name: "admin-venue-cancel-errors",
    as: "admin",
    path: ({ venue }) => `/admin/venues/${venue}/cancel-games?from=2099-01-02&to=2099-01-01`,
  },
];

async function tickFirstTwo(page: Page) {
  const series = page.getByRole("region", { name: "Series" });
  for (const n of [0, 1]) await series.getByRole("checkbox").nth(n).check();
  await press(page, "Cancel ticked games");
  await page.getByRole("heading", { name: "Cancel games" }).waitFor();
}

/** Makes somebody join after the page was shown. */
async function cancelOutdated(page: Page) {
  const games = page.locator("input[name=games]");
  await games.evaluate((input: HTMLInputElement) => {
    input.value = input.value.replaceAll(/:[^,]+/g, ":other");
  });
  await page.getByRole("button", { name: /for good$/ }).click();
  await page.getByText("Please check again").waitFor();
}

async function cancelOneOutdated(page: Page) {
  await press(page, "Cancel game");
  const shown = page.locator("input[name=shown]");
  await shown.evaluate((input: HTMLInputElement) => (input.value = "other"));
  await page.getByRole("button", { name: "Cancel game for good" }).click();
  await page.getByText("Please check again").waitFor();
}

/** At the hour of the game that it is filled in like, and until the morning. */
async function publishOver(page: Page) {
  const date = page.getByLabel("Date");
  const weekLater = new Date(`${await date.inputValue()}T00:00:00Z`);
  const day = new Date(weekLater.getTime() - 7 * 86_400_000).toISOString().slice(0, 10);
  await date.fill(day);
  await page.getByLabel("End", { exact: true }).fill("05:30");
  await pressInVain(page, "Publish");
}

async function openTakeBack(page: Page) {
  await press(page, "Take back result");
  await page.getByRole("dialog").waitFor();
}
