import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, aVenue, NOW } from "#test/fixtures.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import { type AdminGameFilter, parseAdminGameFilter } from "./filters.ts";
import { listAdminGames } from "./admin-games.server.ts";

const database = useDatabase();
const hours = [-72, -48, -1, 0.5, 24, 24, 24, 48, 72, 96];
const statuses: GameStatus[] = ["Published", "Draft", "Cancelled", "Published", "Completed"];
let espoo: string;
let vantaa: string;
let games: { id: string; startsIn: number; status: GameStatus; venue: string }[];

beforeAll(async () => {
  espoo = await aVenue(database.db, { city: "Espoo" });
  vantaa = await aVenue(database.db, { city: "Vantaa" });
  games = [];
  for (const [n, startsIn] of hours.entries()) {
    const [status, venue] = [statuses[n % statuses.length]!, n % 3 === 0 ? vantaa : espoo];
    const id = await aGame(database.db, { startsIn, status, venue_id: venue });
    games.push({ id, startsIn, status, venue });
  }
});

const filterOf = (query: string) => parseAdminGameFilter(new URLSearchParams(query));

/** The ids of all pages, two games each. */
async function readAll(filter: AdminGameFilter): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page = await listAdminGames(database.db, { filter, now: NOW, after, limit: 2 });
    expect(page.games.length).toBeLessThanOrEqual(2);
    ids.push(...page.games.map(({ id }) => id));
    after = page.next;
  } while (after);
  return ids;
}

test.each([
  ["", (game: (typeof games)[number]) => game.startsIn > -1.5],
  ["when=past", ({ startsIn }) => startsIn < -1.5],
  ["when=all", () => true],
  ["when=all&status=Draft", ({ status }) => status === "Draft"],
  ["status=Published", ({ startsIn, status }) => startsIn > -1.5 && status === "Published"],
  ["when=all&city=Vantaa", ({ venue }) => venue === vantaa],
  ["when=all&city=Turku", () => false],
  ["when=all&status=Completed", () => true],
  ["when=nonsense&status=Nonsense&venue=7", ({ startsIn }) => startsIn > -1.5],
] satisfies [string, (game: (typeof games)[number]) => boolean][])(
  "?%s: every game once, by kick-off",
  async (query, isWanted) => {
    const ids = await readAll(filterOf(query));
    expect(ids.toSorted()).toEqual(
      games
        .filter(isWanted)
        .map(({ id }) => id)
        .toSorted(),
    );
    const kickOffs = ids.map((id) => games.find((game) => game.id === id)!.startsIn);
    const upwards = kickOffs.toSorted((a, b) => a - b);
    expect(kickOffs).toEqual(
      query.includes("when=") && !query.includes("nonsense") ? upwards.reverse() : upwards,
    );
  },
);

test("one venue", async () => {
  const ids = await readAll(filterOf(`when=all&venue=${espoo}`));
  expect(ids).toHaveLength(games.filter(({ venue }) => venue === espoo).length);
});

test.each(["nonsense", "WyIxIiwiMiJd", "WyI5OTk5OTk5OTk5OTk5OTk5OTk5OTkiLCI3Il0"])(
  "a cursor that is none leads to the first page: %s",
  async (after) => {
    const filter = filterOf("");
    const first = await listAdminGames(database.db, { filter, now: NOW, after: null, limit: 2 });
    expect(await listAdminGames(database.db, { filter, now: NOW, after, limit: 2 })).toEqual(first);
  },
);

test("part of a title finds a game, whatever its case; what a pattern means is text", async () => {
  const { db } = database;
  const title = "Fives_100%";
  const id = await aGame(db, { title, startsIn: 300 });
  const found = (q: string) => readAll(filterOf(String(new URLSearchParams({ q }))));
  expect(await found("fIVES_1")).toEqual([id]);
  expect(await found("0%")).toEqual([id]);
  expect(await found("Fives%100")).toEqual([]);
});

test("what is over and was played is found by what is not recorded", async () => {
  const { db, pool } = database;
  const [none, done, toCome] = await Promise.all(
    [-200, -220, 200].map((startsIn) => aGame(db, { startsIn })),
  );
  await aGame(db, { startsIn: -91 * 24 });
  const called = await aGame(db, { startsIn: -240, status: "Cancelled" });
  for (const gameId of [none, done, toCome, called]) {
    await pool.query(
      "insert into bookings (user_id, game_id, payment_status, attendance) values ($1, $2, 'Paid', $3)",
      [await aPlayer(db), gameId, gameId === done ? "CheckedIn" : null],
    );
  }
  expect(await readAll(filterOf("when=past&lacks=attendance"))).toEqual([none]);
  expect(await readAll(filterOf("when=past&lacks=result"))).toEqual([none, done]);
  expect(await readAll(filterOf("lacks=result"))).toEqual([]);
  expect(await readAll(filterOf("when=past&lacks=result&status=Cancelled"))).toEqual([]);
  await pool.query(
    "insert into game_results (game_id, first_score, second_score, recorded_at) values ($1, 3, 2, now())",
    [done],
  );
  expect(await readAll(filterOf("when=past&lacks=result"))).toEqual([none]);
  const { games: past } = await listAdminGames(db, {
    ...{ filter: filterOf("when=past"), now: NOW, after: null, limit: 50 },
  });
  const shown = Object.fromEntries(past.map((game) => [game.id, game]));
  expect(shown[none!]).toMatchObject({ isOver: true, lacksAttendance: true, lacksResult: true });
  expect(shown[done!]).toMatchObject({ isOver: true, lacksAttendance: false, lacksResult: false });
  expect(shown[called!]).toMatchObject({ lacksAttendance: false, lacksResult: false });
});
