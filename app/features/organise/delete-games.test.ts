import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase, watchQueries } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { untilBlocked } from "#test/lock-order.ts";
import { ada, aGame, aVenue, ben, everything, NOW } from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import { deleteGames, listToDelete } from "./delete-games.server.ts";

const database = useDatabase(20);
withoutTimeouts(database);
let actorId = "";
beforeAll(async () => {
  actorId = await ben(database.db);
});

const removeGames = (gameIds: string[], formKey = crypto.randomUUID(), db: Db = database.db) =>
  deleteGames(db, { gameIds, actorId, formKey, now: NOW });
const join = async (gameId: string) => {
  const playerId = await ada(database.db);
  const result = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  return { ...result, playerId };
};
const isThere = async (gameId: string) => {
  const games = database.db.selectFrom("games").select("id").where("id", "=", gameId);
  return (await games.executeTakeFirst()) !== undefined;
};

test.each(["Draft", "Published", "Cancelled"] as const)(
  "a game (%s) that nobody ever joined is deleted, once, and the log keeps what it was",
  async (status) => {
    const gameId = await aGame(database.db, { status });
    const formKey = crypto.randomUUID();
    for (let n = 0; n < 2; n += 1) {
      expect(await removeGames([gameId], formKey)).toEqual({ ok: true, games: 1 });
    }
    expect(await isThere(gameId)).toBe(false);
    const entries = database.db.selectFrom("audit_log").select(["actor", "action", "details"]);
    expect(await entries.where("subject", "=", gameId).execute()).toMatchObject([
      { actor: actorId, action: "game.delete", details: { before: { title: "Indoor futsal" } } },
    ]);
    expect(await removeGames([gameId])).toEqual({ ok: false, reason: "not-found" });
  },
);

describe("is kept, with all that the form names", () => {
  const joinedBefore = async (gameId: string) => {
    const { playerId, ...joined } = await join(gameId);
    if (!joined.ok) throw new Error(joined.reason);
    const { bookingId } = joined;
    await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
  };
  const SQL: Record<string, string> = {
    "was written about": `insert into game_messages (id, game_id, sent_by, subject, message, sent_at)
      values (gen_random_uuid(), $1, $2, 'Shirts', 'White', now())`,
    "has a message in its chat": `insert into chat_messages (game_id, number, user_id, body)
      values ($1, 1, $2, 'Hello')`,
    "has begun": `update games set date = '2026-11-20' where id = $1 and $2::uuid is not null`,
    "is completed": `update games set status = 'Completed' where id = $1 and $2::uuid is not null`,
  };

  test.each([
    "was joined",
    "was written about",
    "has a message in its chat",
    "has begun",
    "is completed",
  ])("a game that %s", async (how) => {
    const [gameId, other] = [await aGame(database.db), await aGame(database.db)];
    const statement = SQL[how];
    if (statement) await database.pool.query(statement, [gameId, actorId]);
    else await joinedBefore(gameId);
    const before = await everything(database.db);
    expect(await removeGames([other, gameId])).toEqual({ ok: false, reason: "used" });
    expect(await everything(database.db)).toEqual(before);
    const found = { gameId, withFollowing: false, now: NOW };
    expect(await listToDelete(database.db, found)).toEqual([]);
  });
});

test("of a series only this one and those after it that nobody joined are listed", async () => {
  const plan = aPlan(await aVenue(database.db));
  const wish = { plan, weeks: 4, status: "Published" as const, actorId, now: NOW };
  const made = await createGames(database.db, wish);
  const [, second = "", third = "", fourth = ""] = made.ok ? made.gameIds : [];
  await join(third);
  const scope = { gameId: second, withFollowing: true, now: NOW };
  const found = await listToDelete(database.db, scope);
  expect(found.map(({ id }) => id)).toEqual([second, fourth]);
  expect(await removeGames([second, fourth])).toEqual({ ok: true, games: 2 });
});

describe("a join at the same moment", () => {
  test("either has a game or finds none", async () => {
    for (let turn = 0; turn < 15; turn += 1) {
      const gameId = await aGame(database.db);
      const [joined, deleted] = await Promise.all([
        join(gameId).catch(() => ({ ok: false, reason: "error" })),
        removeGames([gameId]),
      ]);
      expect([
        [true, false],
        [false, true],
      ]).toContainEqual([joined.ok, deleted.ok]);
    }
  });

  test("without the lock the foreign key still holds, and the answer is the same", async () => {
    const gameId = await aGame(database.db);
    const deletes: string[] = [];
    const unlocked = watchQueries(database.db.withPlugin(withoutLocks), ({ kind }) => {
      if (kind === "DeleteQueryNode") deletes.push(kind);
    });
    const deleted = await database.db.transaction().execute(async (tx) => {
      const message = { id: crypto.randomUUID(), subject: "Shirts", message: "White" };
      const sent = { game_id: gameId, sent_by: actorId, sent_at: NOW, sent_to: 0 };
      await tx
        .insertInto("game_messages")
        .values({ ...message, ...sent })
        .execute();
      const removing = removeGames([gameId], undefined, unlocked);
      await untilBlocked(tx, database.db, removing);
      return { removing };
    });
    expect(await deleted.removing).toEqual({ ok: false, reason: "used" });
    expect(deletes).toHaveLength(1);
    expect(await isThere(gameId)).toBe(true);
  });
});
