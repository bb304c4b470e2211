import { beforeEach, expect, test } from "vitest";
import { mailJobs, pushOf } from "#test/notices.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGameToDecide, DECISION, decisionOf } from "#test/decisions.ts";
import { balanceCents, ben, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { decideGame } from "./decide-games.server.ts";
import { playAnyway } from "./play-anyway.server.ts";

const database = useDatabase();
const sent: Mail[] = [];
let now = NOW;
beforeEach(() => {
  sent.length = 0;
  now = NOW;
});

const jobs = () =>
  mailJobs({ ...testApp(database, () => now), mailer: async (mail) => void sent.push(mail) });

async function played(players: number, wish = {}) {
  const { gameId, playerIds } = await aGameToDecide(database, players, wish);
  const { version } = await decisionOf(database, gameId);
  const decision = { gameId, actorId: await ben(database.db), version, now: NOW };
  const result = await playAnyway(database.db, database.jobs, decision);
  const [booking] = await bookingsOf(database.db, gameId);
  return { gameId, playerIds, result, booking: booking!, version };
}

const cancel = (bookingId: string, playerId: string, at: Date) =>
  cancelBooking(database.db, database.jobs, { bookingId, playerId, now: at });

test("who is in may leave for the full price until it would have been decided", async () => {
  const { playerIds, booking, result } = await played(2);
  expect(result).toEqual({ ok: true, notified: 2 });
  expect(booking.free_cancel_until).toEqual(DECISION);
  const playerId = booking.user_id;
  expect(await cancel(booking.id, playerId, DECISION)).toMatchObject({ creditsBackCents: 1_000 });
  expect(await balanceCents(database.db, playerId)).toBe(1_000);
  expect(playerIds).toContain(playerId);
});

test("later the terms are those that were sold", async () => {
  const { booking } = await played(2);
  const later = hoursLater(7.5);
  expect(await cancel(booking.id, booking.user_id, later)).toMatchObject({ creditsBackCents: 0 });
});

test("a free session comes back likewise", async () => {
  const { booking } = await played(1, { is_first_session_free: true });
  expect(await cancel(booking.id, booking.user_id, NOW)).toMatchObject({ isFreeSessionBack: true });
});

test("where enough were in nobody is notified, and nothing changes for them", async () => {
  const { result, booking } = await played(3);
  expect([result, booking.free_cancel_until]).toEqual([{ ok: true, notified: 0 }, null]);
});

test("each is notified once, by email and by push, until when they may leave", async () => {
  const { gameId, booking, version } = await played(2);
  const { rows } = await database.pool.query<{ data: { bookingId: string; version: number } }>(
    "select data - 'kind' as data from pgboss.job where name = 'mail.send' and data->>'kind' = 'played-anyway' and data->>'bookingId' = $1",
    [booking.id],
  );
  expect(rows).toHaveLength(1);
  await jobs()["played-anyway"](rows[0]!.data);
  expect(sent).toMatchObject([{ subject: "Your game is on: Sat 22:00, Nov 21" }]);
  expect(sent[0]?.text).toContain("also with fewer than 3 players".toUpperCase());
  expect(sent[0]?.text).toContain("Free cancellation until Sat 19:00.");
  expect(sent[0]?.headers?.["List-Unsubscribe"]).toContain("/unsubscribe/");
  const push = () => pushOf(database, "played-anyway", [booking.id, String(version)], now);
  expect(await push()).toMatchObject({
    title: "Your game is on: Sat 22:00",
    body: "Also with fewer than 3 players. Free cancellation until Sat 19:00.",
  });
  await database.pool.query("update games set decision = null, decided_at = null where id = $1", [
    gameId,
  ]);
  await jobs()["played-anyway"](rows[0]!.data);
  expect(await push()).toBeNull();
  expect(sent).toHaveLength(1);
});

test("who may leave for free until kick-off keeps that", async () => {
  const { gameId } = await aGameToDecide(database, 1);
  await database.pool.query(
    "update bookings set refund_hours = 0, refund_fee_eur = 0 where game_id = $1",
    [gameId],
  );
  const { version } = await decisionOf(database, gameId);
  const decision = { gameId, actorId: await ben(database.db), version, now: NOW };
  await playAnyway(database.db, database.jobs, decision);
  expect(await bookingsOf(database.db, gameId)).toMatchObject([{ free_cancel_until: null }]);
});

test("organisers are notified of a game that is called off by itself", async () => {
  const { gameId } = await aGameToDecide(database, 2);
  await decideGame(database.db, database.jobs, { gameId, now: DECISION });
  const { rows } = await database.pool.query<{ data: { gameId: string; players: number } }>(
    "select data - 'kind' as data from pgboss.job where name = 'mail.send' and data->>'kind' = 'called-off' and data->>'gameId' = $1",
    [gameId],
  );
  await jobs()["called-off"](rows[0]!.data);
  const { contactEmail } = testApp(database).env;
  expect(sent).toMatchObject([{ to: contactEmail, subject: "Called off: Sat 22:00, Nov 21" }]);
  expect(sent[0]?.text).toContain("It takes 3 players, and 2 were in when it was decided.");
});
