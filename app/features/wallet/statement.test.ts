import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, balanceCents, ben, hoursLater, NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import type { Schema } from "#app/platform/schema.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { correctBalance } from "./correct-balance.server.ts";
import { type Entry, listEntries } from "./statement.server.ts";
import { topUp } from "./ledger.server.ts";
import { isLong } from "#test/long.ts";

// A tenth of them has the same plans.
const LARGE = isLong ? 100_000 : 10_000;
const database = useDatabase();

const listAll = (userId: string) => listEntries(database.db, { userId, limit: 1_000 });
const grant = (userId: string, amountCents: number, key = crypto.randomUUID()) =>
  correctBalance(database.db, database.jobs, {
    userId,
    amountCents,
    reason: "Sorry",
    actor: "test",
    key,
  });

async function join(userId: string, startsIn: number) {
  const gameId = await aGame(database.db, { startsIn });
  const result = await joinGame(database.db, database.jobs, { gameId, playerId: userId, now: NOW });
  if (!result.ok) throw new Error(result.reason);
  return { gameId, bookingId: result.bookingId };
}

/** So many entries in one statement, without moving lots or the balance. */
function manyEntries(userIds: string[], each: number) {
  return database.pool.query(
    `insert into wallet_transactions (user_id, type, amount_eur, business_key)
     select player, case when n % 3 = 0 then 'deduction' else 'topup' end,
       case when n % 3 = 0 then -10 else 10.01 end, 'many:' || player || ':' || n
     from generate_series(1, $2) n, unnest($1::uuid[]) player`,
    [userIds, each],
  );
}

function manyBookings(userIds: string[], gameId: string, count: number) {
  return database.pool.query(
    `insert into bookings (user_id, game_id, payment_status)
     select ($1::uuid[])[1 + n % cardinality($1::uuid[])], $2, 'Cancelled'
     from generate_series(1, $3) n`,
    [userIds, gameId, count],
  );
}

// spec: 7.22
test("newest first, each with what the wallet held after it, and with its game", async () => {
  const userId = await ben(database.db);
  await topUp(database.db, { userId, amountCents: 3_000, key: `statement-${userId}` });
  await grant(userId, 250);
  const { gameId, bookingId } = await join(userId, 48);
  await cancelBooking(database.db, database.jobs, {
    bookingId,
    playerId: userId,
    reason: "",
    now: NOW,
  });
  await grant(userId, -1);
  const entries = await listAll(userId);
  const time = { date: "2026-11-23", startTime: "12:00:00" };
  const game = { id: gameId, venueName: "Campus Hall", ...time };
  expect(entries).toMatchObject([
    line("adjustment", "Sorry", -1, 3_150),
    line("refund", "Cancelled a game", 901, 3_151, game),
    line("deduction", "Joined a game", -1_000, 2_250, game),
    line("adjustment", "Sorry", 250, 3_250),
    line("topup", "Credit Top-up", 3_000, 3_000),
  ]);
  expect(entries[0]?.balanceCents).toBe(await balanceCents(database.db, userId));
  expect(entries.every(({ at }) => at instanceof Date)).toBe(true);
});

function line(
  type: Entry["type"],
  note: string,
  amountCents: number,
  balance: number,
  game: Entry["game"] = null,
) {
  return { type, note, amountCents, balanceCents: balance, expiresAt: null, game };
}

test("credits that expire say when", async () => {
  const userId = await ben(database.db);
  await grant(userId, 1_000);
  const { rows } = await database.pool.query<{ transaction_id: string }>(
    "update credit_lots set expires_at = $2 where user_id = $1 returning transaction_id",
    [userId, hoursLater(24)],
  );
  expect(rows).toHaveLength(1);
  expect((await listAll(userId))[0]?.expiresAt).toEqual(hoursLater(24));
});

