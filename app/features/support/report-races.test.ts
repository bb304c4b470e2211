import { randomUUID } from "node:crypto";
import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";
import { memberOf, messagesOf, say } from "#test/chat.ts";
import { useErasure } from "#test/erasure.ts";
import { aGame, NOW } from "#test/fixtures.ts";
import { untilWaiting } from "#test/lock-order.ts";
import { blockAuthor } from "#app/features/chat/blocks.server.ts";
import { purgeChats } from "#app/features/chat/messages.server.ts";
import { lockWallets } from "#app/features/wallet/ledger.server.ts";
import { reportMessage } from "./report-message.server.ts";
import { deleteTickets } from "./tickets.server.ts";

const erasure = useErasure();
const { database } = erasure;

/** Leaves the profiles to the foreign keys, which lock them as they come. For negative controls only. */
const withoutProfileLocks: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== "SelectQueryNode" || !node.endModifiers) return node;
    if (!JSON.stringify(node.from).includes("profiles")) return node;
    const { endModifiers: _, ...rest } = node;
    return rest;
  },
  transformResult: async ({ result }) => result,
};
const dbWith = (plugins: KyselyPlugin[]) =>
  plugins.reduce((plain, plugin) => plain.withPlugin(plugin), database.db);

/** Runs the first until its row is about to be stored, the second until it waits or ends, then both. */
async function race(table: string, first: () => Promise<unknown>, second: () => Promise<unknown>) {
  await database.pool.query(
    `create or replace function wait_for_test() returns trigger language plpgsql as $$
       begin perform pg_advisory_xact_lock(4711); return new; end $$;
     create trigger zz_wait_for_test before insert on ${table}
       for each row execute function wait_for_test()`,
  );
  const holder = await database.pool.connect();
  try {
    await holder.query("select pg_advisory_lock(4711)");
    const running = [first().then(outcome, failure)];
    await untilWaiting(database.db, 1);
    running.push(second().then(outcome, failure));
    await Promise.race([running[1], untilWaiting(database.db, 2)]);
    await holder.query("select pg_advisory_unlock(4711)");
    return await Promise.all(running);
  } finally {
    holder.release(true);
    await database.pool.query(`drop trigger zz_wait_for_test on ${table}`);
  }
}
const outcome = () => "done";
const failure = (error: { code?: string }) => error.code;
const DEADLOCK = "40P01";

async function aMessage(userId: string, gameId: string) {
  const messageId = randomUUID();
  expect(await say(database.db, { gameId, userId }, { messageId })).toEqual({ ok: true });
  return messageId;
}

describe("a report of a message whose author deletes the account", () => {
  const raceDeletion = async (...plugins: KyselyPlugin[]) => {
    const { db, jobs } = database;
    const author = await erasure.player({ credits: 0 });
    const gameId = await aGame(db);
    const seat = { user_id: author.userId, game_id: gameId, payment_status: "Paid" as const };
    await db.insertInto("bookings").values(seat).execute();
    const { userId } = await memberOf(database, gameId, "Bo");
    const messageId = await aMessage(author.userId, gameId);
    const report = { gameId, messageId, userId, now: NOW };
    const outcomes = await race(
      "support_messages",
      () => reportMessage(dbWith(plugins), jobs, report),
      () => erasure.remove(author, { deleteTickets }),
    );
    const left = db.selectFrom("support_messages").select("id");
    return { outcomes, left: await left.where("reported_user_id", "=", author.userId).execute() };
  };

  test("is stored, and goes with the account", async () => {
    expect(await raceDeletion()).toEqual({ outcomes: ["done", "done"], left: [] });
  });

  test("would outlive the account, without the lock of both profiles", async () => {
    expect((await raceDeletion(withoutProfileLocks)).left).toHaveLength(1);
  });
});

describe("a block while the wallets of both are locked", () => {
  const raceWallets = async (...plugins: KyselyPlugin[]) => {
    const { db } = database;
    const gameId = await aGame(db);
    const members = [await memberOf(database, gameId, "Aino"), await memberOf(database, gameId)];
    const [a = "", b = ""] = members.map(({ userId }) => userId).toSorted();
    const block = { gameId, messageId: await aMessage(a, gameId), userId: b, now: NOW };
    return race(
      "player_blocks",
      () => blockAuthor(dbWith(plugins), block),
      () => db.transaction().execute((tx) => lockWallets(tx, [a, b])),
    );
  };

  test("waits for them, or they for it", async () => {
    expect(await raceWallets()).toEqual(["done", "done"]);
  });

  test("would end one of the two, without the lock of both profiles", async () => {
    expect(await raceWallets(withoutProfileLocks)).toContain(DEADLOCK);
  });
});

test("a chat that is purged while a message of it is reported keeps that one until tomorrow", async () => {
  const { db, jobs } = database;
  const gameId = await aGame(db);
  const [author, reporter] = [await memberOf(database, gameId), await memberOf(database, gameId)];
  const messageId = await aMessage(author.userId, gameId);
  const report = { gameId, messageId, userId: reporter.userId, now: NOW };
  const muchLater = new Date("2027-06-01T00:00:00Z");
  let purged: string[] = [];
  const purge = async () => {
    await purgeChats(db, muchLater);
    purged = (await messagesOf(db, gameId)).map(({ id }) => id);
  };
  expect(await race("support_messages", () => reportMessage(db, jobs, report), purge)).toEqual([
    ...["done", "done"],
  ]);
  expect(purged).toEqual([messageId]);
  await purgeChats(db, muchLater);
  expect(await messagesOf(db, gameId)).toEqual([]);
});
