import { beforeAll, describe, expect, test } from "vitest";
import { findPlayerRecord } from "../app/features/players/player-record.server.ts";
import { listPlayersByWords } from "../app/features/players/players-by-words.server.ts";
import { searchPlayers } from "../app/features/players/search-players.server.ts";
import { writeCursor } from "../app/platform/cursor.server.ts";
import type { Db } from "../app/platform/db.server.ts";
import { useDatabase } from "../test/db.ts";
import { withPatience } from "../test/patience.ts";
import { scannedTables, statementsSent } from "../test/plans.ts";

const world = useDatabase();
withPatience(world);
let playerId: string;

// So many that taking the whole table is no longer right.
beforeAll(async () => {
  const { rows } = await world.pool.query<{ user_id: string }>(
    `with added as (
       insert into users (name, email) select 'Player', n || '@uni.example'
       from generate_series(1, 10000) n returning id, email
     )
     insert into profiles (user_id, email, first_name, last_name, date_of_birth, school_year, major)
     select id, email, 'A', 'Player', '2001-05-17', 'Master', 'Physics' from added
     returning user_id`,
  );
  playerId = rows[7]!.user_id;
  await world.pool.query("analyze");
});

const NAMED = writeCursor(["player", "a", "88888888-8888-4888-8888-888888888888"]);

describe.each<[string, (db: Db) => Promise<unknown>]>([
  ["players by name", (db) => searchPlayers(db, { words: "", after: null, limit: 50 })],
  ["players from some name on", (db) => searchPlayers(db, { words: "", after: NAMED, limit: 50 })],
  [
    "players whose name or address begins so",
    (db) => searchPlayers(db, { words: "play 77", after: null, limit: 50 }),
  ],
  ["players to add by name", (db) => listPlayersByWords(db, "play 77", 11)],
  ["players to add by address", (db) => listPlayersByWords(db, "77@uni.example", 11)],
  ["what organisers see of a player", (db) => findPlayerRecord(db, playerId)],
])("%s", (_, read) => {
  test("is one statement and never reads all players", async () => {
    const statements = await statementsSent(world.pool, read);
    expect(statements).toHaveLength(1);
    for (const statement of statements) {
      expect(await scannedTables(world.pool, statement, ["profiles", "users"])).toEqual([]);
    }
  });
});
