import { connect, type Connection } from "#app/platform/connect.server.ts";
import { expect, test } from "../fixtures.ts";
import { addRaceGames, enterPlayer, join, type Player, post } from "../players.ts";
import { runCommand, type Site, startSite } from "../site.ts";
import { isLong } from "#test/long.ts";

const ROUNDS = isLong ? 20 : 3;
const BOOKINGS = isLong ? 200 : 10;
const CROWD = isLong ? 50 : 25;
/** Bookings. One wallet is written by one at a time: more would make a busy machine answer 503. */
const AT_ONCE = isLong ? 10 : 5;

// A site of its own: the games of these races must not stand in anybody's list.
test.describe.configure({ mode: "serial" });
let site: Site;
let database: Connection;
let players: Player[];

test.beforeAll(async () => {
  site = await startSite();
  database = await connect({ databaseUrl: undefined, dataDir: site.dataDir });
  const crowd = Array.from({ length: CROWD }, (_, index) => enter(`racer${index}`, 2_500));
  players = await Promise.all(crowd);
});

test.afterAll(async () => {
  await database?.close();
  await site?.stop();
});

test(`the last spot of ${ROUNDS} games, everybody at once: one gets it`, async () => {
  const games = await addRaceGames(database.db, { count: ROUNDS, spots: 1 });
  for (const game of games) {
    const statuses = await Promise.all(players.map((player) => joinOf(player, game)));
    expect(tally(statuses)).toEqual({ 302: 1, 409: players.length - 1 });
  }
});

test("credits for one game, twenty games at once: one is joined", async () => {
  const player = await enter("poor-racer", 10);
  const games = await addRaceGames(database.db, { count: 20, spots: 10 });
  const statuses = await Promise.all(games.map((game) => joinOf(player, game)));
  expect(tally(statuses)).toEqual({ 302: 1, 402: 19 });
  expect(await balanceOf(player.userId)).toBe("0.00");
});

test("twenty clicks on one button: one booking, paid once", async () => {
  const player = await enter("clicking-racer", 100);
  const before = Number(await balanceOf(player.userId));
  const [game = ""] = await addRaceGames(database.db, { count: 1, spots: 10 });
  const clicks = Array.from({ length: 20 }, () => joinOf(player, game));
  expect(tally(await Promise.all(clicks))).toEqual({ 302: 1, 409: 19 });
  expect(Number(await balanceOf(player.userId))).toBe(before - 10);
});

test(`${BOOKINGS} bookings, each cancelled four times at once: each gives back once`, async () => {
  const [player] = players;
  if (!player) throw new Error("nobody is signed in");
  const games = await addRaceGames(database.db, { count: BOOKINGS, spots: 10 });
  for (const game of games) expect(await joinOf(player, game)).toBe(302);
  const before = Number(await balanceOf(player.userId));
  const bookings = await database.db
    .selectFrom("bookings")
    .select("id")
    .where("user_id", "=", player.userId)
    .where("game_id", "in", games)
    .execute();
  const cancel = ({ id }: { id: string }) =>
    answer(() => post(site.url, "/bookings", player.cookie, { intent: "cancel", bookingId: id }));
  for (let n = 0; n < BOOKINGS; n += AT_ONCE) {
    const some = bookings.slice(n, n + AT_ONCE);
    const statuses = await Promise.all([...some, ...some, ...some, ...some].map(cancel));
    expect(tally(statuses)).toEqual({ 302: AT_ONCE, 409: 3 * AT_ONCE });
  }
  expect(await balanceOf(player.userId)).toBe((before + BOOKINGS * 9.01).toFixed(2));
});

test("afterwards the books are right", async () => {
  expect(await runCommand(site.dataDir, "check-ledger.ts")).toContain("The books are right");
});

const joinOf = (player: Player, game: string) => answer(() => join(site.url, player, game));

/** A busy machine asks to try again, and has done nothing. */
async function answer(send: () => Promise<number>): Promise<number> {
  let status = await send();
  while (status === 503) status = await send();
  return status;
}

function enter(name: string, credits: number): Promise<Player> {
  return enterPlayer(site, database, { name, credits });
}

async function balanceOf(userId: string): Promise<string> {
  const profile = await database.db
    .selectFrom("profiles")
    .select("wallet_balance_eur")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return profile.wallet_balance_eur;
}

function tally(statuses: number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
