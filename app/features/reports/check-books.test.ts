import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { payingOf } from "#test/payment-holds.ts";
import { deliverEvents, lotsOf, singlePurchase, somePacks } from "#test/payments.ts";
import { aBuyer, withdraw } from "#test/withdrawals.ts";
import { ada, aGame, ben, NOW } from "#test/fixtures.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { checkBooks, totalsText } from "./check-books.server.ts";
import { markPaid } from "#app/features/roster/cash-payments.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase();
const tamper = (statement: string) => database.pool.query(statement);

test("an empty database has correct books", async () => {
  expect(await checkBooks(database.db)).toEqual({
    wallets: 0,
    balanceEur: "0",
    cashEur: "0",
    entries: 0,
    games: 0,
    seats: 0,
    differences: [],
  });
});

test("the totals count all rows", async () => {
  const [gameId, playerId] = [await aGame(database.db), await ada(database.db)];
  await ben(database.db);
  await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  expect(await checkBooks(database.db)).toEqual({
    wallets: 2,
    balanceEur: "90.00",
    cashEur: "0",
    entries: 2,
    games: 1,
    seats: 1,
    differences: [],
  });
});

test("a balance changed by hand is reported, by a cent in either direction", async () => {
  const playerId = await ada(database.db);
  for (const [cent, balance] of [
    ["+ 0.01", "100.01"],
    ["- 0.02", "99.99"],
  ]) {
    await tamper(`update profiles set wallet_balance_eur = wallet_balance_eur ${cent}
      where user_id = '${playerId}'`);
    expect((await checkBooks(database.db)).differences).toEqual([
      `wallet ${playerId}: balance ${balance}, ledger 100.00, lots 100.00`,
    ]);
  }
  await tamper(`update profiles set wallet_balance_eur = 100 where user_id = '${playerId}'`);
});

test("a balance without a ledger is reported; a pending entry does not count", async () => {
  const playerId = await ben(database.db);
  await tamper(`update profiles set wallet_balance_eur = 5 where user_id = '${playerId}'`);
  await tamper(`insert into wallet_transactions (user_id, type, amount_eur, status)
    values ('${playerId}', 'topup', 5, 'pending'), ('${playerId}', 'topup', 5, 'failed')`);
  expect((await checkBooks(database.db)).differences).toEqual([
    `wallet ${playerId}: balance 5.00, ledger 0, lots 0`,
  ]);
  await tamper(`insert into wallet_transactions (user_id, type, amount_eur)
    values ('${playerId}', 'topup', 5)`);
  expect((await checkBooks(database.db)).differences).toEqual([]);
});

test("a booking that refunded more than it took is reported", async () => {
  const [gameId, playerId] = [await aGame(database.db), await ben(database.db)];
  const addition = { gameId, playerId, actorId: playerId, now: NOW };
  const added = await addPlayer(database.db, database.jobs, addition);
  if (!added.ok) throw new Error(added.reason);
  await tamper(`insert into wallet_transactions (user_id, type, amount_eur, booking_id)
    values ('${playerId}', 'refund', 5, '${added.bookingId}')`);
  await tamper(`update profiles set wallet_balance_eur = 5 where user_id = '${playerId}'`);
  expect((await checkBooks(database.db)).differences).toEqual([
    `booking ${added.bookingId}: took 0, gave back 5.00`,
  ]);
  await tamper(`insert into wallet_transactions (user_id, type, amount_eur, booking_id)
    values ('${playerId}', 'deduction', -5, '${added.bookingId}')`);
  await tamper(`update profiles set wallet_balance_eur = 0 where user_id = '${playerId}'`);
});

test("a seat count changed by hand is reported", async () => {
  const gameId = await aGame(database.db, { spots: 4 });
  await tamper(`update games set seats_taken = 3 where id = '${gameId}'`);
  expect((await checkBooks(database.db)).differences).toEqual([
    `game ${gameId}: 0 live bookings, 3 seats counted, capacity 4`,
  ]);
  await tamper(`update games set seats_taken = 0 where id = '${gameId}'`);
});

