import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { aGame, ben, bookingsOf, NOW, somePlayers } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { editGame } from "./edit-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase(40);
withoutTimeouts(database);
const CROWD = 12;

/**
 * A crowd joins while an organiser makes the game smaller: what the edit answered, or the name of
 * the constraint that answered instead of it.
 */
async function round(editor: Db): Promise<{ gameId: string; result: string }> {
  const gameId = await aGame(database.db, { spots: CROWD });
  const players = await somePlayers(database.db, CROWD, 10);
  const { plan, version } = (await findPlannedGame(database.db, gameId))!;
  const actorId = await ben(database.db);
  const joins = players.map((playerId) =>
    joinGame(database.db, database.jobs, { gameId, playerId, now: NOW }),
  );
  const [result] = await Promise.all([
    editGame(editor, database.jobs, {
      ...{ gameId, actorId, version, plan: { ...plan, maxPlayers: CROWD / 2 }, now: NOW },
      ...{ withFollowing: false, confirmed: true },
    }).then(
      (edited) => (edited.ok ? "saved" : edited.reason),
      (error: { constraint?: string }) => error.constraint ?? String(error),
    ),
    ...joins,
  ]);
  return { gameId, result };
}

test("a game made smaller while players join is never overbooked", async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    const { gameId, result } = await round(database.db);
    expect(["saved", "too-few-seats"]).toContain(result);
    const { plan, joinedCount } = (await findPlannedGame(database.db, gameId))!;
    expect(joinedCount).toBeLessThanOrEqual(plan.maxPlayers);
    // Players who were in when it was saved got an email; those who joined afterwards knew.
    const terms = (await bookingsOf(database.db, gameId)).map(({ refund_hours: hours }) => hours);
    const mails = await database.pool.query(
      "select count(*)::int as n from pgboss.job where name = 'mail.send' and data->>'kind' = 'game-changed' and " +
        "data->>'bookingId' in (select id::text from bookings where game_id = $1)",
      [gameId],
    );
    expect(mails.rows[0].n).toBe(terms.filter((hours) => hours === 0).length);
  }
  expect((await checkBooks(database.db)).differences).toEqual([]);
});

test("without the lock the constraint throws", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let turn = 0; turn < 200; turn += 1) {
    const { result } = await round(unlocked);
    if (result === "games_seats_within_capacity") return;
  }
  expect.fail("the edit answered by itself in 200 rounds without its lock");
});
