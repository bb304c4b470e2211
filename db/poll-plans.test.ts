import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { SWITCHES } from "#app/notices.server.ts";
import { listSessions, findSession, openSession } from "#app/features/accounts/sessions.server.ts";
import { countGuess, resetAllFailures } from "#app/features/accounts/throttles.server.ts";
import { chooseSignUp, deleteOldSignUps } from "#app/features/accounts/sign-ups.server.ts";
import { findTwoFactor } from "#app/features/accounts/two-factor.server.ts";
import { findUser } from "#app/features/accounts/accounts.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";
import { issueConfirmation, issueLink } from "#app/features/accounts/mail-links.server.ts";
import { decideGames } from "#app/features/organise/decide-games.server.ts";
import { purgeMessages } from "#app/features/organise/message-players.server.ts";
import { findOpenLink } from "#app/features/players/sign-up.server.ts";
import { findArrival } from "#app/features/wallet/payments.server.ts";
import { expireLots } from "#app/features/wallet/expire-lots.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { useDatabase } from "#test/db.ts";
import {
  addManyPapers,
  addManyPlayers,
  EACH,
  rowsRead,
  scannedTables,
  statementsSent,
} from "#test/plans.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { aGame, hoursLater, NOW } from "#test/fixtures.ts";
import { sendReminders } from "#app/features/bookings/reminders.server.ts";
import { findDevice } from "#app/features/notifications/devices.server.ts";
import { purgeSent } from "#app/features/notifications/notify.server.ts";
import { findSettings } from "#app/features/notifications/settings.server.ts";
import { notifyOfExpiringCredits } from "#app/features/wallet/expiring-credits.server.ts";
import { purgeFreeSessions } from "#app/features/seats/free-session.server.ts";

// What is read again and again: on every request, every sign-in, every poll of a waiting player,
// and every few minutes by the worker.
const database = useDatabase();
withoutTimeouts(database);
const ids = { player: "", signUp: "", device: "" };

beforeAll(async () => {
  const { pool } = database;
  const players = await addManyPlayers(pool);
  ids.player = players[7]!;
  await aGame(database.db);
  await addManyPapers(pool, players);
  await pool.query(
    `insert into accounts (user_id, account_id, provider_id) select id, id, 'credential' from users;
    insert into second_factors (user_id, secret, last_step) select id, 'secret', 0 from users;
    insert into recovery_codes (user_id, code_hash)
      select id, n from users, generate_series(1, 3) n;
    insert into sign_in_failures select n || '@uni.example', '', 9, timestamptz '${NOW.toISOString()}' - (n - 77) * interval '5 seconds'
      from generate_series(1, ${EACH}) n;
    insert into payment_references select 'cs_ref_' || n, 'sub_' || n from generate_series(1, ${EACH}) n;
    insert into stripe_events (id, type, object_id, created_at, status)
      select 'evt_ref_' || n, 'checkout.session.completed', 'cs_ref_' || n, now(), 'applied'
      from generate_series(1, ${EACH}) n;
    insert into former_free_sessions
      select lpad(to_hex(n), 64, '0'), timestamptz '${NOW.toISOString()}' + n * interval '1 hour'
      from generate_series(-5, ${EACH}) n`,
  );
  const { rows: signUps } = await pool.query<{ id: string }>(
    `insert into sign_ups (email, person_email, password_hash, first_name, last_name,
       date_of_birth, school_year, major, created_at)
     select n || '@new.example', n || '@new.example', '', 'A', 'B', '2001-05-17', 'Master', 'Art',
       timestamptz '${NOW.toISOString()}' - n * interval '30 days' / ${EACH}
     from generate_series(1, ${EACH + 8}) n returning id`,
  );
  ids.signUp = signUps[7]!.id;
  await pool.query(
    `insert into verifications (identifier, value, mailbox, created_at, sends_at, expires_at)
     select 'confirm:' || id, id, person_email, created_at, created_at,
       created_at + interval '30 days' from sign_ups`,
  );
  await pool.query(
    `insert into verifications (identifier, value, created_at, expires_at)
     select 'reset:' || n, id, $1, $1::timestamptz + interval '1 day'
     from unnest($2::uuid[]) with ordinality each (id, n)`,
    [NOW, players],
  );
  await pool.query("update verifications set identifier = $1 where value = $2", [
    `confirm:${hashToken("link")}`,
    ids.signUp,
  ]);
  await pool.query(
    `insert into credit_lots (user_id, source, granted_eur, remaining_eur, expires_at)
     select ($1::uuid[])[n], 'pack', 10, 10, timestamptz '${NOW.toISOString()}' + n * interval '1 hour'
     from generate_series(1, ${EACH}) n`,
    [players],
  );
  await pool.query(
    `insert into game_messages (id, game_id, sent_by, subject, message, sent_at)
     select gen_random_uuid(), $1, $2, 'Shirts', 'White', timestamptz '${NOW.toISOString()}'
       - n * interval '365 days' / ${EACH} from generate_series(1, ${EACH + 8}) n`,
    [await aGame(database.db), ids.player],
  );
  await addNotifications(pool);
  await pool.query("analyze");
});