test("an oversold game is reported even where its seats are counted correctly", async () => {
  const gameId = await aGame(database.db, { spots: 2 });
  for (const playerId of [await ada(database.db), await ada(database.db)]) {
    await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  }
  await tamper(
    "alter table games drop constraint games_seats_within_capacity, drop constraint games_spots_within_capacity",
  );
  await tamper(`update games set max_players = 1 where id = '${gameId}'`);
  expect((await checkBooks(database.db)).differences).toEqual([
    `game ${gameId}: 2 live bookings, 2 seats counted, capacity 1`,
  ]);
});

test("entries and balances written by SQL keep the lots in step, up, and down over two of them", async () => {
  const playerId = await ben(database.db);
  for (const amount of [5, 7, -8, 2.5]) {
    await tamper(`insert into wallet_transactions (user_id, type, amount_eur)
      values ('${playerId}', 'adjustment', ${amount})`);
    await tamper(`update profiles set wallet_balance_eur = wallet_balance_eur + ${amount}
      where user_id = '${playerId}'`);
    const { differences } = await checkBooks(database.db);
    expect(differences.filter((line) => line.includes(playerId))).toEqual([]);
  }
  const lots = await lotsOf(database.db, playerId);
  expect(lots.map((lot) => lot.remaining_eur)).toEqual(["0.00", "4.00", "2.50"]);
  await tamper(`insert into wallet_transactions (user_id, type, amount_eur)
    values ('${playerId}', 'adjustment', 1)`);
  expect((await checkBooks(database.db)).differences).toContain(
    `wallet ${playerId}: balance 6.50, ledger 7.50, lots 7.50`,
  );
});

test("lots, debts and payments changed by hand are reported", async () => {
  const playerId = await ada(database.db);
  const named = async () =>
    (await checkBooks(database.db)).differences.map((line) => line.split(" ")[0]);
  const before = await named();
  await tamper(`update credit_lots set remaining_eur = 99 where user_id = '${playerId}'`);
  await tamper(`update profiles set wallet_debt_eur = 1 where user_id = '${playerId}'`);
  await somePacks(database.db);
  await tamper(`insert into payments (stripe_object_id, user_id, pack_id, amount_eur, credits_eur)
    select 'cs_1', '${playerId}', id, 9.99, 10 from credit_packs limit 1`);
  const after = await named();
  for (const kind of ["wallet", "lot", "debt", "payment"]) {
    const count = (lines: (string | undefined)[]) => lines.filter((line) => line === kind).length;
    expect([kind, count(after) - count(before)]).toEqual([kind, 1]);
  }
});

test("a withdrawal and a payment whose credits do not match the money are reported", async () => {
  const player = await aBuyer(database);
  const { withdrawalId } = (await withdraw(database, player))!;
  const lines = async () => {
    const { differences } = await checkBooks(database.db);
    return differences.filter(
      (line) => line.includes(withdrawalId) || line.includes(player.pack.id),
    );
  };
  expect(await lines()).toEqual([]);
  await tamper(`update withdrawals set credits_eur = 9 where id = '${withdrawalId}'`);
  expect(await lines()).toEqual([
    `withdrawal ${withdrawalId}: credits 9.00, taken 10.00, given back 0`,
  ]);
  await tamper(`update withdrawals set credits_eur = 10, outcome = 'taken_back', ended_at = now()
    where id = '${withdrawalId}'`);
  expect(await lines()).toEqual([
    `payment ${player.pack.id}: 10.00 taken back, 0.00 due, 0 lapsed`,
  ]);
  await tamper(`update payments set taken_back_eur = 0, refunded_eur = 9.99
    where id = '${player.paymentId}'`);
  expect(await lines()).toEqual([
    `payment ${player.pack.id}: 0.00 taken back, 10.00 due, 0 lapsed`,
  ]);
});

