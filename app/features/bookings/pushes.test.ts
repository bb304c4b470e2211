import { afterAll, beforeAll, expect, test } from "vitest";
import { pushSender } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer } from "#test/fixtures.ts";
import { aBooking, waitingIn } from "#test/notifications.ts";
import { aDevice, openPushService } from "#test/push-service.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "./join-game.server.ts";

const database = useDatabase();
let service: Awaited<ReturnType<typeof openPushService>>;
beforeAll(async () => {
  service = await openPushService();
});
afterAll(() => service.close());

async function send(now: Date) {
  const tools = testApp(database, () => now);
  const sendPush = pushSender(tools);
  for (const job of await waitingIn(database, "push.send")) await sendPush(job);
}

test("a game that is cancelled is pushed to those who were in it, once the night is over", async () => {
  const booking = await aBooking(database, { startsIn: 40 });
  const { gameId } = booking;
  const night = new Date("2026-11-21T21:30:00Z");
  const left = await aPlayer(database.db, { credits: 50 });
  const join = { gameId, playerId: left, now: night };
  const joined = await joinGame(database.db, database.jobs, join);
  if (!joined.ok) throw new Error(joined.reason);
  const own = { bookingId: joined.bookingId, playerId: left, now: night };
  await cancelBooking(database.db, database.jobs, own);
  await aDevice(database.db, left, `${service.origin}/left`);
  const { read } = await aDevice(database.db, booking.playerId, `${service.origin}/in`);
  await cancelGame(database.db, database.jobs, { gameId, now: night });
  const { rows } = await database.pool.query<{ hours: number }>(
    `select extract(epoch from start_after - created_on)::float / 3600 as hours
     from pgboss.job where name = 'push.send'`,
  );
  expect(rows).toEqual([{ hours: 8.5 }]);
  await send(new Date("2026-11-22T06:00:00Z"));
  expect(service.pushed.map(({ path, body }) => [path, read(body)])).toEqual([
    [
      "/in",
      {
        title: "Game cancelled: Mon 04:00",
        body: "Campus Hall, Espoo",
        url: "/bookings",
        tag: `game-${gameId}`,
      },
    ],
  ]);
});
