import { randomUUID } from "node:crypto";
import type { KyselyPlugin } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { balanceCents, ben, everything, NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { aPlayedGame, playedGames } from "#test/games.ts";
import { claimReward, findProgress } from "./rewards.server.ts";

const database = useDatabase(40);
withoutTimeouts(database);
let playerId: string;
beforeEach(async () => {
  playerId = await ben(database.db);
});

const claim = (now = NOW, db: Db = database.db) => claimReward(db, { playerId, now });
const entries = () =>
  database.db
    .selectFrom("wallet_transactions")
    .select(["type", "amount_eur", "status", "business_key"])
    .where("user_id", "=", playerId)
    .execute();

describe("the reward", () => {
  afterEach(() => expectRightBooks(database));

  // spec: 1.10, 3.28, 4.29, 7.21, 7.28, 7.33, 7.37, 9.14
  test("five games earn ten credits that never expire", async () => {
    await playedGames(database.db, playerId, 5);
    expect(await claim()).toEqual({ ok: true });
    expect(await balanceCents(database.db, playerId)).toBe(1_000);
    const business_key = `reward:${playerId}:2026-11`;
    expect(await entries()).toEqual([
      { type: "credit", amount_eur: "10.00", status: "completed", business_key },
    ]);
    const lots = database.db.selectFrom("credit_lots").select(["source", "expires_at"]);
    expect(await lots.where("user_id", "=", playerId).execute()).toEqual([
      { source: "reward", expires_at: null },
    ]);
    const months = database.db.selectFrom("monthly_game_progress").selectAll();
    expect(await months.where("user_id", "=", playerId).execute()).toEqual([
      {
        ...{ user_id: playerId, month_year: "2026-11", games_completed: 5, reward_claimed: true },
        claim_form_key: null,
      },
    ]);
  });

  test("a repeated form gets its result, another form is too late", async () => {
    await playedGames(database.db, playerId, 5);
    const send = (formKey: string) => claimReward(database.db, { playerId, formKey, now: NOW });
    const formKey = randomUUID();
    expect(await send(formKey)).toEqual({ ok: true });
    const before = await everything(database.db);
    expect(await send(formKey)).toEqual({ ok: true });
    expect(await send(randomUUID())).toEqual({ ok: false, reason: "already-claimed" });
    expect(await everything(database.db)).toEqual(before);
  });

  test("four games earn nothing, and nothing is written", async () => {
    await playedGames(database.db, playerId, 4);
    const before = await everything(database.db);
    expect(await claim()).toEqual({ ok: false, reason: "not-earned", gamesMissing: 1 });
    expect(await everything(database.db)).toEqual(before);
  });

  test("once a month, also when the games are gone again", async () => {
    const games = await playedGames(database.db, playerId, 5);
    await claim();
    const alreadyClaimed = { ok: false, reason: "already-claimed" };
    expect(await claim()).toEqual(alreadyClaimed);
    await database.pool.query("update games set status = 'Cancelled' where id = any($1)", [games]);
    expect(await claim()).toEqual(alreadyClaimed);
    expect(await balanceCents(database.db, playerId)).toBe(1_000);
  });

  // spec: 4.33
  test("the next month is a challenge of its own", async () => {
    await playedGames(database.db, playerId, 5);
    await claim();
    const december = new Date("2026-12-20T12:00:00Z");
    expect(await claim(december)).toMatchObject({ reason: "not-earned", gamesMissing: 5 });
    for (let n = 0; n < 5; n += 1) await aPlayedGame(database.db, { playerId, endedAt: december });
    expect(await claim(december)).toEqual({ ok: true });
    expect(await balanceCents(database.db, playerId)).toBe(2_000);
  });

  test("a month that is over can no longer be claimed", async () => {
    await playedGames(database.db, playerId, 5);
    expect(await claim(new Date("2026-11-30T21:59:59Z"))).toEqual({ ok: true });
    playerId = await ben(database.db);
    await playedGames(database.db, playerId, 5);
    const later = await claim(new Date("2026-11-30T22:00:00Z"));
    expect(later).toMatchObject({ reason: "not-earned" });
  });

  test("a progress row without a claim does not block the claim", async () => {
    await playedGames(database.db, playerId, 5);
    const row = { user_id: playerId, month_year: "2026-11", games_completed: 2 };
    await database.db.insertInto("monthly_game_progress").values(row).execute();
    expect(await claim()).toEqual({ ok: true });
    expect(await findProgress(database.db, { playerId, now: NOW })).toMatchObject({
      isClaimed: true,
    });
  });

  // spec: 7.37
  test("fifty claims at once: one is paid, each of five times", async () => {
    for (let round = 0; round < 5; round += 1) {
      playerId = await ben(database.db);
      await playedGames(database.db, playerId, 5);
      const results = await Promise.all(Array.from({ length: 50 }, () => claim()));
      expect(results.filter(({ ok }) => ok)).toHaveLength(1);
      const alreadyClaimed = results.filter(
        (result) => !result.ok && result.reason === "already-claimed",
      );
      expect(alreadyClaimed).toHaveLength(49);
      expect(await balanceCents(database.db, playerId)).toBe(1_000);
    }
  });
});

/** Takes the condition out of the claim's write. For the negative control only. */
const withoutCondition: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== "InsertQueryNode" || !node.onConflict?.updateWhere) return node;
    const { updateWhere: _, ...onConflict } = node.onConflict;
    return { ...node, onConflict };
  },
  transformResult: async ({ result }) => result,
};

// What the crowd of fifty proves has to break without the guard, otherwise it would prove nothing.
describe("without its guards", () => {
  const crowd = async (db: Db) => {
    await playedGames(database.db, playerId, 5);
    const claims = Array.from({ length: 50 }, () => claim(NOW, db));
    return Promise.allSettled(claims);
  };

  test("without the write's condition the ledger's key still prevents a second claim", async () => {
    const results = await crowd(database.db.withPlugin(withoutCondition));
    const failed = results.filter(({ status }) => status === "rejected");
    expect(failed).toHaveLength(49);
    expect(String((failed[0] as PromiseRejectedResult).reason)).toContain("business_key");
    expect(await balanceCents(database.db, playerId)).toBe(1_000);
  });

  test("without the key too, every claim is paid", async () => {
    const { pool } = database;
    const key = "wallet_transactions_business_key_key";
    await pool.query(`alter table wallet_transactions drop constraint ${key}`);
    const unguarded = database.db.withPlugin(withoutCondition).withPlugin(withoutLocks);
    await crowd(unguarded);
    expect(await balanceCents(database.db, playerId)).toBeGreaterThan(1_000);
  });
});