test("cash for a seat that is unpaid or took credits, and a paid seat without it, are reported", async () => {
  const { db, jobs } = database;
  const [gameId, actorId] = [await aGame(db), await ben(db)];
  const addition = { gameId, playerId: await ada(db), actorId, now: NOW };
  const added = await addPlayer(db, jobs, addition);
  if (!added.ok) throw new Error(added.reason);
  const [cashPaymentId, { bookingId }] = [crypto.randomUUID(), added];
  const cash = { amountCents: 1_000, method: "Cash" as const, cashPaymentId };
  await markPaid(db, { gameId, bookingId, actorId, ...cash, now: NOW });
  const lines = async () => {
    const { differences } = await checkBooks(db);
    return differences.filter((line) => line.includes(bookingId));
  };
  const set = (columns: string) =>
    tamper(`update bookings set ${columns} where id = '${bookingId}'`);
  const named = `cash payment ${cashPaymentId}: booking ${bookingId} is`;
  expect(await lines()).toEqual([]);
  expect((await checkBooks(db)).cashEur).toBe("10.00");
  await set("payment_status = 'Unpaid'");
  expect(await lines()).toEqual([`${named} Unpaid at 0.00 credits, and took 0`]);
  await set("payment_status = 'Paid', price_eur = 10");
  expect(await lines()).toEqual([`${named} Paid at 10.00 credits, and took 0`]);
  await set("price_eur = 0");
  const keep = (value: string) =>
    tamper(`update cash_payments set kept_at = ${value} where id = '${cashPaymentId}'`);
  await keep("now()");
  expect(await lines()).toEqual([`${named} Paid at 0.00 credits, and took 0`]);
  await keep("null");
  await tamper(`update cash_payments set undone_kind = 'Mistake', undone_by = '${actorId}',
    undone_at = now() where id = '${cashPaymentId}'`);
  expect(await lines()).toEqual([`booking ${bookingId}: marked paid, without a payment`]);
  await set("payment_status = 'Cancelled'");
  expect(await lines()).toEqual([]);
});

test("a payment under way that does not agree with what was granted is reported", async () => {
  const { db, jobs } = database;
  const [payer, other] = [await ben(db), await ben(db)];
  const gameId = await aGame(db);
  const holdId = await payingOf(database).hold(gameId, payer);
  const bank = singlePurchase(payer);
  const set = (columns: string, table = "pending_payments", key = "session_id", id = bank.id) =>
    tamper(`update ${table} set ${columns} where ${key} = '${id}'`);
  const lines = async () =>
    (await checkBooks(db)).differences.filter((line) => line.startsWith("payment under way"));
  await deliverEvents({ db, jobs }, [bank.unpaid, bank.failed]);
  expect(await lines()).toEqual([]);
  await deliverEvents({ db, jobs }, bank.succeeded);
  expect(await lines()).toEqual([]);
  const line = (was: string, hold = holdId) => [
    `payment under way ${bank.id}: ${was}, granted 9.99, for hold ${hold}`,
  ];
  await set("status = 'Failed'");
  expect(await lines()).toEqual(line("Failed of 9.99"));
  await set("status = 'Paid', amount_eur = 8");
  expect(await lines()).toEqual(line("Paid of 8.00"));
  await set("amount_eur = 9.99");
  await set(`user_id = '${other}'`, "payment_holds", "id", holdId);
  expect(await lines()).toEqual(line("Paid of 9.99"));
  await set(`user_id = '${payer}'`, "payment_holds", "id", holdId);
  await tamper(`insert into pending_payments (session_id, user_id, amount_eur, status, created_at,
    ended_at) values ('cs_unknown', '${payer}', 5, 'Paid', now(), now())`);
  expect(await lines()).toEqual([
    "payment under way cs_unknown: Paid of 5.00, granted , for hold ",
  ]);
  await tamper("delete from pending_payments where session_id = 'cs_unknown'");
});

test.each([
  [
    0,
    "0 wallets hold 0.00 credits in 0 ledger entries; 0 games have 0 seats taken; 0.00\u00a0€ were paid by hand",
  ],
  [
    1,
    "1 wallet holds 1.00 credit in 1 ledger entry; 1 game has 1 seat taken; 1.00\u00a0€ was paid by hand",
  ],
  [
    2,
    "2 wallets hold 2.00 credits in 2 ledger entries; 2 games have 2 seats taken; 2.00\u00a0€ were paid by hand",
  ],
])("the totals of %d of each are English", (n, text) => {
  const eur = n.toFixed(2);
  const totals = { wallets: n, balanceEur: eur, entries: n, games: n, seats: n, cashEur: eur };
  expect(totalsText(totals)).toBe(text);
});
