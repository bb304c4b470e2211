import { describe, expect, test } from "vitest";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { type TestDatabase, useDatabase } from "#test/db.ts";
import { withSessionLock } from "#app/platform/postgres/session-locks.server.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { seedDemoData } from "./seed.ts";
import { isLong } from "#test/long.ts";

// Hashing is proved elsewhere; here it would be the slowest step.
const accounts = { hashPassword: async (password: string) => `hash of ${password}` };
const seed = (database: TestDatabase, now: Date) => seedDemoData({ ...database, accounts, now });

/** The first row of a query in which $1 is now. */
async function ask(database: TestDatabase, now: Date, query: string) {
  const { rows } = await database.pool.query(query, query.includes("$1") ? [now] : []);
  return rows[0];
}

const OWN =
  "select user_id from profiles where email in ('player@uni.example', 'broke@uni.example')";
const COMING = "status = 'Published' and starts_at > $1";

/** Each clause of the contract on the demo data: what it says, the query, the result. */
const CLAUSES: [string, string, object][] = [
  [
    "admin is the one admin and has 30 credits",
    `select count(*), min(p.email) as email, min(wallet_balance_eur) as credits
     from user_roles join profiles p using (user_id) where role = 'admin'`,
    { count: 1, email: "admin@uni.example", credits: "30.00" },
  ],
  [
    "player has 100 credits and a position",
    `select wallet_balance_eur as credits, position is not null as placed
     from profiles where email = 'player@uni.example'`,
    { credits: "100.00", placed: true },
  ],
  [
    "player has one upcoming Paid booking and five completed games this month",
    `select count(*) filter (where starts_at > $1) as upcoming,
       count(*) filter (where ends_at <= $1 and to_char(ends_at at time zone 'Europe/Helsinki',
         'YYYY-MM') = to_char($1::timestamptz at time zone 'Europe/Helsinki', 'YYYY-MM'))
         as this_month,
       count(*) > 6 as has_history, bool_and(payment_status = 'Paid') as all_paid,
       bool_and(games.status = 'Published') as all_stand
     from bookings join games on games.id = game_id
     join profiles using (user_id) where email = 'player@uni.example'`,
    { upcoming: 1, this_month: 5, has_history: true, all_paid: true, all_stand: true },
  ],
  [
    "every account was opened before its player bought or booked anything, in several weeks",
    `select bool_and(users.created_at = profiles.created_at
         and users.created_at < coalesce(first.at, $1::timestamptz)) as in_order,
       count(distinct date_trunc('week', users.created_at)) > 8 as over_weeks
     from users join profiles on profiles.user_id = users.id
     left join lateral (select min(at) as at from (
       select created_at as at from wallet_transactions where user_id = users.id
       union all select created_at from bookings where user_id = users.id) done) first on true`,
    { in_order: true, over_weeks: true },
  ],
  [
    "the ledger reads as it happened: bought before it was spent, each payment at its own time",
    `select bool_and(at > before or before is null) as in_order, bool_and(at <= $1) as past,
       bool_and(at < starts_at or starts_at is null) as before_kick_off
     from (
       select t.created_at as at, starts_at,
         lag(t.created_at) over (partition by t.user_id order by t.seq) as before
       from wallet_transactions t left join bookings on bookings.id = t.booking_id
       left join games on games.id = game_id
       where t.type <> 'refund'
     ) entries`,
    { in_order: true, past: true, before_kick_off: true },
  ],
  [
    "no reward is claimed",
    "select count(*) from monthly_game_progress where reward_claimed",
    { count: 0 },
  ],
  [
    "the player without credits has no bookings either",
    `select wallet_balance_eur as credits,
       (select count(*) from bookings b where b.user_id = p.user_id) as bookings
     from profiles p where email = 'broke@uni.example'`,
    { credits: "0.00", bookings: 0 },
  ],
  [
    "thirty others, with at least 20 credits each; everybody confirmed, with the one password",
    `select count(*) filter (where wallet_balance_eur >= 20 and p.email not like 'admin@%'
         and p.email not like 'player@%') as others,
       count(*) as people, bool_and(email_verified) as confirmed,
       bool_and(p.email like '%@uni.example') as at_school, count(distinct password) as passwords,
       min(password) as hash
     from profiles p join users on users.id = user_id join accounts using (user_id)`,
    {
      others: 30,
      people: 33,
      confirmed: true,
      at_school: true,
      passwords: 1,
      hash: "hash of Kickabout1",
    },
  ],
  [
    "at least six venues in the three cities, each with several photos that say what they show",
    `select count(*) >= 6 as enough, array_agg(distinct city order by city) as cities,
       min(cardinality(photo_urls)) >= 2 as photos,
       bool_and(cardinality(photo_urls) = cardinality(photo_alts)) as alts from venues`,
    { enough: true, cities: ["Espoo", "Helsinki", "Vantaa"], photos: true, alts: true },
  ],
  [
    "20 to 24 upcoming games, on at least ten of the next 14 days, none past midnight",
    `select count(*) between 20 and 24 as enough, count(distinct date) >= 10 as days,
       bool_and(end_time > start_time) as in_one_day,
       max(starts_at) < $1::timestamptz + interval '14 days' as soon
     from games where ${COMING}`,
    { enough: true, days: true, in_one_day: true, soon: true },
  ],
  [
    "open, nearly full, full, free, indoor, outdoor, cancelled, draft and past ones",
    `select bool_or(${COMING} and seats_taken < max_players - 3) as open,
       bool_or(${COMING} and max_players - seats_taken between 1 and 3) as nearly_full,
       bool_or(${COMING} and seats_taken = max_players) as is_full,
       bool_or(${COMING} and is_first_session_free) as free,
       bool_or(${COMING} and is_outdoor) as outdoor, bool_or(${COMING} and not is_outdoor) as indoor,
       bool_or(status = 'Cancelled') as cancelled, bool_or(status = 'Draft') as draft,
       bool_or(ends_at <= $1) as past, bool_and(price_eur = 10) as price from games`,
    {
      open: true,
      nearly_full: true,
      is_full: true,
      free: true,
      outdoor: true,
      indoor: true,
      cancelled: true,
      draft: true,
      past: true,
      price: true,
    },
  ],
  [
    "eight that are open, not free, far enough ahead, with room and company, none of the two's",
    `select count(*) >= 8 as enough from games g where ${COMING} and not is_first_session_free
       and starts_at > $1::timestamptz + interval '48 hours' and max_players - seats_taken >= 5
       and (select count(*) from bookings b where b.game_id = g.id and payment_status = 'Paid')
         between 2 and 9
       and not exists (select from bookings b where b.game_id = g.id and b.user_id in (${OWN}))`,
    { enough: true },
  ],
  [
    "a game that has its minimum, and one that lacks it, with days to go and none of the eight",
    `select bool_or(seats_taken >= min_players) as on,
       bool_and(seats_taken >= min_players or decides_at > $1::timestamptz + interval '10 days') as safe,
       bool_or(seats_taken < min_players) as short,
       bool_and(max_players - seats_taken < 5 or seats_taken < 2) as others
     from games where ${COMING} and min_players is not null`,
    { on: true, safe: true, short: true, others: true },
  ],
  [
    "partners; and no job waits",
    `select count(*) > 0 as partners,
       (select count(*) from pgboss.job where state in ('created', 'retry')
         and name like 'mail.%') as jobs from partners`,
    { partners: true, jobs: 0 },
  ],
];

