import { sql } from "kysely";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { planValues } from "#app/routes/admin/plan-values.ts";
import { balanceCents } from "#test/fixtures.ts";
import { entryOf } from "#test/waitlist.ts";
import { expect } from "./fixtures.ts";
import type { Lists, Seat } from "./lists.ts";
import { type Player, post } from "./players.ts";

/* One round each of the races for a spot, over HTTP. What they prove is said by who calls them. */

/** The only spot is given back while newcomers press Join. */
export async function aCrowdAtAFreedSpot(
  lists: Lists,
  { holder, waiting, newcomers }: Record<"waiting" | "newcomers", Player[]> & { holder: Player },
) {
  const [full] = await lists.fullGames(1, [holder]);
  const { gameId, seats } = full!;
  await lists.wait(gameId, waiting);
  const [cancelled, ...joins] = await Promise.all([
    lists.cancel(seats[0]!),
    ...newcomers.map((player) => lists.join(player, gameId)),
  ]);
  expect(cancelled).toBe(302);
  return { gameId, joins };
}

/**
 * The only one who waits leaves at the moment of the promotion. Either the leaving waits for the
 * cancellation, and the promotion comes with that; or the promotion waits for the wallet, and the
 * leaving for the game. What they wait for is held until they do.
 */
export async function leavesWhilePromoted(lists: Lists, holder: Player, leavesFirst: boolean) {
  const [full] = await lists.fullGames(1, [holder]);
  const { gameId, seats } = full!;
  const player = await lists.player();
  await lists.wait(gameId, [player]);
  const { cancelling, leaving } = await lists.db.transaction().execute(async (tx) => {
    await (
      leavesFirst
        ? sql`select from games where id = ${gameId} for update`
        : sql`select from profiles where user_id = ${player.userId} for update`
    ).execute(tx);
    const cancelling = lists.cancel(seats[0]!);
    await lists.untilBlocked(tx, 1);
    const leaving = lists.leave(player, gameId);
    await lists.untilBlocked(tx, 2, leaving);
    return { cancelling, leaving };
  });
  expect(await cancelling).toBe(302);
  const left = await leaving;
  const status = async () => (await entryOf(lists.db, gameId, player.userId)).status;
  await expect.poll(status).not.toBe("Waiting");
  return {
    ...{ gameId, left },
    status: await status(),
    paid: (await lists.playersIn(gameId)).length,
    cents: await balanceCents(lists.db, player.userId),
  };
}

/** Two more spots, four who wait, and the same job twenty times. */
export async function oneJobManyTimes(lists: Lists, holder: Player, credits = 10) {
  const [full] = await lists.fullGames(1, [holder]);
  const { gameId } = full!;
  const waiting = await lists.players(4, credits);
  await lists.wait(gameId, waiting);
  await lists.db.transaction().execute(async (tx) => {
    await sql`update games set max_players = max_players + 2 where id = ${gameId}`.execute(tx);
    for (let n = 0; n < 20; n += 1) await lists.jobs.enqueue(tx, "waitlist.promote", { gameId });
  });
  await expect
    .poll(() => lists.promotions(gameId), { intervals: [50], timeout: 60_000 })
    .toMatchObject({ ended: 20, open: 0 });
  return { gameId, waiting, ...(await lists.promotions(gameId)) };
}

/** An organiser's form adds five spots while newcomers press Join. */
export async function fiveMoreSpots(
  lists: Lists,
  { holder, waiting, newcomers }: Record<"waiting" | "newcomers", Player[]> & { holder: Player },
) {
  const [full] = await lists.fullGames(1, [holder]);
  const { gameId } = full!;
  await lists.wait(gameId, waiting);
  const save = await editForm(lists, gameId, { maxPlayers: "6" });
  const [saved, ...joins] = await Promise.all([
    save(),
    ...newcomers.map((player) => lists.join(player, gameId)),
  ]);
  expect(saved).toBe(302);
  return { gameId, joins };
}

/** More spots concern nobody who is in, so the form is saved without a question. */
async function editForm(lists: Lists, gameId: string, changes: Record<string, string>) {
  const [url, cookie] = [lists.nextUrl(), await lists.adminCookie()];
  const { plan, version } = (await findPlannedGame(lists.db, gameId))!;
  const fields = { ...planValues(plan), version: String(version), intent: "save", ...changes };
  return () => post(url, `/admin/games/${gameId}/edit`, cookie, fields);
}

/** Two games free a spot at once; the same player is first on both lists. */
export async function freeSpotsOfTwoGames(lists: Lists, holder: Player, credits = 10) {
  const games = await lists.fullGames(2, [holder]);
  const player = await lists.player(credits);
  const seconds = await lists.players(2);
  for (const [n, { gameId }] of games.entries()) {
    await lists.wait(gameId, [player, seconds[n]!]);
  }
  const seats = games.flatMap(({ seats: own }): Seat[] => own);
  expect(await Promise.all(seats.map(lists.cancel))).toEqual([302, 302]);
  return { gameIds: games.map(({ gameId }) => gameId), player, seconds };
}
