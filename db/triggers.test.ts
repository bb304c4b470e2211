import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { planColumns } from "#app/features/games/plan.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { addPack, DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aVenue } from "#test/fixtures.ts";

const database = useDatabase();
const run = async (text: string) => (await database.pool.query(text)).rows;

const LATER = "'2030-01-01'";

/** For each table that counts versions: its columns, each with a value that is new to its row. */
const CHANGES: Record<string, Record<string, string>> = {
  games: {
    title: "'Cup'",
    description: "'Bring a white shirt'",
    sport: "'Football'",
    date: LATER,
    start_time: "'06:15'",
    end_time: "'06:45'",
    status: "'Cancelled'",
    max_players: "7",
    game_format: "'7v7'",
    is_outdoor: "true",
    venue_id: "(select id from venues where name = 'Elsewhere')",
    price_eur: "12",
    is_first_session_free: "true",
    level: "'Relaxed'",
    player_notes: "'Ring twice'",
    min_players: "1",
    decides_hours: "5",
  },
  venues: {
    name: "'Hall'",
    city: "'Turku'",
    address: "'Street 7'",
    description: "'Bring a lock'",
    maps_url: "'https://maps.example'",
    website: "'https://hall.example'",
    photo_urls: "'{/photo.webp}'",
    photo_alts: "'{A hall}'",
    is_hidden: "true",
    player_notes: "'Ring twice'",
    created_at: LATER,
  },
  credit_packs: {
    pack_key: "'other'",
    pack_name: "'Other'",
    price_eur: "12",
    total_credit_eur: "13",
    is_active: "false",
    awaits_link: "true",
    stripe_checkout_link: "'https://buy.example'",
    stripe_payment_link_id: "'plink_7'",
    stripe_price_id: "'price_7'",
    created_at: LATER,
  },
  partners: {
    name: "'Café'",
    logo_url: "'/logo.svg'",
    website_url: "'https://cafe.example'",
    is_active: "false",
    sort_order: "7",
    created_at: LATER,
  },
  legal_pages: {
    title: "'Rules'",
    content: "'Be kind'",
    updated_at: LATER,
    saved_by: "(select id from users limit 1)",
  },
  coming_legal_pages: {
    title: "'Rules'",
    content: "'Be kind'",
    holds_from: "'2027-01-01'",
    saved_by: "(select id from users limit 1)",
    saved_at: LATER,
  },
};
const NOT_EDITED = ["id", "page_type", "version", "changed_at"];
/** Set by bookings, once for good, by a decision, after the game, or computed from other columns. */
const NO_PLAN = [
  ...[
    "seats_taken",
    "keeps_result",
    "spots_held",
    "revision",
    "waitlist_version",
    "series_id",
    "created_at",
    "starts_at",
    "ends_at",
  ],
  ...["decides_at", "decision", "decided_at", "decision_warned_at"],
];

const columnsOf = async (table: string) =>
  (
    await run(`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = '${table}'`)
  ).map(({ name }) => name);

describe("versions", () => {
  let gameId: string;
  beforeAll(async () => {
    await ada(database.db);
    await aVenue(database.db, { name: "Elsewhere" });
    gameId = await aGame(database.db, { venue_id: await aVenue(database.db) });
    await addPack(database.db, DEFAULT_PACKS[0]!);
    await run(`insert into partners default values;
      insert into legal_pages (page_type, title, content) values ('terms', 'Terms', '');
      insert into coming_legal_pages (page_type, title, content, holds_from, saved_at)
        values ('terms', 'Terms', '', '2026-12-24', now())`);
  });

  const EACH = Object.entries(CHANGES).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, value]) => ({ table, column, value })),
  );
  test.each(EACH)("in $table a change of $column alone counts once", async (change) => {
    const client = await database.pool.connect();
    const save = async () => {
      const text = `update ${change.table} set ${change.column} = ${change.value} returning version`;
      return (await client.query(text)).rows[0].version;
    };
    try {
      await client.query("begin");
      expect([await save(), await save()]).toEqual([2, 2]);
    } finally {
      client.release(true);
    }
  });

  test("every table that counts them is listed with all of its columns", async () => {
    const tables = await run(`select tgrelid::regclass::text as name from pg_trigger
      where tgfoid = 'count_version'::regproc`);
    expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(CHANGES).toSorted());
    for (const [table, columns] of Object.entries(CHANGES)) {
      const others = [...NOT_EDITED, ...(table === "games" ? NO_PLAN : [])];
      const edited = (await columnsOf(table)).filter((name) => !others.includes(name));
      expect(Object.keys(columns).toSorted()).toEqual(edited.toSorted());
    }
    const game = await findPlannedGame(database.db, gameId);
    expect(Object.keys(CHANGES.games!)).toEqual(
      expect.arrayContaining(Object.keys(planColumns(game!.plan))),
    );
  });

  test("a seat, a series or a creation time is no edit of a game", async () => {
    const game = await run(`update games set seats_taken = 1, series_id = gen_random_uuid(),
      created_at = ${LATER} returning version, revision`);
    expect(game).toEqual([{ version: 1, revision: 1 }]);
    const same = await run("update games set title = title returning revision");
    expect(same).toEqual([{ revision: 1 }]);
  });
});