const MOMENTS = [
  ["seven minutes into a month", "2026-11-30T22:07:00Z"],
  ["on the Sunday of 25 hours", "2026-10-25T01:30:00Z"],
];
const MORE_MOMENTS = [
  ["in mid-month", "2026-11-21T16:23:00Z"],
  ["at the end of a year", "2026-12-31T21:50:00Z"],
  ["late in the evening, when UTC is a day behind", "2026-11-20T22:40:00Z"],
];

describe.each(isLong ? [...MOMENTS, ...MORE_MOMENTS] : MOMENTS)(
  "the demo data: %s",
  (_, instant = "") => {
    const database = useDatabase();
    withoutTimeouts(database);
    const now = new Date(instant);

    test("is what the contract says, with right books", async () => {
      expect(await seed(database, now)).toBe(true);
      for (const [clause, query, expected] of CLAUSES) {
        expect({ clause, ...(await ask(database, now, query)) }).toEqual({ clause, ...expected });
      }
      expect((await checkBooks(database.db)).differences).toEqual([]);
    });
  },
);

describe("seeding", () => {
  const database = useDatabase();
  withoutTimeouts(database);
  const now = new Date("2026-11-21T16:23:00Z");
  const counts = () =>
    ask(
      database,
      now,
      `select (select count(*) from users) as users, (select count(*) from venues) as venues,
        (select count(*) from games) as games, (select count(*) from bookings) as bookings,
        (select count(*) from wallet_transactions) as entries,
        (select count(*) from audit_log) as audit_entries, (select count(*) from partners) as partners,
        (select count(*) from pgboss.job where name like 'mail.%') as jobs`,
    );
  const NOTHING = {
    users: 0,
    venues: 0,
    games: 0,
    bookings: 0,
    entries: 0,
    audit_entries: 0,
    partners: 0,
    jobs: 0,
  };

  test.each([
    ["at the first account", "users", "name like 'Saga%'"],
    ["in the middle of the games", "games", "true"],
    ["at the last step", "partners", "name like 'Campus%'"],
  ])("that fails %s leaves nothing", async (_, table, column) => {
    const condition = column === "true" ? "(select count(*) from games) > 9" : `new.${column}`;
    await database.pool.query(`create function fail() returns trigger language plpgsql as
      $$ begin if ${condition} then raise exception 'power cut'; end if; return new; end $$;
      create trigger fail before insert on ${table} for each row execute function fail()`);
    await expect(seed(database, now)).rejects.toThrow("power cut");
    await database.pool.query("drop function fail cascade");
    expect(await counts()).toEqual(NOTHING);
  });

  test("twice at once and once more, while a backup is made, fills it once", async () => {
    const results = await withSessionLock(database.pool, { lock: "backups" }, () =>
      Promise.all([seed(database, now), seed(database, now)]),
    );
    expect(results.sort()).toEqual([false, true]);
    const filled = await counts();
    expect(filled.users).toBe(33);
    expect(await seed(database, new Date("2027-01-01T00:00:00Z"))).toBe(false);
    expect(await counts()).toEqual(filled);
  });
});