describe("of a thousand movements", () => {
  test("every running balance is the ledger's sum so far, on whatever page it stands", async () => {
    const [userId, other] = [await ben(database.db), await ben(database.db)];
    await manyEntries([userId, other], 1_000);
    const { rows } = await database.pool.query<{ seq: number; amount_eur: string }>(
      "select seq, amount_eur from wallet_transactions where user_id = $1 order by seq",
      [userId],
    );
    let sum = 0;
    const right = rows.map(({ seq, amount_eur }) => {
      sum += centsFromNumeric(amount_eur);
      return [seq, sum];
    });
    const listed: number[][] = [];
    let before: number | undefined;
    for (;;) {
      const page = await listEntries(database.db, { userId, before, limit: 49 });
      if (page.length === 0) break;
      listed.push(...page.map(({ seq, balanceCents: cents }) => [seq, cents]));
      before = page.at(-1)!.seq;
    }
    expect(listed).toEqual(right.toReversed());
  });

  test("entries that come meanwhile move no later page", async () => {
    const userId = await ben(database.db);
    await manyEntries([userId], 100);
    const first = await listEntries(database.db, { userId, limit: 50 });
    await grant(userId, 500);
    const second = await listEntries(database.db, { userId, before: first.at(-1)!.seq, limit: 50 });
    expect(new Set([...first, ...second].map(({ seq }) => seq)).size).toBe(100);
    expect(second.at(-1)?.balanceCents).toBe(1_001);
  });
});

test("what is not completed is neither shown nor counted", async () => {
  const userId = await ada(database.db);
  await database.pool.query(
    `insert into wallet_transactions (user_id, type, amount_eur, status, business_key)
     select $1::uuid, 'topup', 5, status, $1 || status from unnest('{pending,failed}'::text[]) status`,
    [userId],
  );
  await grant(userId, 100);
  const entries = await listAll(userId);
  expect(entries.map(({ balanceCents: cents }) => cents)).toEqual([10_100, 10_000]);
});

test("entries are the player's own, and an empty wallet has none", async () => {
  const [one, other, third] = [
    await ada(database.db),
    await ada(database.db),
    await ben(database.db),
  ];
  await join(one, 48);
  const theirs = new Set((await listAll(other)).map(({ seq }) => seq));
  const own = await listAll(one);
  expect(own).toHaveLength(2);
  expect(own.some(({ seq }) => theirs.has(seq))).toBe(false);
  expect(await listAll(third)).toEqual([]);
  expect(await listEntries(database.db, { userId: one, before: 1, limit: 50 })).toEqual([]);
});

describe(`among ${LARGE} entries`, () => {
  let players: string[];
  beforeAll(async () => {
    players = await Promise.all(Array.from({ length: 10 }, () => aPlayer(database.db)));
    await manyBookings(players, await aGame(database.db), LARGE * 0.3);
    await manyEntries(players, LARGE / 10);
    await database.pool.query("analyze");
  });

  test("a page from the middle is one statement", async () => {
    const userId = players[4]!;
    const entries = await listEntries(database.db, { userId, limit: LARGE / 10 });
    const { seq: before } = entries[LARGE / 20]!;
    const { result, statements } = await overheard((db) =>
      listEntries(db, { userId, before, limit: 51 }),
    );
    expect(result).toEqual(entries.slice(LARGE / 20 + 1, LARGE / 20 + 52));
    expect(statements).toHaveLength(1);
  });

  test.each(["force_custom_plan", "force_generic_plan"])(
    "the player's entries are found by their index: %s",
    async (mode) => {
      const { statements } = await overheard((db) =>
        listEntries(db, { userId: players[4]!, before: LARGE * 0.6, limit: 51 }),
      );
      const plan = await planOf(mode, statements[0]!);
      expect(plan).not.toMatch(/Seq Scan on (wallet_transactions|bookings)/);
      expect(plan).toContain("wallet_transactions_user");
      // The earlier entries are summed once, not for every row.
      expect(plan).toContain("CTE earlier");
    },
  );
});

interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

async function overheard<T>(read: (db: Db) => Promise<T>) {
  const statements: Statement[] = [];
  const dialect = new PostgresDialect({ pool: database.pool });
  const db = new Kysely<Schema>({ dialect, log: ({ query }) => void statements.push(query) });
  return { result: await read(db), statements };
}

async function planOf(mode: string, { sql, parameters }: Statement): Promise<string> {
  const client = await database.pool.connect();
  try {
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query(`prepare page as ${sql}`);
    const values = parameters.map((value) => pg.escapeLiteral(String(value))).join(", ");
    const { rows } = await client.query(`explain execute page(${values})`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  } finally {
    client.release(true);
  }
}