describe("a deleted account", () => {
  beforeAll(async () => {
    await ada(database.db);
    await run("update profiles set deleted_at = now()");
  });

  const NOT_ERASED = [
    "user_id",
    "created_at",
    "had_free_session",
    "wallet_balance_eur",
    "wallet_debt_eur",
  ];
  const GENERATED = ["search_words", "sort_name"];
  const PERSONAL: Record<string, string> = {
    first_name: "'Ada'",
    last_name: "'Player'",
    date_of_birth: LATER,
    email: "'ada@uni.example'",
    school_year: "'Master'",
    major: "'Physics'",
    phone: "'0401234567'",
    sports_interests: "'{Futsal}'",
    join_message_posted: "true",
    is_down_to_play: "true",
    position: "'GK'",
    nationality: "'Finland'",
    nationality_code: "'FI'",
    profile_picture_url: "'/files/a.webp'",
    deleted_at: "null",
  };

  test.each(Object.entries(PERSONAL))("gets no %s back", async (column, value) => {
    await expect(run(`update profiles set ${column} = ${value}`)).rejects.toThrow(
      "this account is deleted",
    );
  });

  test("is protected after the update, since a trigger before it has search words computed again", async () => {
    const before = await run(`select tgname from pg_trigger where tgrelid = 'profiles'::regclass
      and tgtype & 19 = 19`);
    expect(before).toEqual([]);
  });

  test("is protected in every column that is about the person", async () => {
    const personal = (await columnsOf("profiles")).filter(
      (name) => ![...NOT_ERASED, ...GENERATED].includes(name),
    );
    expect(Object.keys(PERSONAL).toSorted()).toEqual(personal.toSorted());
  });

  test.each([
    ["user_id", "gen_random_uuid()"],
    ["type", "'topup'"],
    ["amount_eur", "6"],
    ["status", "'failed'"],
    ["notes", "'Other text'"],
    ["notes", "null, amount_eur = 6"],
    ["booking_id", "gen_random_uuid()"],
    ["business_key", "'grant:2'"],
    ["created_at", LATER],
  ])("has ledger entries whose %s cannot become %s", async (column, value) => {
    await expect(run(`update wallet_transactions set ${column} = ${value}`)).rejects.toThrow(
      "append-only",
    );
  });

  test("has ledger entries whose notes can be removed", async () => {
    const [entry] = await run("update wallet_transactions set notes = null returning amount_eur");
    expect(entry).toEqual({ amount_eur: "100.00" });
  });
});

test("docs/scale.md counts tables, triggers and deferred keys as there are", async () => {
  const text = readFileSync(path.join(projectRoot, "docs/scale.md"), "utf8");
  const words = ["no", "one", "two", "three", "four", "five"];
  const numberIn = (pattern: RegExp) => {
    const [, number = ""] = pattern.exec(text) ?? [];
    return words.includes(number) ? words.indexOf(number) : Number(number);
  };
  const count = async (what: string) => (await run(`select count(*)::int as n from ${what}`))[0].n;
  const trigger = "pg_trigger where not tgisinternal and tgrelid in (select oid from ours)";
  const key = "pg_constraint where conrelid in (select oid from ours)";
  const ours = `pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    and relname <> 'schema_migrations'`;
  const among = (from: string) => from.replace("ours", ours);
  expect({
    tables: numberIn(/in each of the (\d+) tables/),
    rowTriggers: numberIn(/\| (\d+) row triggers/),
    statementTriggers: numberIn(/\| (\w+) statement triggers/),
    deferredForeignKeys: numberIn(/\| (\w+) deferred foreign keys/),
    deferrableUniqueKeys: numberIn(/\| (\w+) deferrable unique key/),
  }).toEqual({
    tables: await count(ours),
    rowTriggers: await count(among(`${trigger} and tgtype & 1 = 1`)),
    statementTriggers: await count(among(`${trigger} and tgtype & 1 = 0`)),
    deferredForeignKeys: await count(among(`${key} and contype = 'f' and condeferred`)),
    deferrableUniqueKeys: await count(among(`${key} and contype = 'u' and condeferrable`)),
  });
});
