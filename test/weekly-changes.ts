// SQL for tests of what is kept of weeks that are over.
const OLD = "timestamptz '2026-11-03 12:00+02'";
const aBooking = (status: string, attendance = "null", end = "null") =>
  `insert into bookings (user_id, game_id, payment_status, attendance, end_reason)
   select user_id, game.id, '${status}', ${attendance}, ${end}
   from (select user_id from profiles where deleted_at is null order by user_id limit 1) player,
     (select id from games where status = 'Published' order by starts_at limit 1) game
   on conflict do nothing`;
export const ENTRY = `insert into wallet_transactions (user_id, type, amount_eur, business_key, created_at)
  select user_id, 'topup', 5, gen_random_uuid(), ${OLD} from profiles limit 1`;
export const A_PLAYER = `with added as (
    insert into users (name, email) values ('Dora', gen_random_uuid() || '@uni.example')
    returning id, email)
  insert into profiles (user_id, email, first_name, last_name, date_of_birth, school_year, major,
    created_at)
  select id, email, 'Dora', 'Late', '2001-05-17', 'Master', 'Physics', ${OLD} from added`;
export const A_GAME = `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
  select 'Late', '2026-11-03', '18:00', '19:00', 'Completed', 12, id from venues limit 1`;

/** By trigger, changes of which the kept weeks learn by it alone. */
export const CHANGES: Record<string, string[]> = {
  games_note_change: [A_GAME, "delete from games where title = 'Unplayed'"],
  games_note_update: [
    "update games set status = 'Cancelled'",
    "update games set max_players = 25",
    "update games set date = date - 9",
    "delete from bookings where attendance is null",
    "update bookings set payment_status = 'Refunded' where attendance is null",
  ],
  bookings_note_insert: [aBooking("Cancelled", "'NoShow'", "'Removed'")],
  bookings_note_delete: ["delete from bookings where payment_status = 'Cancelled'"],
  bookings_note_update: [
    "update bookings set attendance = 'CheckedIn'",
    "update bookings set attendance = null where payment_status = 'Cancelled'",
    `update bookings set no_show_excused_at = now(), no_show_excused_by = user_id
     where attendance = 'NoShow'`,
    "update bookings set end_reason = 'Left' where end_reason = 'Removed'",
    `update bookings set user_id = (select user_id from profiles where first_name = 'Idle')
     where attendance is null and game_id = (select id from games where title = 'Twice')`,
  ],
  waitlist_entries_note_change: [
    "delete from waitlist_entries where user_id in (select user_id from profiles limit 1)",
    `insert into waitlist_entries (game_id, user_id, mode, max_price_eur, not_after)
     select games.id, user_id, 'ask', 10, starts_at from games, profiles
     where first_name = 'Idle' and title <> 'Unplayed' limit 1`,
  ],
  waitlist_entries_note_update: [
    `update waitlist_entries set user_id =
       (select user_id from waitlist_entries where status = 'Waiting' limit 1)
     where status = 'Left'`,
  ],
  profiles_note_change: [A_PLAYER, "delete from profiles where first_name = 'Idle'"],
  profiles_note_update: [
    "update profiles set created_at = created_at - interval '8 days'",
    "update profiles set deleted_at = now()",
  ],
  payments_note_change: [
    `insert into payments (stripe_object_id, user_id, pack_id, amount_eur, credits_eur, created_at)
     select gen_random_uuid(), user_id, pack_id, 9, 9, created_at from payments limit 3`,
    "delete from payments where id not in (select payment_id from disputes)",
  ],
  payments_note_update: [
    "update payments set refunded_eur = 7",
    "update payments set created_at = created_at - interval '8 days'",
  ],
  disputes_note_change: [
    "update disputes set status = 'won'",
    "delete from disputes",
    "insert into disputes select 'dp_2', id, 6, 'lost' from payments order by id desc limit 1",
  ],
  wallet_transactions_note_insert: [ENTRY],
};

const pick = (table: string, n: number, where = "true") =>
  `ctid = (select ctid from ${table} where ${where} order by md5(ctid::text || ${n}) limit 1)`;
const of = <T>(list: T[], n: number) => list[n % list.length]!;
const STATUSES = ["Paid", "Unpaid", "Refunded", "Cancelled"];
const MARKS = ["'CheckedIn'", "'NoShow'", "null"];
const day = (n: number) => `date '2026-10-05' + ${n % 60}`;
const instant = (n: number) => `timestamptz '2026-10-05 00:00+03' + interval '${n % 1_400} hours'`;

/** Each changes a row or two of any week; `n` chooses which. */
export const STEPS: Record<string, (n: number) => string> = {
  "books a seat": (n) =>
    `insert into bookings (user_id, game_id, payment_status, attendance, end_reason)
     select user_id, games.id, '${of(STATUSES, n)}', ${of(MARKS, n >> 2)},
       ${of(["null", "'Removed'"], n >> 4)}
     from profiles, games order by md5(user_id::text || games.id || ${n}) limit 1
     on conflict do nothing`,
  "ends a booking": (n) =>
    `update bookings set payment_status = '${of(["Refunded", "Cancelled"], n)}',
       end_reason = ${of(["'Left'", "'Removed'", "'GameCancelled'"], n >> 1)}
     where ${pick("bookings", n)}`,
  "marks a booking": (n) =>
    `update bookings set attendance = ${of(MARKS, n)}, no_show_excused_at = null,
       no_show_excused_by = null where ${pick("bookings", n)}`,
  "excuses a no-show": (n) =>
    `update bookings set no_show_excused_at = now(), no_show_excused_by = user_id
     where ${pick("bookings", n, "attendance = 'NoShow'")}`,
  "deletes a booking": (n) => `delete from bookings where ${pick("bookings", n)}`,
  "adds a game": (n) => A_GAME.replace("'2026-11-03'", day(n)),
  "moves a game": (n) => `update games set date = ${day(n)} where ${pick("games", n)}`,
  "changes a game": (n) =>
    `update games set max_players = 20 + ${n % 9},
       status = '${of(["Draft", "Published", "Cancelled", "Completed"], n)}'
     where ${pick("games", n)}`,
  "waits for a game": (n) =>
    `insert into waitlist_entries (game_id, user_id, mode, max_price_eur, not_after)
     select games.id, user_id, 'ask', 10, starts_at from profiles, games where deleted_at is null
     order by md5(user_id::text || games.id || ${n}) limit 1 on conflict do nothing`,
  "opens an account": (n) => A_PLAYER.replace(OLD, instant(n)),
  "deletes an account": (n) =>
    `update profiles set deleted_at = now()
     where ${pick("profiles", n, "deleted_at is null")} and ${n} % 4 = 0`,
  pays: (n) =>
    `insert into payments (stripe_object_id, user_id, pack_id, amount_eur, credits_eur, created_at)
     select gen_random_uuid(), user_id, pack_id, 9.99, 10, ${instant(n)} from payments limit 1`,
  "refunds a payment": (n) =>
    `update payments set refunded_eur = ${n % 12} where ${pick("payments", n)}`,
  "disputes a payment": (n) =>
    `insert into disputes select gen_random_uuid(), id, 3, 'lost' from payments
     where ${pick("payments", n)}`,
  "wins a dispute": (n) => `update disputes set status = 'won' where ${pick("disputes", n)}`,
  "writes to the ledger": (n) => ENTRY.replace(OLD, instant(n)),
};
