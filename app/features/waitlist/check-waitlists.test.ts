import { afterEach, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, hoursLater } from "#test/fixtures.ts";
import { entryOf, waitlistOf } from "#test/waitlist.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
const tamper = (statement: string) => database.pool.query(statement);
const differences = async () => (await checkBooks(database.db)).differences;
afterEach(expectRightBooks);

async function expectRightBooks() {
  expect(await differences()).toEqual([]);
}

/** A game of two: one plays, a spot is offered. */
async function anOffer() {
  const { gameId, seat, seats } = await list.fullGame({ spots: 2 });
  const [first] = await list.waiters(gameId, 1, { mode: "ask" });
  await list.cancel(seats[1]!);
  await list.promote(gameId);
  return { gameId, seat, playerId: first! };
}

test("a count of held spots that was changed by hand is reported", async () => {
  const { gameId } = await anOffer();
  for (const held of [0, 2]) {
    await tamper(`update games set max_players = 3, spots_held = ${held} where id = '${gameId}'`);
    expect(await differences()).toEqual([
      `game ${gameId}: 1 spots offered, 0 held for friends, 0 for payers, ${held} counted as held, 1 seats, capacity 3`,
    ]);
  }
  await tamper(`update games set spots_held = 1 where id = '${gameId}'`);
});

test("a game whose seats and offers are more than its capacity is reported", async () => {
  const { gameId } = await anOffer();
  await tamper("alter table games drop constraint games_spots_within_capacity");
  await tamper(`update games set max_players = 1 where id = '${gameId}'`);
  expect(await differences()).toEqual([
    `game ${gameId}: 1 spots offered, 0 held for friends, 0 for payers, 1 counted as held, 1 seats, capacity 1`,
  ]);
  await tamper(`update games set max_players = 2 where id = '${gameId}'`);
  await tamper(
    "alter table games add constraint games_spots_within_capacity" +
      " check (seats_taken + spots_held <= max_players)",
  );
});

test("a late refund without its entry, of another amount, or made twice is reported", async () => {
  const { gameId, seat } = await list.fullGame({ startsIn: 20 });
  const { bookingId, playerId } = seat;
  const setStatus = (status: string) =>
    tamper(`update bookings set payment_status = '${status}' where id = '${bookingId}'`);
  await list.cancel(seat);
  await setStatus("Refunded");
  expect(await differences()).toEqual([
    `booking ${bookingId}: Refunded, 0 of 9.01 given back late`,
  ]);
  await setStatus("Cancelled");
  await list.join(gameId, await ada(database.db), hoursLater(1));
  expect(await differences()).toEqual([]);
  await setStatus("Cancelled");
  expect(await differences()).toEqual([
    `booking ${bookingId}: Cancelled, 9.01 of 9.01 given back late`,
  ]);
  await setStatus("Refunded");
  await tamper(`update bookings set late_refund_eur = 5 where id = '${bookingId}'`);
  expect(await differences()).toEqual([
    `booking ${bookingId}: Refunded, 9.01 of 5.00 given back late`,
  ]);
  await tamper(`update bookings set late_refund_eur = 9.01 where id = '${bookingId}'`);
  const again = (type: string, amount: number) => `
    with entry as (insert into wallet_transactions (user_id, type, amount_eur, booking_id)
      values ('${playerId}', '${type}', ${amount}, '${bookingId}'))
    update profiles set wallet_balance_eur = wallet_balance_eur + ${amount}
    where user_id = '${playerId}'`;
  await tamper(again("refund", 0.5));
  expect(await differences()).toEqual([
    `booking ${bookingId}: Refunded, 9.51 of 9.01 given back late`,
  ]);
  await tamper(`update bookings set late_refund_eur = 9.51 where id = '${bookingId}'`);
});

test("a place that ended by somebody else's booking is reported", async () => {
  const { gameId, seat, seats } = await list.fullGame({ spots: 2 });
  const [first] = await list.waiters(gameId, 1);
  await list.cancel(seats[1]!);
  await list.promote(gameId);
  const { id, booking_id } = await entryOf(database.db, gameId, first!);
  const setBooking = (bookingId: string | null) =>
    tamper(`update waitlist_entries set booking_id = '${bookingId}' where id = '${id}'`);
  await setBooking(seat.bookingId);
  expect(await differences()).toEqual([
    `place ${id} on a waitlist: it ended by booking ${seat.bookingId}`,
  ]);
  await setBooking(booking_id);
});
