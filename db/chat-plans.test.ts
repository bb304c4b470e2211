import { beforeAll, expect, test } from "vitest";
import { findBlocked, unblockAuthor } from "#app/features/chat/blocks.server.ts";
import { announceFirstGame } from "#app/features/chat/announce.server.ts";
import {
  eraseMessages,
  findChatFacts,
  listChatFacts,
  listMessages,
  listUpdates,
  listPinned,
  purgeChats,
} from "#app/features/chat/messages.server.ts";
import { listLongNames } from "#app/features/chat/names.server.ts";
import { pinMessage } from "#app/features/chat/pin-message.server.ts";
import { pushChats } from "#app/features/chat/pushes.server.ts";
import { removeMessage } from "#app/features/chat/remove-message.server.ts";
import { sendMessage } from "#app/features/chat/send-message.server.ts";
import {
  findFirstUnread,
  listUnread,
  listUnreadOfOrganiser,
  markRead,
} from "#app/features/chat/unread.server.ts";
import { findReported, listReported } from "#app/features/support/report-message.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isLong } from "#test/long.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { addManyPlayers, rowsRead, scannedTables, statementsSent } from "#test/plans.ts";

// Three months of chats of a campus, and the games of years, whose chats are empty.
const GAMES = isLong ? 20_000 : 4_000;
const [TALKED_IN, EACH] = [300, 60];
const database = useDatabase();
withoutTimeouts(database);
let gameId: string;
let userId: string;
let messageId: string;
let readers: string[];
let adminId: string;
let announcementId: string;
let bookingId: string;

beforeAll(async () => {
  const { pool } = database;
  const players = await addManyPlayers(pool, 1_000);
  userId = players[7]!;
  readers = players.slice(0, 200);
  const venueId = await aVenue(database.db);
  await pool.query(
    `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
     select 'Past game', $1::date - 1 - n / 10, '18:00', '19:30', 'Published', 10, $2
     from generate_series(1, ${GAMES}) n`,
    ["2026-11-21", venueId],
  );
  gameId = await aGame(database.db, { spots: 20 });
  await pool.query("alter table bookings disable trigger bookings_count_seat");
  await pool.query(
    `insert into bookings (user_id, game_id, payment_status, created_at)
     select ($1::uuid[])[1 + (g.n * 7 + seat * 11) % 1000], id, 'Paid', $2
     from (select id, row_number() over () as n from games) g, generate_series(1, 8) seat`,
    [players, hoursLater(-72)],
  );
  await pool.query("alter table bookings enable trigger bookings_count_seat");
  const seat = { user_id: userId, game_id: gameId, payment_status: "Paid" as const };
  const booking = database.db
    .insertInto("bookings")
    .values(seat)
    .onConflict((conflict) => conflict.doNothing());
  await booking.execute();
  const newcomer = { ...seat, user_id: await aPlayer(database.db) };
  const first = database.db.insertInto("bookings").values(newcomer).returning("id");
  bookingId = (await first.executeTakeFirstOrThrow()).id;
  adminId = await aPlayer(database.db);
  await database.db.insertInto("user_roles").values({ user_id: adminId, role: "admin" }).execute();
  await pool.query(
    `insert into chat_messages (game_id, number, user_id, body, created_at)
     select id, n, ($1::uuid[])[1 + (g.at * 7 + n) % 1000], 'See you',
       $2::timestamptz - make_interval(mins => $3 - n::integer)
     from (select id, row_number() over (order by starts_at desc) as at from games
       limit ${TALKED_IN}) g, generate_series(1, ${EACH}) n`,
    [players, hoursLater(-0.1), EACH],
  );
  const own = { game_id: gameId, created_at: hoursLater(-72) };
  const said = [
    { ...own, number: EACH + 1, user_id: userId, body: "Mine" },
    { ...own, number: EACH + 2, user_id: adminId, kind: "Announcement" as const, body: "A\nB" },
  ];
  const ids = database.db.insertInto("chat_messages").values(said).returning("id").execute();
  [messageId = "", announcementId = ""] = (await ids).map(({ id }) => id);
  await pool.query(
    `update chats set last_number = (select count(*) from chat_messages m
       where m.game_id = chats.game_id)`,
  );
  await pool.query(
    `insert into chat_members (user_id, game_id, read_number)
     select distinct user_id, game_id, last_number / 2 from bookings join chats using (game_id)`,
  );
  await pool.query(
    `with signed_in as (
       insert into sessions (user_id, token, expires_at)
       select id, id::text, $2::timestamptz + interval '30 days' from unnest($1::uuid[]) id
       returning id, user_id
     )
     insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
     select user_id, id, 'https://push.example/' || user_id, 'x', 'y', $2 from signed_in`,
    [readers, NOW],
  );
  await pool.query(
    `insert into support_messages
       (user_id, kind, subject, message, reported_message_id, reported_user_id)
     select ($1::uuid[])[1 + n % 1000], 'report', 'S', 'M', id, user_id
     from (select id, user_id, row_number() over () as n from chat_messages limit 5000) said`,
    [players],
  );
  await pool.query("analyze");
});

const inTransaction = (run: (db: never) => Promise<unknown>) => (db: Db) =>
  db.transaction().execute((tx) => run(tx as never));