/** A game an hour, with bookings of eight players in those of the past, a device a session, and what has been sent before. */
async function addNotifications(pool: typeof database.pool) {
  const now = `timestamptz '${NOW.toISOString()}'`;
  const at = `${now} at time zone 'Europe/Helsinki' + (n - ${EACH} / 2) * interval '1 hour'`;
  await pool.query(
    `with hours as (
       insert into games (title, date, start_time, end_time, status, max_players, venue_id)
       select 'Futsal', (${at})::date, (${at})::time, (${at} + interval '90 minutes')::time,
         'Published', 10, (select id from venues limit 1)
       from generate_series(1, ${EACH}) n returning id, starts_at
     )
     insert into bookings (user_id, game_id, payment_status, created_at)
     select users.id, hours.id, 'Paid', ${now} - interval '1 year'
     from hours, (select id, row_number() over () as n from users limit 8) users
     where n = 1 or starts_at < ${now}`,
  );
  // Each game has a minimum; those of the past were decided or missed, and the next ones warned of.
  await pool.query(
    `update games set min_players = 3;
     update games set decision = 'On', decided_at = decides_at where decides_at <= ${now}
       and starts_at not between ${now} - interval '3 hours' and ${now};
     update games set decision_warned_at = ${now} where decision is null`,
  );
  await pool.query(
    `insert into notifications_sent (user_id, kind, subject, sent_at)
     select id, 'soon', 'a game', ${now} - n * interval '60 days' / ${EACH}
     from (select id, row_number() over () as n from users) numbered;
     update notifications_sent set sent_at = sent_at - interval '1 day' where sent_at < ${now} - interval '59 days 20 hours';
     insert into notification_settings (user_id, kind) select id, 'soon' from users;
     insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
       select user_id, id, 'https://push.example/' || id, '', '', created_at from sessions`,
  );
  const { rows } = await pool.query("select id from push_subscriptions limit 1 offset 7");
  ids.device = rows[0]!.id;
  await sendReminders(database.db, database.jobs, NOW);
  await notifyOfExpiringCredits(database.db, database.jobs, LATE);
}

/** Noon, when less than two days of lots are left. */
const LATE = hoursLater(24 * Math.floor((EACH - 20) / 24));

const GROWING = [
  ...["games", "bookings", "notifications_sent", "notification_settings", "push_subscriptions"],
  ...["users", "profiles", "sessions", "accounts", "verifications", "sign_ups", "second_factors"],
  ...["recovery_codes", "sign_in_failures", "payments", "payment_references"],
  ...["stripe_events", "credit_lots", "game_messages", "former_free_sessions"],
];

