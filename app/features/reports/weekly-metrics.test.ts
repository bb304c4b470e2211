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
import { A_GAME, A_PLAYER, CHANGES, ENTRY, STEPS } from "#test/weekly-changes.ts";
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
    { numRuns: isLong ? 300 : 8, endOnFailure: true },
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
