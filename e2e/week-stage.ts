import { randomUUID } from "node:crypto";
import { addGame, addVenue } from "../db/insert.ts";
import { holidayOn } from "#app/features/games/holidays.ts";
import { addDays, wallClock } from "#app/platform/clock.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { expect } from "./fixtures.ts";
import { addPlayer, enterPlayer, join, type Player } from "./players.ts";
import type { Site } from "./site.ts";

export interface Stage {
  organiser: string;
  venue: string;
  /** Game of a match that runs. */
  matchId: string;
  /** First names of those in it; the last does not come. */
  crew: string[];
  walkIn: string;
  /** Player whose balance is wrong. */
  payer: string;
  /** Subject of a message to support. */
  subject: string;
  /** The ids of the games that were made at the venue, by kick-off. */
  listSeries(): Promise<string[]>;
  /** Into games of the series. */
  joinGames(gameIds: string[]): Promise<void>;
  leave(): Promise<void>;
}

const CREW = [
  "Aino",
  "Bo",
  "Celia",
  "Daan",
  "Eevi",
  "Finn",
  "Greta",
  "Hugo",
  "Iida",
  "Joel",
  "Noor",
];

/** All that a week of an organiser meets: a hall whose season is over, a match, a wrong balance, a message. */
export async function stageWeek(
  at: Pick<Site, "url" | "dataDir">,
  database: Connection,
): Promise<Stage> {
  const { db } = database;
  const mark = randomUUID().slice(0, 6);
  const venue = `Hall ${mark}`;
  const venue_id = await addVenue(db, { name: venue, city: "Espoo" });
  const season = { ...PLAN, title: "Tuesday futsal", venue_id, series_id: randomUUID() };
  const created_at = new Date();
  for (const date of lastSeason()) await addGame(db, { ...season, ...EVENING, date, created_at });
  const organiser = await addPlayer(db);
  const { userId: user_id } = organiser;
  await db.insertInto("user_roles").values({ user_id, role: "admin" }).execute();
  const olga = db.updateTable("profiles").set({ first_name: "Olga", last_name: mark });
  await olga.where("user_id", "=", user_id).execute();
  const court = await addVenue(db, { name: `Court ${mark}`, city: "Espoo" });
  const match = { ...PLAN, ...inHours(30), title: "Match", venue_id: court };
  const matchId = await addGame(db, match);

  const named = async (first_name: string, credits = 40): Promise<Player> => {
    const player = await enterPlayer(at, database, {
      name: `${first_name.toLowerCase()}-${mark}`,
      credits,
    });
    const profile = db.updateTable("profiles").set({ first_name, last_name: `of ${mark}` });
    await profile.where("user_id", "=", player.userId).execute();
    return player;
  };
  const crew: Player[] = [];
  for (const name of CREW) {
    const player = await named(name);
    expect(await join(at.url, player, matchId)).toBe(302);
    crew.push(player);
  }
  await db.updateTable("games").set(inHours(-0.5)).where("id", "=", matchId).execute();
  await named("Vera", 0);
  const payer = await named("Kim", 0);
  const subject = `Shoes of ${mark}`;
  const text = { subject, message: "Did anybody find blue shoes?", user_id: payer.userId };
  await db.insertInto("support_messages").values(text).execute();
  return {
    ...{ organiser: organiser.who, venue, matchId, subject },
    crew: CREW.map((name) => `${name} of ${mark}`),
    walkIn: `Vera of ${mark}`,
    payer: `Kim of ${mark}`,
    async listSeries() {
      const games = db.selectFrom("games").select("id").where("venue_id", "=", venue_id);
      const series = games.where("starts_at", ">", new Date()).orderBy("starts_at");
      return (await series.execute()).map(({ id }) => id);
    },
    async joinGames(gameIds) {
      for (const gameId of gameIds) {
        for (const player of crew.slice(0, 2)) {
          expect(await join(at.url, player, gameId)).toBe(302);
        }
      }
    },
    // Other tests count the venues.
    async leave() {
      const venues = db.updateTable("venues").set({ is_hidden: true });
      await venues.where("id", "in", [venue_id, court]).execute();
    },
  };
}

const PLAN = { status: "Published" as const, max_players: 14 };

function inHours(hours: number) {
  const start = Date.now() + hours * 3_600_000;
  const { date, time } = wallClock(new Date(start));
  return { date, start_time: time, end_time: wallClock(new Date(start + 5_400_000)).time };
}

const EVENING = { start_time: "18:00", end_time: "19:30" };

const WEEKS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Eight weeks that are over, on a weekday without a holiday in the eight to come. */
function lastSeason(): string[] {
  const today = wallClock(new Date()).date;
  const lasts = [6, 5, 4, 3, 2, 1].map((days) => addDays(today, -days));
  const isFree = (last: string) => WEEKS.every((week) => !holidayOn(addDays(last, 7 * week)));
  const last = lasts.find(isFree) ?? lasts[0]!;
  return WEEKS.map((week) => addDays(last, 7 - 7 * week));
}
