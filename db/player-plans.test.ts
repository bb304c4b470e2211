import { beforeAll, describe, expect, test } from "vitest";
import { findPlayerRecord } from "#app/features/players/profiles.server.ts";
import {
  findPlayerByAddress,
  listPlayersByText,
  searchPlayers,
} from "#app/features/players/search-players.server.ts";
import { writeCursor } from "#app/platform/cursor.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { rowsRead, scannedTables, statementsSent } from "#test/plans.ts";

const database = useDatabase();
withoutTimeouts(database);
let playerId: string;

// So many that taking the whole table is no longer right; the last of them by name are of one name.
beforeAll(async () => {
  const { rows } = await database.pool.query<{ user_id: string }>(
    `with added as (
       insert into users (name, email) select 'Player', n || '@uni.example'
       from generate_series(1, 10000) n returning id, email, name
     )
     insert into profiles (user_id, email, first_name, last_name, date_of_birth, school_year, major)
     select id, email, 'A', case when email like '99%' then 'Zed' else name end, '2001-05-17',
       'Master', 'Physics' from added
     returning user_id`,
  );
  playerId = rows[7]!.user_id;
  await database.pool.query("analyze");
});

const NAMED = writeCursor(["player\u0001a", "88888888-8888-4888-8888-888888888888"]);

describe.each<[string, (db: Db) => Promise<unknown>]>([
  ["players by name", (db) => searchPlayers(db, { words: "", after: null, limit: 50 })],
  ["players from some name on", (db) => searchPlayers(db, { words: "", after: NAMED, limit: 50 })],
  [
    "players whose name or address begins so",
    (db) => searchPlayers(db, { words: "play 77", after: null, limit: 50 }),
  ],
  ["players to add by name", (db) => listPlayersByText(db, "play 77", 11)],
  ["players to add by address", (db) => listPlayersByText(db, "77@uni.example", 11)],
  ["what organisers see of a player", (db) => findPlayerRecord(db, playerId)],
])("%s", (_, read) => {
  test("is one statement and never reads all players", async () => {
    const statements = await statementsSent(database.pool, read);
    expect(statements).toHaveLength(1);
    for (const statement of statements) {
      expect(await scannedTables(database.pool, statement, ["profiles", "users"])).toEqual([]);
    }
  });
});

test("who has an address is read from an index, not from the profiles", async () => {
  const [statement, ...others] = await statementsSent(database.pool, (db) =>
    findPlayerByAddress(db, "7@uni.example"),
  );
  expect(others).toEqual([]);
  expect(await scannedTables(database.pool, statement!, ["users", "profiles"])).toEqual([]);
});

const page = (words: string, after: string | null = null) => ({ words, after, limit: 50 });

// A page is 51 rows, a walk by name 1,000.
test.each([
  ["everybody", page(""), 51],
  ["everybody from some name on", page("", NAMED), 51],
  ["a search that matches all", page("a"), 51],
  ["a later page of it", page("a", NAMED), 51],
  ["one that matches few", page("play 77"), 1_000 + 111],
  ["one that matches the last by name", page("zed"), 1_000 + 111],
  ["one that matches no player", page("none"), 1_000],
  ["an address", page("7777@uni.example"), 1_000 + 1],
])("%s looks at no more players than it needs", async (_, search, most) => {
  const [statement] = await statementsSent(database.pool, (db) => searchPlayers(db, search));
  expect(await rowsRead(database.pool, statement!, "profiles")).toBeLessThanOrEqual(most);
});