const said = () => ({ gameId, userId, messageId: crypto.randomUUID(), body: "Hi", now: NOW });

test.each<[string, (db: Db) => Promise<unknown>]>([
  ["who may what", (db) => findChatFacts(db, { gameId, userId })],
  ["the newest messages", (db) => listMessages(db, { gameId, limit: 101 })],
  ["earlier messages", (db) => listMessages(db, { gameId, limit: 101, before: 30 })],
  [
    "who of many may read",
    (db) =>
      listChatFacts(
        db,
        readers.map((id) => ({ gameId, userId: id })),
      ),
  ],
  ["what is new", (db) => listUpdates(db, [{ gameId, after: 55, removedAfter: 0 }], 200)],
  ["what is pinned", (db) => listPinned(db, gameId)],
  ["what is unread", (db) => listUnread(db, { userId, now: NOW })],
  [
    "what is unread to an organiser",
    (db) => listUnreadOfOrganiser(db, { userId: adminId, now: NOW }),
  ],
  ["the first unread message", (db) => findFirstUnread(db, { gameId, userId })],
  ["who needs a longer name", (db) => listLongNames(db, { gameId, limit: 20 })],
  ["what was read", (db) => markRead(db, { gameId, userId, number: 30 })],
  ["whom a player blocked", (db) => findBlocked(db, userId)],
  ["what a player reported", (db) => listReported(db, { gameId, userId })],
  ["a reported message in its place", (db) => findReported(db, messageId)],
  ["a message", async (db) => expect(await sendMessage(db, said())).toEqual({ ok: true })],
  [
    "a removal",
    async (db) => {
      const removal = { gameId, messageId, userId, now: NOW };
      expect(await removeMessage(db, removal)).toMatchObject({ ok: true });
    },
  ],
  [
    "a pin",
    async (db) => {
      const pin = { gameId, messageId: announcementId, userId: adminId, isPinned: true, now: NOW };
      expect(await pinMessage(db, pin)).toEqual({ ok: true });
    },
  ],
  ["the end of a block", (db) => unblockAuthor(db, { gameId, messageId, userId })],
  [
    "a first game",
    async (db) => {
      await inTransaction((tx) => announceFirstGame(tx, { bookingId, now: NOW }))(db);
      expect(await listMessages(db, { gameId, limit: 1 })).toMatchObject([{ kind: "FirstGame" }]);
    },
  ],
  ["an erasure", inTransaction((tx) => eraseMessages(tx, { userId, now: NOW }))],
])("%s reads no whole table", async (_, read) => {
  const growing = ["games", "bookings", "chats", "chat_messages", "chat_members"];
  growing.push("users", "profiles", "support_messages");
  const statements = await statementsSent(
    database.pool,
    read,
    /^\s*(select|with|insert|update|delete)/,
  );
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) {
    expect(await scannedTables(database.pool, statement, growing)).toEqual([]);
  }
});

const readOf = async (read: (db: Db) => Promise<unknown>, ...tables: string[]) => {
  const [statement] = await statementsSent(database.pool, read);
  return rowsRead(database.pool, statement!, ...tables);
};

test("of a chat of many messages names are read for those that are shown", async () => {
  const page = { gameId, limit: 20 };
  expect(await readOf((db) => listLongNames(db, page), "chat_messages")).toBe(20);
});

test("what is unread is looked up in chats that are open alone", async () => {
  const read = await readOf((db) => listUnread(db, { userId, now: NOW }), "chats", "chat_members");
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(10);
});

test("what is deleted once a day is found from the messages, not from all games", async () => {
  const statements = await statementsSent(
    database.pool,
    (db) => purgeChats(db, NOW),
    /^\s*(select|with|update|delete)/,
  );
  expect(statements).toHaveLength(2);
  for (const statement of statements) {
    expect(await scannedTables(database.pool, statement, ["games", "chats"])).toEqual([]);
  }
});

test("what is pushed is found once from what was written, and for each player from what came since", async () => {
  const { db, jobs, pool } = database;
  const sent = async () => {
    const rows = db.selectFrom("notifications_sent").select(db.fn.countAll<number>().as("count"));
    return (await rows.executeTakeFirstOrThrow()).count;
  };
  const look = (now: Date) =>
    statementsSent(
      pool,
      (own) => pushChats(own, jobs, now),
      /^\s*select.* as "(gameId|subjectId)"/,
    );
  await look(NOW);
  const count = await sent();
  expect(count).toBeGreaterThan(400);
  const [talks, ...due] = await look(hoursLater(1.1));
  expect([await sent(), due.length]).toEqual([count, 3]);
  const growing = ["games", "bookings", "chats", "chat_messages", "chat_members"];
  for (const statement of [talks!, ...due]) {
    expect(await scannedTables(pool, statement, [...growing, "notifications_sent"])).toEqual([]);
  }
  expect(await rowsRead(pool, talks!, "chat_messages")).toBeLessThan(TALKED_IN * EACH * 1.1);
  // Only their own messages are left, which nobody is pushed of.
  for (const statement of due) {
    expect(await rowsRead(pool, statement, "chat_messages")).toBeLessThan(100);
  }
});
