import { afterEach, describe, expect, test } from "vitest";
import { listNextTickets } from "#app/features/bookings/bookings.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import {
  findGame,
  findNextFreeGame,
  listNextGames,
  listUpcomingGames,
} from "#app/features/games/games.server.ts";
import { heldNow } from "#app/features/games/held-spots.server.ts";
import { createLiveGames } from "#app/features/games/live-games.server.ts";
import { findVenue } from "#app/features/venues/venues.server.ts";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { heldCount, holdsOf, holdStatuses, promotionsOf } from "#test/holds.ts";
import { suspend, waitlistOf } from "#test/waitlist.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { listOtherGames } from "#app/features/organise/other-games.server.ts";

const database = useDatabase();
const holds = holdsOf(database);
const list = waitlistOf(database);
const OVER = hoursLater(0.5);

afterEach(() => expectRightBooks(database));

/** The last spot of a game, held for a friend. */
async function aHold(wish: Parameters<typeof aGame>[1] = {}) {
  const game = await holds.aGameWithAHost(wish);
  return { ...game, token: await holds.hold(game.gameId, game.host) };
}

describe("a held spot that is over, and not swept yet, is free", () => {
  const venue = async () => {
    const venueId = await aVenue(database.db);
    return { venueId, ...(await aHold({ venue_id: venueId, is_first_session_free: true })) };
  };
  type Held = Awaited<ReturnType<typeof venue>>;
  const spotsOf = (game?: { maxPlayers: number; joinedCount: number; heldCount: number } | null) =>
    game ? game.maxPlayers - game.joinedCount - game.heldCount : 0;
  const idIs = (gameId: string) => (game: { id: string }) => game.id === gameId;

  async function liveSpots(gameId: string, now: Date): Promise<number> {
    const live = createLiveGames(database.db, () => now);
    const update = await new Promise<string>((resolve) => {
      live.watch([gameId], { send: (_, data) => resolve(data) });
    });
    live.close();
    return JSON.parse(update).spots;
  }

  const READS: [string, (held: Held, now: Date) => Promise<number>][] = [
    [
      "the game's page",
      async ({ gameId }, now) => spotsOf(await findGame(database.db, gameId, now)),
    ],
    [
      "the list",
      async ({ gameId }, now) =>
        spotsOf((await listUpcomingGames(database.db, { now })).find(idIs(gameId))),
    ],
    [
      "the next games",
      async ({ gameId }, now) =>
        spotsOf((await listNextGames(database.db, { limit: 99, now })).find(idIs(gameId))),
    ],
    [
      "a venue",
      async ({ gameId, venueId }, now) => {
        const found = await findVenue(database.db, { venueId, now, held: heldNow(now) });
        return spotsOf(found!.upcomingGames.find(idIs(gameId)));
      },
    ],
    [
      "My Games",
      async ({ host: playerId }, now) =>
        spotsOf((await listNextTickets(database.db, { playerId, now }))[0]),
    ],
    ["the stream", ({ gameId }, now) => liveSpots(gameId, now)],
    [
      "other games",
      async ({ gameId }, now) => {
        const off = await aGame(database.db);
        const playerId = await aPlayer(database.db);
        const games = await listOtherGames(database.db, { gameId: off, playerId, now });
        return games.filter(idIs(gameId)).length;
      },
    ],
    [
      "the next free game",
      async ({ gameId }, now) => {
        await database.pool.query("update games set status = 'Draft' where id <> $1", [gameId]);
        return (await findNextFreeGame(database.db, now)) ? 1 : 0;
      },
    ],
  ];

  test.each(READS)("in %s", async (_, read) => {
    await database.pool.query("update games set status = 'Draft'");
    await database.pool.query("update friend_holds set status = 'Lapsed', ended_at = now()");
    const held = await venue();
    // Another game's, which must not be counted.
    const other = await aHold();
    await suspend(database.db, other.host);
    expect(await read(held, new Date(OVER.getTime() - 1))).toBe(0);
    expect(await read(held, OVER)).toBe(1);
    expect(await heldCount(database.db, held.gameId)).toBe(1);
  });
});

test("who would wait for a spot that is held no more joins instead", async () => {
  const { gameId } = await aHold();
  const playerId = await ada(database.db);
  expect(await list.tryWait(gameId, playerId, { now: OVER })).toEqual({
    ok: false,
    reason: "not-full",
  });
  await list.join(gameId, playerId, OVER);
});

test("a game is made smaller by a spot that is held no more, and by no other", async () => {
  const { gameId, host: actorId } = await aHold();
  const edit = async (now: Date) => {
    const { plan, version } = (await findPlannedGame(database.db, gameId))!;
    const to = { ...plan, maxPlayers: 1 };
    const scope = { withFollowing: false, confirmed: true };
    return editGame(database.db, database.jobs, {
      gameId,
      actorId,
      version,
      plan: to,
      ...scope,
      now,
    });
  };
  expect(await edit(NOW)).toMatchObject({
    reason: "too-few-seats",
    held: { offered: 0, forFriends: [{ host: "Ada", until: OVER }], forPayers: [] },
  });
  expect(await edit(OVER)).toMatchObject({ ok: true, games: 1 });
  expect(await holdStatuses(database.db, gameId)).toEqual(["Lapsed"]);
});

describe("a join that ends held spots", () => {
  /** Two are held, both over; one of two who wait has the link of a third, or is added. */
  async function twoOver() {
    const { gameId, host, token } = await aHold({ spots: 4 });
    const other = await ada(database.db);
    await list.join(gameId, other);
    const live = await holds.hold(gameId, other, hoursLater(0.1));
    const [first, second] = await list.waiters(gameId, 2, { now: hoursLater(0.2) });
    return { gameId, host, token, live, first: first!, second: second! };
  }

  test("passes the others on to who waits: with a link", async () => {
    const { gameId, live, first } = await twoOver();
    const before = await promotionsOf(database, gameId);
    await holds.take(gameId, await ada(database.db), live, OVER);
    expect(await promotionsOf(database, gameId)).toBe(before + 1);
    expect(await list.promote(gameId, OVER)).toBe(1);
    await expect(list.join(gameId, first, OVER)).rejects.toThrow("already-joined");
  });

  test("passes the others on to who waits: by the first of them", async () => {
    const { gameId, first } = await twoOver();
    const before = await promotionsOf(database, gameId);
    const now = hoursLater(0.6);
    const joined = await joinGame(database.db, database.jobs, { gameId, playerId: first, now });
    expect(joined.ok).toBe(true);
    expect(await promotionsOf(database, gameId)).toBe(before + 1);
    expect(await list.promote(gameId, now)).toBe(1);
  });

  test("passes the others on to who waits: added by an organiser", async () => {
    const { gameId, host, first } = await twoOver();
    const before = await promotionsOf(database, gameId);
    const addition = { gameId, playerId: first, actorId: host, now: hoursLater(0.6) };
    expect(await addPlayer(database.db, database.jobs, addition)).toMatchObject({ ok: true });
    expect(await promotionsOf(database, gameId)).toBe(before + 1);
  });
});

test("a spot is held though somebody waits who cannot have it", async () => {
  const { gameId, host } = await holds.aGameWithAHost();
  const other = await list.join(gameId, await ada(database.db));
  await list.wait(gameId, await aPlayer(database.db));
  await list.cancel(other);
  expect(await holds.tryHold(gameId, host)).toEqual({ ok: true });
});
