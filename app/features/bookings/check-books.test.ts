import { expect, test } from "vitest";
import { useDatabase } from "../../../test/db.ts";
import { ada, aGame, ben, NOW } from "../../../test/world.ts";
import { checkBooks } from "./check-books.server.ts";
import { joinGame } from "./join-game.server.ts";

const world = useDatabase();
const tamper = (statement: string) => world.pool.query(statement);

test("an empty database has right books", async () => {
  expect(await checkBooks(world.db)).toEqual({
    wallets: 0,
    balanceEur: "0",
    entries: 0,
    games: 0,
    seats: 0,
    differences: [],
  });
});

test("totals count what there is", async () => {
  const [gameId, playerId] = [await aGame(world.db), await ada(world.db)];
  await ben(world.db);
  await joinGame(world.db, world.jobs, { gameId, playerId, now: NOW });
  expect(await checkBooks(world.db)).toEqual({
    wallets: 2,
    balanceEur: "90.00",
    entries: 2,
    games: 1,
    seats: 1,
    differences: [],
  });
});

test("a balance that somebody wrote is named, by a cent and either way", async () => {
  const playerId = await ada(world.db);
  for (const [cent, balance] of [
    ["+ 0.01", "100.01"],
    ["- 0.02", "99.99"],
  ]) {
    await tamper(`update profiles set wallet_balance_eur = wallet_balance_eur ${cent}
      where user_id = '${playerId}'`);
    expect((await checkBooks(world.db)).differences).toEqual([
      `wallet ${playerId}: balance ${balance}, ledger 100.00, lots 100.00`,
    ]);
  }
  await tamper(`update profiles set wallet_balance_eur = 100 where user_id = '${playerId}'`);
});

test("a balance without a ledger is named; a pending entry does not count", async () => {
  const playerId = await ben(world.db);
  await tamper(`update profiles set wallet_balance_eur = 5 where user_id = '${playerId}'`);
  await tamper(`insert into wallet_transactions (user_id, type, amount_eur, status)
    values ('${playerId}', 'topup', 5, 'pending'), ('${playerId}', 'topup', 5, 'failed')`);
  expect((await checkBooks(world.db)).differences).toEqual([
    `wallet ${playerId}: balance 5.00, ledger 0, lots 0`,
  ]);
  await tamper(`insert into wallet_transactions (user_id, type, amount_eur)
    values ('${playerId}', 'topup', 5)`);
  expect((await checkBooks(world.db)).differences).toEqual([]);
});

test("seats that somebody wrote are named", async () => {
  const gameId = await aGame(world.db, { spots: 4 });
  await tamper(`update games set seats_taken = 3 where id = '${gameId}'`);
  expect((await checkBooks(world.db)).differences).toEqual([
    `game ${gameId}: 0 live bookings, 3 seats counted, capacity 4`,
  ]);
  await tamper(`update games set seats_taken = 0 where id = '${gameId}'`);
});

test("an oversold game is named even where its seats are counted right", async () => {
  const gameId = await aGame(world.db, { spots: 2 });
  for (const playerId of [await ada(world.db), await ada(world.db)]) {
    await joinGame(world.db, world.jobs, { gameId, playerId, now: NOW });
  }
  await tamper("alter table games drop constraint games_seats_within_capacity");
  await tamper(`update games set max_players = 1 where id = '${gameId}'`);
  expect((await checkBooks(world.db)).differences).toEqual([
    `game ${gameId}: 2 live bookings, 2 seats counted, capacity 1`,
  ]);
});
