import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { soldColumns } from "#app/features/seats/rules.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { addPack, DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";

// The last line of defence: what holds for every writer, whatever the code above does.
const database = useDatabase();
let ids: { player: string; game: string; booking: string; pack: string };
beforeAll(setTheScene);

async function setTheScene() {
  const [player, game] = [await ada(database.db), await aGame(database.db, { spots: 2 })];
  const result = await joinGame(database.db, database.jobs, {
    gameId: game,
    playerId: player,
    now: NOW,
  });
  if (!result.ok) throw new Error(result.reason);
  await addPack(database.db, DEFAULT_PACKS[0]!);
  const { id: pack } = await database.db
    .selectFrom("credit_packs")
    .select("id")
    .executeTakeFirstOrThrow();
  ids = { player, game, booking: result.bookingId, pack };
}

/** Runs SQL in which {player}, {game}, {booking} and {pack} stand for the ids. */
const run = (statement: string) =>
  database.pool.query(
    statement.replace(/\{(\w+)\}/g, (_, key: keyof typeof ids) => `'${ids[key]}'`),
  );
const booking = (columns: string, values: string) =>
  `insert into bookings (user_id, game_id, ${columns}) values ({player}, {game}, ${values})`;
const entry = (type: string, amount: string, more = ["status", "'completed'"]) =>
  `insert into wallet_transactions (user_id, type, amount_eur, ${more[0]})
   values ({player}, '${type}', ${amount}, ${more[1]})`;
const lots = (change: string) => `update credit_lots set ${change}`;
const payment = (values: string, times = 1) =>
  `insert into payments (stripe_object_id, amount_eur, credits_eur, taken_back_eur, owed_eur,
     user_id, pack_id)
   ${Array.from({ length: times }, () => `select ${values}, {player}::uuid, {pack}::uuid`).join(" union all ")}`;

