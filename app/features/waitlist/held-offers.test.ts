import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { wallet, untilWaiting } from "#test/lock-order.ts";
import { entryOf, suspend, waitlistOf } from "#test/waitlist.ts";
import { leaveWaitlist } from "./join-waitlist.server.ts";

const database = useDatabase();
const list = waitlistOf(database);

/** Full games at these hours, one player first on each list, and a spot in each. */
async function freedGames(
  hours: number[],
  { credits = 10, isFree = false, mode = "ask" as const },
) {
  const playerId = await aPlayer(database.db, { credits });
  const games: string[] = [];
  for (const startsIn of hours) {
    const { gameId, seat } = await list.fullGame({ startsIn, is_first_session_free: isFree });
    await list.wait(gameId, playerId, { mode });
    await list.cancel(seat);
    games.push(gameId);
  }
  const statuses = async () => {
    const entries = await Promise.all(games.map((id) => entryOf(database.db, id, playerId)));
    return entries.map(({ status }) => status);
  };
  return { playerId, games, statuses };
}
const promoteAll = async (games: string[], now = NOW) => {
  for (const gameId of games) await list.promote(gameId, now);
};

test("one player holds one spot of several games at the same hour", async () => {
  const { games, statuses } = await freedGames([48, 48, 49], { credits: 60 });
  await promoteAll(games);
  expect(await statuses()).toEqual(["Offered", "Waiting", "Waiting"]);
});

test("one player holds no more spots than the credits pay for", async () => {
  const { games, statuses } = await freedGames([48, 72, 96], { credits: 20 });
  await promoteAll(games);
  expect(await statuses()).toEqual(["Offered", "Offered", "Waiting"]);
});

test("a newcomer without credits holds one free spot, since one session is free", async () => {
  const { games, statuses } = await freedGames([48, 72], { credits: 0, isFree: true });
  await promoteAll(games);
  expect(await statuses()).toEqual(["Offered", "Waiting"]);
});

test("the spot goes to the next, no email says why, and it is the player's turn again after the offer", async () => {
  const { games, playerId, statuses } = await freedGames([48, 48], { credits: 60 });
  await promoteAll(games);
  const entry = await entryOf(database.db, games[1]!, playerId);
  expect(entry).toMatchObject({ passed_over: null });
  expect(await list.mailsTo(entry.id)).toEqual([]);
  await leaveWaitlist(database.db, database.jobs, { gameId: games[0]!, playerId, now: NOW });
  await list.sweep();
  expect(await statuses()).toEqual(["Left", "Offered"]);
});

test("an offer that is over holds nobody back, before anything has ended it", async () => {
  const { games, statuses } = await freedGames([48, 48], { credits: 60 });
  await promoteAll(games.slice(0, 1));
  await promoteAll(games.slice(1), hoursLater(2));
  expect(await statuses()).toEqual(["Offered", "Offered"]);
});

test("two games that ask one player at the same moment hold one spot", async () => {
  const { playerId, games, statuses } = await freedGames([48, 48], { credits: 60 });
  const promoted = await database.db.transaction().execute(async (holder) => {
    await wallet(playerId).hold(holder);
    const both = games.map((gameId) => list.promote(gameId));
    await untilWaiting(database.db, 2);
    return { both };
  });
  await Promise.all(promoted.both);
  expect((await statuses()).toSorted()).toEqual(["Offered", "Waiting"]);
});

/** Two are asked first, in their order; the first has been asked. */
async function asked() {
  const { gameId, seat } = await list.fullGame();
  const [first = "", second = ""] = await list.waiters(gameId, 2, { mode: "ask" });
  await list.cancel(seat);
  await list.promote(gameId, hoursLater(1));
  const entry = (playerId: string) => entryOf(database.db, gameId, playerId);
  const leave = (now: Date) =>
    leaveWaitlist(database.db, database.jobs, { gameId, playerId: first, now });
  return { gameId, first, second, entry, leave };
}

test("who is suspended holds no spot: it goes to the next, and counts as no missed offer", async () => {
  const { first, second, entry } = await asked();
  await suspend(database.db, first);
  await list.sweep(hoursLater(1.1));
  expect(await entry(first)).toMatchObject({ status: "Waiting", passed_over: "suspended" });
  expect(await entry(first)).toMatchObject({ missed_offers: 0, unanswered_offers: 0 });
  expect((await entry(second)).status).toBe("Offered");
});

test("a missed offer still counts after leaving and waiting again", async () => {
  const { gameId, first, entry, leave } = await asked();
  await list.promote(gameId, hoursLater(3));
  await leave(hoursLater(3));
  await list.wait(gameId, first, { now: hoursLater(3) });
  expect(await entry(first)).toMatchObject({ missed_offers: 1, unanswered_offers: 0 });
});

test("who says no, and waits again, is behind those who were not asked", async () => {
  const { gameId, first, entry, leave } = await asked();
  await leave(hoursLater(2.9));
  await list.wait(gameId, first, { now: hoursLater(2.9) });
  expect(await entry(first)).toMatchObject({ missed_offers: 1 });
});

test("who leaves without an offer has missed none, no matter whom an organiser had put first", async () => {
  const { gameId, second, entry } = await asked();
  await database.pool.query("update waitlist_entries set missed_offers = -1 where id = $1", [
    (await entry(second)).id,
  ]);
  const leave = { gameId, playerId: second, now: hoursLater(1) };
  await leaveWaitlist(database.db, database.jobs, leave);
  await list.wait(gameId, second, { now: hoursLater(1) });
  expect(await entry(second)).toMatchObject({ missed_offers: 0 });
});
