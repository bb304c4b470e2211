import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { countPlayers } from "#app/features/players/profiles.server.ts";
import { sumCredits, sumIncome } from "#app/features/wallet/metrics.server.ts";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { keepWeeks, listWrongWeeks } from "#app/platform/weekly-metrics.server.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, hoursLater, NOW, somePlayers } from "#test/fixtures.ts";
import { isLong } from "#test/long.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { somePacks } from "#test/payments.ts";
import { checkBooks } from "./check-books.server.ts";
import {
  countActivePlayers,
  countGames,
  countNoShows,
  countWaited,
  WEEKLY_METRICS,
} from "./metrics.server.ts";

const database = useDatabase();
withoutTimeouts(database);
const WEEK = 7 * 24;
// Every week of this file's rows is over, by whatever clock they were written.
const LATER = hoursLater(8 * WEEK);
const question = { weeks: weeksUntil(LATER, 14), venueId: null, now: LATER };
const keep = () => keepWeeks(database.db, WEEKLY_METRICS, LATER);
const run = (text: string) => sql.raw(text).execute(database.db);

/** All that the overview shows of its weeks. */
async function readAll(db: Db) {
  return {
    active: await countActivePlayers(db, question),
    games: await countGames(db, question),
    noShows: await countNoShows(db, question),
    waited: await countWaited(db, question),
    players: await countPlayers(db, question),
    income: await sumIncome(db, question),
    credits: await sumCredits(db, question),
  };
}

/** The same, counted of the rows alone. */
const readPlain = () =>
  tried(async (db) => {
    await sql`delete from weekly_metrics`.execute(db);
    return readAll(db);
  });

/** On a transaction that is rolled back. */
async function tried<T>(read: (db: Db) => Promise<T>): Promise<T> {
  const tx = await database.db.startTransaction().execute();
  try {
    return await read(tx);
  } finally {
    await tx.rollback().execute();
  }
}

beforeAll(async () => {
  const { db } = database;
  const venueId = await aVenue(db);
  await somePacks(db);
  for (const weeks of [-5, -4, -3, -1, 0]) {
    await aGame(db, { startsIn: weeks * WEEK, venue_id: venueId, spots: 20 });
  }
  await somePlayers(db, 4, 50);
  const ago = (time: string) => `timestamptz '${NOW.toISOString()}' - interval '${time}'`;
  await run(`update profiles set created_at = ${ago("5 days")}`);
  await run(
    `insert into bookings (user_id, game_id, payment_status, attendance)
     select user_id, id, 'Paid', case when starts_at < ${ago("9 days")} then 'NoShow' else 'CheckedIn' end
     from profiles, games`,
  );
  await run(
    `insert into bookings (user_id, game_id, payment_status, attendance, end_reason)
     select user_id, id, 'Cancelled', 'NoShow', 'Removed' from profiles, games limit 2`,
  );
  await run(
    `insert into waitlist_entries (game_id, user_id, mode, max_price_eur, not_after)
     select id, user_id, 'ask', 10, starts_at from games, profiles`,
  );
  await run(
    `insert into payments (stripe_object_id, user_id, pack_id, amount_eur, credits_eur, created_at)
     select 'cs_' || n, user_id, packs.id, 20, 20, ${ago("0 days")} - n * interval '4 days'
     from generate_series(0, 9) n, (select user_id from profiles limit 1) player,
       (select id from credit_packs limit 1) packs`,
  );
  await run(ENTRY.replace("11-03", "10-14"));
  await run("insert into disputes select 'dp_1', id, 5, 'lost' from payments limit 1");
});

const OLD = "timestamptz '2026-11-03 12:00+02'";
const aBooking = (status: string, attendance = "null", end = "null") =>
  `insert into bookings (user_id, game_id, payment_status, attendance, end_reason)
   select user_id, game.id, '${status}', ${attendance}, ${end}
   from (select user_id from profiles where deleted_at is null order by user_id limit 1) player,
     (select id from games where status = 'Published' order by starts_at limit 1) game
   on conflict do nothing`;
const ENTRY = `insert into wallet_transactions (user_id, type, amount_eur, business_key, created_at)
  select user_id, 'topup', 5, gen_random_uuid(), ${OLD} from profiles limit 1`;
const A_PLAYER = `with added as (
    insert into users (name, email) values ('Dora', gen_random_uuid() || '@uni.example')
    returning id, email)
  insert into profiles (user_id, email, first_name, last_name, date_of_birth, school_year, major,
    created_at)
  select id, email, 'Dora', 'Late', '2001-05-17', 'Master', 'Physics', ${OLD} from added`;
const A_GAME = `insert into games (title, date, start_time, end_time, status, max_players, venue_id)
  select 'Late', '2026-11-03', '18:00', '19:00', 'Completed', 12, id from venues limit 1`;

