import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import {
  ada,
  aGame,
  balanceCents,
  bookingsOf,
  everything,
  hoursLater,
  NOW,
} from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "./cancel-game.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase();
/** How many players were in; otherwise why it was not cancelled. */
const cancel = async (gameId: string, now = NOW) => {
  const result = await cancelGame(database.db, database.jobs, { gameId, now });
  return result.ok ? result.players : result.reason;
};

async function joined(gameId: string): Promise<{ playerId: string; bookingId: string }> {
  const playerId = await ada(database.db);
  const result = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!result.ok) throw new Error(result.reason);
  return { playerId, bookingId: result.bookingId };
}

test("everyone gets the full price back at any time, and an email", async () => {
  const gameId = await aGame(database.db, { startsIn: 3 });
  const players = [await joined(gameId), await joined(gameId), await joined(gameId)];
  const [first, , unpaid] = players;
  // Seats as sold; and one who never paid.
  await database.db
    .updateTable("bookings")
    .set({ refund_fee_eur: "10.00" })
    .where("id", "=", first!.bookingId)
    .execute();
  await database.db
    .updateTable("bookings")
    .set({ payment_status: "Unpaid" })
    .where("id", "=", unpaid!.bookingId)
    .execute();
  const late = hoursLater(2.9);
  expect(await cancel(gameId, late)).toBe(3);

  const statuses = (await bookingsOf(database.db, gameId)).map((booking) => booking.payment_status);
  expect(statuses.sort()).toEqual(["Cancelled", "Refunded", "Refunded"]);
  const balances = players.map(({ playerId }) => balanceCents(database.db, playerId));
  expect(await Promise.all(balances)).toEqual([10_000, 10_000, 9_000]);
  const mails = await database.pool.query(
    "select data->>'bookingId' as id from pgboss.job where name = 'mail.send' and data->>'kind' = 'game-cancelled'",
  );
  const recipients = mails.rows.map(({ id }) => id);
  expect(recipients.sort()).toEqual(players.map(({ bookingId }) => bookingId).sort());
  const game = database.db.selectFrom("games").select(["status", "seats_taken"]);
  expect(await game.where("id", "=", gameId).executeTakeFirst()).toEqual({
    status: "Cancelled",
    seats_taken: 0,
  });
  expect((await checkBooks(database.db)).differences).toEqual([]);
});

test("a player who cancelled before gets no further refund", async () => {
  const gameId = await aGame(database.db);
  const { playerId, bookingId } = await joined(gameId);
  await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
  expect(await cancel(gameId)).toBe(0);
  expect(await balanceCents(database.db, playerId)).toBe(9_901);
});

test("a draft without players can be cancelled", async () => {
  expect(await cancel(await aGame(database.db, { status: "Draft" }))).toBe(0);
});

test("a repeat, or a game that cannot be cancelled, changes nothing", async () => {
  const gameId = await aGame(database.db);
  await joined(gameId);
  await cancel(gameId);
  const completed = await aGame(database.db, { status: "Completed" });
  const before = await everything(database.db);
  for (const id of [gameId, completed]) expect(await cancel(id)).toBe("closed");
  for (const id of [crypto.randomUUID(), "7", ""]) expect(await cancel(id)).toBe("not-found");
  expect(await everything(database.db)).toEqual(before);
});

test("when one refund fails, nobody is refunded and the game is not cancelled", async () => {
  const gameId = await aGame(database.db);
  const players = [await joined(gameId), await joined(gameId)];
  // Refunded outside of the books already: the ledger rejects the second entry of that key.
  const last = players
    .map(({ bookingId, playerId }) => ({ bookingId, playerId }))
    .sort((a, b) => (a.playerId < b.playerId ? -1 : 1))[1]!;
  await database.db
    .insertInto("wallet_transactions")
    .values({
      user_id: last.playerId,
      type: "refund",
      amount_eur: "10.00",
      status: "pending",
      business_key: `refund:${last.bookingId}`,
    })
    .execute();
  const before = await everything(database.db);
  await expect(cancel(gameId)).rejects.toThrow("wallet_transactions_business_key_key");
  expect(await everything(database.db)).toEqual(before);
});
