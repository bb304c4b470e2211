import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { lotsOf, monthlyPurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { aGame, aPlayer, balanceCents, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { correctBalance } from "./correct-balance.server.ts";
import { expireLots } from "./expire-lots.server.ts";

const database = useDatabase();
beforeAll(() => somePacks(database.db));
const DAY = 24;
const days = (count: number) => hoursLater(count * DAY);

/** Credits that expire after so many days, or never. */
async function grant(userId: string, cents: number, expiresIn?: number) {
  const key = crypto.randomUUID();
  const correction = { userId, amountCents: cents, reason: "Sorry", actor: "command", key };
  expect(await correctBalance(database.db, database.jobs, correction)).toMatchObject({ ok: true });
  if (expiresIn === undefined) return;
  const newest = database.db.selectFrom("credit_lots").select("id").orderBy("seq", "desc").limit(1);
  const lot = database.db.updateTable("credit_lots").where("id", "=", newest);
  await lot.set({ expires_at: days(expiresIn) }).execute();
}

async function join(playerId: string) {
  const gameId = await aGame(database.db, { startsIn: 20 * DAY });
  const joined = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return async (now: Date) => {
    const cancellation = { bookingId: joined.bookingId, playerId, now };
    return cancelBooking(database.db, database.jobs, cancellation);
  };
}
const lots = async (userId: string) =>
  (await lotsOf(database.db, userId)).map((lot) => [lot.remaining_eur, lot.expires_at]);

test("a wallet that fails does not block the others", async () => {
  const players = [
    await ben(database.db),
    await ben(database.db),
    await ben(database.db),
  ].toSorted();
  for (const id of players) await grant(id, 1_000, -1);
  // Wallets are done in the order of their ids: one fails before, and one after another.
  await database.pool.query(`
    create function broken() returns trigger language plpgsql as 'begin raise ''broken''; end';
    create trigger broken before insert on wallet_transactions for each row
      when (new.user_id in ('${players[0]}', '${players[2]}')) execute function broken()`);
  await expect(expireLots(database.db, NOW)).rejects.toThrow("lots not expired: 2");
  const balances = () => Promise.all(players.map((id) => balanceCents(database.db, id)));
  expect(await balances()).toEqual([1_000, 0, 1_000]);
  await database.pool.query("drop function broken cascade");
  await expireLots(database.db, NOW);
  expect(await balances()).toEqual([0, 0, 0]);
});

describe("a refund", () => {
  test("takes its fee from the credits that expire first", async () => {
    const playerId = await aPlayer(database.db);
    await grant(playerId, 400);
    await grant(playerId, 300, 5);
    await grant(playerId, 300, 9);
    const cancel = await join(playerId);
    const left = async () => (await lots(playerId)).map(([remaining]) => remaining);
    expect(await left()).toEqual(["0.00", "0.00", "0.00"]);
    expect(await cancel(NOW)).toMatchObject({ ok: true, creditsBackCents: 901 });
    expect(await left()).toEqual(["4.00", "2.01", "3.00"]);
  });

  test("of credits that have expired meanwhile lives 7 days, and the rest as long as before", async () => {
    const playerId = await aPlayer(database.db);
    await grant(playerId, 600, 3);
    await grant(playerId, 400);
    const cancel = await join(playerId);
    expect(await cancel(days(4))).toMatchObject({ ok: true, creditsBackCents: 901 });
    expect(await lots(playerId)).toEqual([
      ["0.00", days(3)],
      ["4.00", null],
      ["5.01", days(4 + 7)],
    ]);
    await expireLots(database.db, new Date(days(4 + 7).getTime() - 1));
    expect(await balanceCents(database.db, playerId)).toBe(901);
    await expireLots(database.db, days(4 + 7));
    expect(await balanceCents(database.db, playerId)).toBe(400);
    expect((await checkBooks(database.db)).differences).toEqual([]);
  });
});

describe("a month that is paid", () => {
  const endOf = async (reportedAfter: (end: Date) => Date) => {
    const userId = await ben(database.db);
    const story = monthlyPurchase(userId);
    const end = new Date(story.period(0).end * 1_000);
    const now = reportedAfter(end);
    await deliverEvents(database, [story.completed, story.paid(0)], now);
    const [lot] = await lotsOf(database.db, userId);
    return { end, now, expiresAt: lot!.expires_at };
  };
  const plusDays = (at: Date, count: number) => new Date(at.getTime() + count * DAY * 3_600_000);

  test("lasts to its end if reported at least 7 days before", async () => {
    const { end, expiresAt } = await endOf((end) => plusDays(end, -7));
    expect(expiresAt).toEqual(end);
  });

  test.each([-6, 0, 30])(
    "reported %i days after its end it lasts 7 days from then",
    async (late) => {
      const { now, expiresAt } = await endOf((end) => plusDays(end, late));
      expect(expiresAt).toEqual(plusDays(now, 7));
    },
  );
});