// spec: 3.22, 7.18
test.each([
  ["a second live booking", booking("payment_status", "'Paid'"), "bookings_one_live_per_game"],
  ["an unpaid one beside", booking("payment_status", "'Unpaid'"), "bookings_one_live_per_game"],
  [
    "seats beyond the capacity",
    "update games set seats_taken = 3 where id = {game}",
    "games_seats_within_capacity",
  ],
  [
    "seats below none",
    "update games set seats_taken = -1 where id = {game}",
    "games_seats_within_capacity",
  ],
  ["a game of no seats", "update games set max_players = 0 where id = {game}", "games_max_players"],
  [
    "a minimum above the capacity",
    "update games set min_players = 3 where id = {game}",
    "games_min_players",
  ],
  ["a minimum of zero", "update games set min_players = 0 where id = {game}", "games_min_players"],
  [
    "a kept week that begins on a Tuesday",
    `insert into weekly_metrics values ('games', '2026-11-24', 'games', 'rules', '{}')`,
    "weekly_metrics_week",
  ],
  [
    "a kept count without a name for its numbers",
    `insert into weekly_metrics values ('games', '2026-11-23', 'games', 'rules', '[]')`,
    "weekly_metrics_found",
  ],
  [
    "a change of a week that begins on a Sunday",
    "insert into week_changes values ('games', '2026-11-22')",
    "week_changes_week",
  ],
  [
    "a change of what no week counts",
    "insert into week_changes values ('venues', '2026-11-23')",
    "week_changes_source",
  ],
  [
    "a decision of nothing",
    "update games set decides_at = now() where id = {game}",
    "games_decides_at",
  ],
  [
    "a decision after kick-off",
    `update games set min_players = 1, decides_at = starts_at + interval '1 second'
     where id = {game}`,
    "games_decides_at",
  ],
  [
    "a decision before kick-off by less than nothing",
    "update games set min_players = 1, decides_hours = -1 where id = {game}",
    "games_decides",
  ],
  [
    "a decision without its time",
    "update games set decision = 'On' where id = {game}",
    "games_decided",
  ],
  [
    "an unknown decision",
    "update games set decision = 'Maybe', decided_at = now() where id = {game}",
    "games_decision_check",
  ],
  [
    "a game that ends as it starts",
    "update games set end_time = start_time where id = {game}",
    "games_check",
  ],
  [
    "a pack of any amount among the plans",
    "update credit_packs set pack_key = 'any_amount' where id = {pack}",
    "credit_packs_any_amount",
  ],
  [
    "a balance below 0",
    "update profiles set wallet_balance_eur = -0.01 where user_id = {player}",
    "profiles_balance_not_negative",
  ],
  ["a changed entry", "update wallet_transactions set amount_eur = 5", "append-only"],
  ["an entry that is deleted", "delete from wallet_transactions", "append-only"],
  ["an emptied ledger", "truncate wallet_transactions cascade", "append-only"],
  ["an entry of nothing", entry("topup", "0"), "amount_eur_check"],
  ["a deduction that gives", entry("deduction", "5"), "wallet_transactions_sign"],
  ["a refund that takes", entry("refund", "-5"), "wallet_transactions_sign"],
  ["a top-up that takes", entry("topup", "-5"), "wallet_transactions_sign"],
  ["a reward that takes", entry("credit", "-5"), "wallet_transactions_sign"],
  [
    "an entry booked twice",
    entry("deduction", "-10", ["business_key", "'deduction:' || {booking}"]),
    "wallet_transactions_business_key_key",
  ],
  [
    "an entry for no booking",
    entry("refund", "5", ["booking_id", "gen_random_uuid()"]),
    "wallet_transactions_booking_id_fkey",
  ],
  [
    "a booking of a negative price",
    booking("payment_status, price_eur", "'Refunded', -1"),
    "price",
  ],
  [
    "a second free session",
    `${booking("payment_status, uses_free_session", "'Cancelled', true")},
     ({player}, {game}, 'Cancelled', true)`,
    "bookings_one_free_session",
  ],
  ["a player with bookings who goes", "delete from profiles where user_id = {player}", "fkey"],
  ["a game with bookings that goes", "delete from games where id = {game}", "fkey"],
  [
    "a booking that changes its game",
    "update bookings set game_id = (select id from games where id <> {game} limit 1)",
    "cannot move",
  ],
  ["an expiry that gives", entry("expiry", "5"), "wallet_transactions_sign"],
  ["a lot that gives more than it had", lots("remaining_eur = granted_eur + 0.01"), "remaining"],
  ["a lot that gives what it has not", lots("remaining_eur = -0.01"), "remaining"],
  ["a month without an end", lots("source = 'subscription'"), "credit_lots_subscription"],
  ["a changed split", "update lot_entries set amount_eur = 1", "append-only"],
  ["a debt below 0", "update profiles set wallet_debt_eur = -1", "wallet_debt_eur"],
  ["a payment that is granted twice", payment("'cs_1', 9.99, 10, 0, 0", 2), "stripe_object_id"],
  ["more taken back than granted", payment("'cs_2', 9.99, 10, 10.01, 0"), "payments_taken_back"],
  ["more owed than taken back", payment("'cs_3', 9.99, 10, 5, 5.01"), "payments_owed"],
  [
    "a payment under way that has ended",
    `insert into pending_payments (session_id, user_id, amount_eur, created_at, ended_at)
     values ('cs_4', {player}, 9.99, now(), now())`,
    "pending_payments_ended",
  ],
  [
    "an unreadable unmatched event",
    `insert into stripe_events (id, type, object_id, created_at, status, reason)
     values ('evt_1', 'invoice.paid', 'in_1', now(), 'parked', 'unreadable')`,
    "stripe_events_parked",
  ],
  [
    "one that says not why",
    `insert into stripe_events (id, type, object_id, created_at, status, payload)
     values ('evt_1', 'invoice.paid', 'in_1', now(), 'parked', '{}')`,
    "stripe_events_reason",
  ],
  [
    "a user whose address is not confirmed",
    "insert into users (name, email, email_verified) values ('A', 'a@uni.example', false)",
    "users_confirmed",
  ],
  ["a changed audit record", "update audit_log set actor = 'nobody'", "append-only"],
  [
    "seats and held spots beyond the capacity",
    "update games set spots_held = 2 where id = {game}",
    "games_spots_within_capacity",
  ],
  ["held spots below none", "update games set spots_held = -1 where id = {game}", "spots_held"],
  [
    "an excuse of somebody who came",
    `update bookings set attendance = 'CheckedIn', no_show_excused_at = now(),
       no_show_excused_by = {player} where id = {booking}`,
    "bookings_excuse",
  ],
  [
    "an excuse that nobody has made",
    `update bookings set attendance = 'NoShow', no_show_excused_at = now() where id = {booking}`,
    "bookings_excuse",
  ],
  [
    "a note without an excuse",
    `update bookings set attendance = 'NoShow', no_show_excuse = 'Ill' where id = {booking}`,
    "bookings_excuse",
  ],
  [
    "a note of nothing",
    `update bookings set attendance = 'NoShow', no_show_excused_at = now(),
       no_show_excused_by = {player}, no_show_excuse = '' where id = {booking}`,
    "bookings_no_show_excuse_check",
  ],
  [
    "nothing to come back late",
    "update bookings set late_refund_eur = 0 where id = {booking}",
    "late_refund_eur",
  ],
])("rejected: %s", async (_, statement, reason) => {
  if (statement.includes("audit_log")) {
    await run("insert into audit_log (actor, action, subject) values ('a', 'b', 'c')");
  }
  if (statement.includes("set game_id")) await aGame(database.db);
  await expect(run(statement)).rejects.toThrow(reason);
});