/** By trigger, changes of which the kept weeks learn by it alone. */
const CHANGES: Record<string, string[]> = {
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

describe("each change of a week that was kept", () => {
  beforeAll(async () => {
    await run(A_PLAYER);
    await run(A_PLAYER.replaceAll("'Dora'", "'Idle'"));
    // In the week of another game, so that she is active once.
    await run(A_GAME.replace("'Late', '2026-11-03'", "'Twice', '2026-10-27'"));
    await run(
      `insert into bookings (user_id, game_id, payment_status)
       select user_id, games.id, 'Paid' from profiles, games where first_name = 'Dora'`,
    );
    await run(
      `insert into waitlist_entries (game_id, user_id, mode, max_price_eur, not_after, status, ended_at)
       select games.id, user_id, 'ask', 10, starts_at, 'Left', now() from games, profiles
       where first_name = 'Dora' and games.id in (select game_id from waitlist_entries) limit 1`,
    );
    await run(A_GAME.replace("'Late'", "'Unplayed'"));
    await keep();
  });

  test("is noted by a trigger that is tested here", async () => {
    const { rows } = await sql<{ tgname: string }>`
      select tgname from pg_trigger where tgfoid in (select oid from pg_proc
        where prosrc like '%week_changes%') order by tgname`.execute(database.db);
    expect(rows.map(({ tgname }) => tgname)).toEqual(Object.keys(CHANGES).toSorted());
  });

  const each = Object.entries(CHANGES).flatMap(([trigger, changes]) =>
    changes.map((change, n) => [trigger, n + 1, change] as const),
  );
  test.each(each)("%s, change %i, is counted", async (trigger, _, change) => {
    const table = trigger.split("_note_")[0]!;
    const wrongAfter = (before: string) =>
      tried(async (db) => {
        await sql.raw(before).execute(db);
        await sql.raw(change).execute(db);
        return listWrongWeeks(db, WEEKLY_METRICS);
      });
    expect(await wrongAfter("select")).toEqual([]);
    expect(await wrongAfter(`alter table ${table} disable trigger ${trigger}`)).not.toEqual([]);
  });
});

const pick = (table: string, n: number, where = "true") =>
  `ctid = (select ctid from ${table} where ${where} order by md5(ctid::text || ${n}) limit 1)`;
const of = <T>(list: T[], n: number) => list[n % list.length]!;
const STATUSES = ["Paid", "Unpaid", "Refunded", "Cancelled"];
const MARKS = ["'CheckedIn'", "'NoShow'", "null"];
const day = (n: number) => `date '2026-10-05' + ${n % 60}`;
const instant = (n: number) => `timestamptz '2026-10-05 00:00+03' + interval '${n % 1_400} hours'`;

/** Each changes a row or two of any week; `n` chooses which. */
const STEPS: Record<string, (n: number) => string> = {
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

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ name: fc.constantFrom(...Object.keys(STEPS)), n: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.constant({ name: "keeps the weeks", n: 0 }) },
);

test("whatever changes, and whenever weeks are kept, the counts are those of the rows", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
      for (const { name, n } of steps) {
        if (name in STEPS) await run(STEPS[name]!(n));
        else await keep();
        expect(await readAll(database.db)).toEqual(await readPlain());
      }
    }),
    // A shorter history would begin with the rows that this one has left.
    { numRuns: isLong ? 300 : 12, endOnFailure: true },
  );
});

describe("a week that is kept", () => {
  const GAME = "update games set max_players = max_players + 1 where title = 'Own'";
  beforeAll(async () => {
    await run(A_GAME.replace("'Late'", "'Own'"));
    await run(A_GAME.replace("'Late'", "'Neighbour'"));
  });

  const spots = async (db = database.db) => {
    const weeks = await countGames(db, question);
    return weeks!.reduce((sum, week) => sum + week.spots, 0);
  };
  const tamper = () =>
    run(`update weekly_metrics set found = found || '{"spots": 1000000}'
      where metric = 'games' and week = '2026-11-02'`);

  test("is not counted again, and check:ledger reports where its rows say otherwise", async () => {
    await keep();
    expect((await checkBooks(database.db)).differences.filter(isOfWeeks)).toEqual([]);
    await tamper();
    expect(await spots()).toBeGreaterThan(1_000_000);
    expect((await checkBooks(database.db)).differences.filter(isOfWeeks)).toEqual([
      expect.stringMatching(/^games in the week of 2026-11-02: kept {.*1000000.*, counted {/),
    ]);
    // By a clock that is in it, it is not over.
    const now = new Date("2026-11-06T12:00:00Z");
    const during = await countGames(database.db, { ...question, weeks: weeksUntil(now, 1), now });
    expect(during![0]!.spots).toBeLessThan(1_000_000);
    await run(GAME);
    expect(await spots()).toBeLessThan(1_000_000);
  });

  test("by the rules of another release is counted again", async () => {
    await keep();
    await tamper();
    await run("update weekly_metrics set rules = 'of another release'");
    expect(await spots()).toBeLessThan(1_000_000);
    await keep();
    await run("delete from weekly_metrics where rules = 'of another release'");
    expect(await readAll(database.db)).toEqual(await readPlain());
  });

  test("is counted again after a change that commits while it is kept", async () => {
    await keep();
    const before = await spots();
    const tx = await database.db.startTransaction().execute();
    await sql.raw(GAME).execute(tx);
    await keep();
    expect(await spots()).toBe(before);
    await tx.commit().execute();
    expect(await spots()).toBe(before + 1);
    await keep();
    expect(await spots()).toBe(before + 1);
    const { rows } = await sql`select from week_changes`.execute(database.db);
    expect(rows).toEqual([]);
  });

  test("lets games of one week change at once", async () => {
    await keep();
    const first = await database.db.startTransaction().execute();
    await sql.raw(GAME).execute(first);
    // It would wait for the first for ever.
    await run("update games set max_players = max_players + 1 where title = 'Neighbour'");
    await first.commit().execute();
    await keep();
    expect(await readAll(database.db)).toEqual(await readPlain());
  });
});

const isOfWeeks = (line: string) => line.includes(" in the week of ");