const inTransaction = (write: (tx: Tx) => Promise<unknown>) => (db: Db) =>
  db.transaction().execute(write);
const arrivalOf = (sessionId: string) => (db: Db) =>
  findArrival(db, { userId: ids.player, sessionId });
const EMAIL = "77@uni.example";
const accounts = { limits: { count: async () => null } };
const attempt = (db: Db, guesser: Omit<Parameters<typeof countGuess>[1], "address">) =>
  countGuess({ db, accounts }, { ...guesser, address: "192.0.2.1" }, NOW);

test.each<[string, number, (db: Db) => Promise<unknown>]>([
  ["the session of a request", 1, (db) => findSession(db, "token", NOW)],
  ["a sign-in that opens a session", 2, (db) => openSession(db, ids.player, { now: NOW })],
  ["the devices of an account", 1, (db) => listSessions(db, viewer(), NOW)],
  ["the account of an address", 1, (db) => findUser(db, EMAIL, EMAIL)],
  ["the two-factor sign-in of an account", 1, (db) => findTwoFactor(db, ids.player)],
  [
    "an attempt at a password that comes too early",
    1,
    (db) => attempt(db, { subject: EMAIL, device: null }),
  ],
  ["the first attempt at a password", 1, (db) => attempt(db, stranger())],
  ["a new password", 1, (db) => resetAllFailures(db, EMAIL)],
  ["the sign-up of an address", 1, (db) => chooseSignUp(db, person(), NOW)],
  ["a confirmation link", 2, (db) => findOpenLink(db, { token: "link", browserHash: null }, NOW)],
  [
    "a reset link for an account",
    3,
    inTransaction((tx) => issueLink(tx, "reset", ids.player, NOW)),
  ],
  ["a confirmation link for a sign-up", 2, inTransaction((tx) => issueConfirmation(tx, to(), NOW))],
  ["a payment that has arrived", 1, arrivalOf("cs_7")],
  ["a payment of which nothing is known", 2, arrivalOf("cs_unknown")],
  ["a first month that has arrived", 4, arrivalOf("cs_ref_7")],
  ["a first month that is on its way", 5, arrivalOf("cs_ref_2000")],
  ["lots that expire", 1, (db) => expireLots(db, NOW)],
  ["reminders that are due", 2, (db) => sendReminders(db, database.jobs, NOW)],
  ["games to decide", 1, (db) => decideGames(db, database.jobs, NOW)],
  ["credits about to expire", 1, (db) => notifyOfExpiringCredits(db, database.jobs, LATE)],
  ["notifications sent long ago", 1, (db) => purgeSent(db, NOW)],
  ["a device to send to", 1, (db) => findDevice(db, ids.device, "soon", NOW)],
  ["the settings of a player", 1, (db) => findSettings(db, ids.player, SWITCHES)],
  ["messages older than a year", 1, (db) => purgeMessages(db, NOW)],
  ["free sessions that are kept long enough", 1, (db) => purgeFreeSessions(db, NOW)],
  ["sign-ups older than a month", 1, (db) => deleteOldSignUps(db, NOW)],
])("%s reads a few rows and no whole table, by %i statements", async (_, count, read) => {
  const statements = await statementsSent(database.pool, read, /^\s*(select|with|update|delete)/);
  expect(statements).toHaveLength(count);
  for (const statement of statements) {
    expect(await scannedTables(database.pool, statement, GROWING)).toEqual([]);
    // An index of another column can be read from end to end too.
    expect(await rowsRead(database.pool, statement, ...GROWING)).toBeLessThan(100);
  }
});

const viewer = () => ({ userId: ids.player, isAdmin: true });
const stranger = () => ({ subject: `${randomUUID()}@uni.example`, device: null });
const person = () => ({ person: "77@new.example", browserHash: null });
const to = () => ({ signUpId: ids.signUp, mailbox: "8@new.example" });