// spec: 3.6, 3.17, 3.24, 4.23
test.each([
  ["games", "update games set status = 'Open' where id = {game}"],
  ["bookings", "update bookings set payment_status = 'paid' where id = {booking}"],
  ["types", entry("gift", "5")],
  ["statuses", entry("topup", "5", ["status", "'done'"])],
  ["positions", "update profiles set position = 'ST' where user_id = {player}"],
  ["years", "update profiles set school_year = 'PhD' where user_id = {player}"],
  ["roles", "insert into user_roles (user_id, role) values ({player}, 'owner')"],
  ["texts", "insert into legal_pages (page_type, title, content) values ('faq', 'F', 'x')"],
  [
    "months",
    "insert into monthly_game_progress (user_id, month_year) values ({player}, '2026-13')",
  ],
])("an unknown value is rejected: %s", async (_, statement) => {
  await expect(run(statement)).rejects.toThrow("violates check constraint");
});

describe("seats follow the bookings, whichever code writes them", () => {
  beforeEach(setTheScene);
  const seats = async () =>
    (await run("select seats_taken from games where id = {game}")).rows[0].seats_taken;

  test("taken, given back, taken again, deleted", async () => {
    expect(await seats()).toBe(1);
    await run("update bookings set payment_status = 'Refunded' where id = {booking}");
    expect(await seats()).toBe(0);
    await run("update bookings set payment_status = 'Unpaid' where id = {booking}");
    expect(await seats()).toBe(1);
    await run("update bookings set payment_status = 'Paid' where id = {booking}");
    expect(await seats()).toBe(1);
    const other = await ada(database.db);
    await run(`insert into bookings (user_id, game_id, payment_status)
      values ('${other}', {game}, 'Unpaid')`);
    expect(await seats()).toBe(2);
    await run(`delete from bookings where user_id = '${other}'`);
    expect(await seats()).toBe(1);
  });

  // spec: 7.30
  test("never beyond the capacity: neither by a booking nor by fewer seats", async () => {
    const [second, third] = [await ada(database.db), await ada(database.db)];
    const take = (player: string) =>
      run(`insert into bookings (user_id, game_id, payment_status)
        values ('${player}', {game}, 'Paid')`);
    await take(second);
    await expect(take(third)).rejects.toThrow("games_seats_within_capacity");
    await expect(run("update games set max_players = 1 where id = {game}")).rejects.toThrow(
      "games_seats_within_capacity",
    );
    expect(await seats()).toBe(2);
  });
});

// The defaults of migration 004 stand for features/seats/rules.ts.
test("a booking written by SQL alone has the price and the last step of one that is sold", async () => {
  const { rows } = await run(
    `${booking("payment_status", "'Cancelled'")} returning price_eur, refund_hours, refund_fee_eur, terms`,
  );
  expect(rows).toEqual([{ ...soldColumns(GAME_PRICE_CENTS), terms: null }]);
});
