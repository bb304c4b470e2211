import { describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, ada, balanceCents, bookingsOf, NOW, somePlayers } from "#test/fixtures.ts";
import { isLong } from "#test/long.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { planOf } from "#app/features/games/plan.ts";
import { gameFacts } from "#app/features/games/shown-game.ts";
import type { Facts } from "#app/platform/as-shown.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { joinGame } from "./join-game.server.ts";

const database = useDatabase(60);

/** All press Join on the page of before while the organiser moves the game; who got in, by kick-off. */
async function race(playerIds: string[], carried: (page: Facts) => { shown?: Facts }) {
  const { db, jobs } = database;
  const gameId = await aGame(db, { spots: playerIds.length });
  const page = gameFacts((await findGame(db, gameId, NOW))!);
  const stored = db.selectFrom("games").selectAll().where("id", "=", gameId);
  const row = await stored.executeTakeFirstOrThrow();
  const plan = { ...planOf(row), date: "2026-11-21", startTime: "22:00", endTime: "23:30" };
  const edit = { gameId, actorId: await ada(db), version: row.version, plan };
  const join = (playerId: string) =>
    joinGame(db, jobs, { gameId, playerId, now: NOW, ...carried(page) });
  const half = playerIds.length / 2;
  const [first, edited, second] = await Promise.all([
    Promise.all(playerIds.slice(0, half).map(join)),
    editGame(db, jobs, { ...edit, withFollowing: false, confirmed: true, now: NOW }),
    Promise.all(playerIds.slice(half).map(join)),
  ]);
  expect(edited).toMatchObject({ ok: true });
  const bookings = await bookingsOf(db, gameId);
  // Players who were in before the move may leave for the full price: such terms are waived.
  const unseen = bookings.filter(({ refund_hours }) => refund_hours > 0);
  return { results: [...first, ...second], bookings, unseen };
}

describe("fifty press Join while the organiser moves the game", () => {
  const ROUNDS = isLong ? 10 : 2;

  test("nobody is charged for a kick-off that their page has not shown", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const playerIds = await somePlayers(database.db, 50, 10);
      const { results, bookings, unseen } = await race(playerIds, (shown) => ({ shown }));
      expect(unseen).toEqual([]);
      const rejected = results.filter(({ ok }) => !ok);
      expect(rejected.length + bookings.length).toBe(50);
      for (const result of rejected) expect(result).toMatchObject({ reason: "changed" });
      const paid = new Set(bookings.map(({ user_id }) => user_id));
      for (const id of playerIds) {
        expect(await balanceCents(database.db, id)).toBe(paid.has(id) ? 0 : 1_000);
      }
    }
  });

  test("without what the page has shown some are charged for the moved game", async () => {
    let unseen = 0;
    for (let round = 0; round < 20 && unseen === 0; round += 1) {
      const playerIds = await somePlayers(database.db, 50, 10);
      unseen = (await race(playerIds, () => ({}))).unseen.length;
    }
    expect(unseen).toBeGreaterThan(0);
  });
});
