import { beforeEach, expect, test } from "vitest";
import { aChat } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, markDeleted } from "#test/fixtures.ts";

// What holds of a chat for every writer; constraints.test.ts has the rest.
const database = useDatabase();
let ids: { player: string; game: string };
beforeEach(async () => {
  const { userId: player, gameId: game } = await aChat(database);
  ids = { player, game };
});

/** Runs SQL in which {player} and {game} stand for the ids. */
const run = (statement: string) =>
  database.pool.query(
    statement.replace(/\{(\w+)\}/g, (_, key: keyof typeof ids) => `'${ids[key]}'`),
  );
const message = (columns: string, values: string, number = 2) =>
  `insert into chat_messages (game_id, user_id, number, ${columns})
   values ({game}, {player}, ${number}, ${values})`;

test.each([
  ["a number twice", message("body", "'Hi'", 1), "chat_messages_number"],
  ["a number of nothing", message("body", "'Hi'", 0), "chat_messages_number_check"],
  ["an empty message", message("body", "''"), "chat_messages_body"],
  ["a long message", message("body", "repeat('x', 501)"), "chat_messages_body"],
  [
    "an announcement that is too long",
    message("kind, body", "'Announcement', repeat('x', 5122)"),
    "chat_messages_body",
  ],
  ["a message of another kind", message("kind, body", "'Shout', 'Hi'"), "kind_check"],
  ["a message without a text", message("body", "null"), "chat_messages_removed"],
  [
    "a removed one that keeps its text",
    message("body, removed_at, removed_by", "'Hi', now(), 'Author'"),
    "chat_messages_removed",
  ],
  [
    "a removed one without who did it",
    message("body, removed_at", "null, now()"),
    "chat_messages_removed",
  ],
  [
    "one removed by somebody else",
    message("removed_at, removed_by", "now(), 'Referee'"),
    "removed_by_check",
  ],
  ["a second chat of a game", "insert into chats (game_id) values ({game})", "chats_pkey"],
  ["a game with messages that goes", "delete from games where id = {game}", "fkey"],
])("rejected: %s", async (_, statement, reason) => {
  await expect(run(statement)).rejects.toThrow(reason);
});

test("allowed: the longest message, and a removed one", async () => {
  await run(message("body", "repeat('漢', 500)"));
  await run(message("kind, body", "'Announcement', repeat('x', 5121)", 3));
  await run(message("removed_at, removed_by", "now(), 'Organiser'", 4));
});

test("a deleted account writes nothing", async () => {
  await markDeleted(database.db, ids.player);
  await expect(run(message("body", "'Hi'"))).rejects.toThrow("this account is deleted");
});

test("a game written by SQL has its chat, and goes with it", async () => {
  const venueId = await aVenue(database.db);
  const { rows } = await database.pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
     values ('By hand', '2026-12-01', '18:00', '19:00', 'Published', 10, $1) returning id`,
    [venueId],
  );
  const chats = () => database.pool.query("select from chats where game_id = $1", [rows[0].id]);
  expect((await chats()).rowCount).toBe(1);
  await database.pool.query("delete from games where id = $1", [rows[0].id]);
  expect((await chats()).rowCount).toBe(0);
  expect(await aGame(database.db)).toBeTruthy();
});
