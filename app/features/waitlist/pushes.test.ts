import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pushSender, pushOf } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { waitingIn } from "#test/notifications.ts";
import { aDevice, openPushService } from "#test/push-service.ts";
import { bookingOf, entryOf, waitlistOf } from "#test/waitlist.ts";
import { SWITCHES } from "#app/notices.server.ts";
import { saveSettings, type Settings } from "#app/features/notifications/settings.server.ts";
import type { WaitMode } from "#app/platform/schema.ts";

const database = useDatabase();
const list = waitlistOf(database);
let service: Awaited<ReturnType<typeof openPushService>>;
beforeAll(async () => {
  service = await openPushService();
});
afterAll(() => service.close());
const noJobs = () => database.pool.query("delete from pgboss.job");
beforeEach(async () => {
  service.pushed.splice(0);
  await noJobs();
});

async function send(now: Date) {
  const tools = testApp(database, () => now);
  const sendPush = pushSender(tools);
  for (const job of await waitingIn(database, "push.send")) await sendPush(job);
}

async function delays() {
  const { rows } = await database.pool.query<{ hours: number }>(
    `select round(extract(epoch from start_after - created_on) / 3600, 2)::float as hours
     from pgboss.job where name = 'push.send'`,
  );
  return rows.map(({ hours }) => hours);
}

/** Somebody with one device waits, and a spot opens: now, so many hours before kick-off. */
async function opened(mode: WaitMode, { startsIn = 48, now = NOW } = {}) {
  const hours = (now.getTime() - NOW.getTime()) / 3_600_000;
  const { gameId, seat } = await list.fullGame({ startsIn: startsIn + hours });
  const [playerId = ""] = await list.waiters(gameId, 1, { mode });
  const { read } = await aDevice(database.db, playerId, `${service.origin}/${playerId}`);
  await list.cancel(seat, now);
  expect(await list.promote(gameId, now)).toBe(1);
  return { gameId, playerId, heard: () => service.pushed.map(({ body }) => read(body)) };
}

test("a spot that is held is pushed at once by day, with what it takes to answer", async () => {
  const { gameId, heard } = await opened("ask");
  expect(await delays()).toEqual([0]);
  await send(NOW);
  expect(heard()).toEqual([
    {
      title: "A spot is held for you until Sat 14:00",
      body: "Mon 12:00, Campus Hall, Espoo. Take it, or it goes to the next one.",
      url: `/events/${gameId}?offer=1#join`,
      tag: `game-${gameId}`,
    },
  ]);
});

test("a booking from the list is pushed, with how it can be given back", async () => {
  const { gameId, heard } = await opened("auto");
  await send(NOW);
  expect(heard()).toEqual([
    {
      title: "You're in: Mon 12:00",
      body: "A spot opened at Campus Hall, Espoo. Cancel by Sun 12:00 to get 9.01 credits back.",
      url: "/bookings",
      tag: `game-${gameId}`,
    },
  ]);
});

describe("nothing is pushed", () => {
  test("of an offer that is over, was answered, or was followed by another", async () => {
    await opened("ask");
    await send(hoursLater(2));
    await noJobs();
    const taken = await opened("ask");
    await list.join(taken.gameId, taken.playerId);
    await send(NOW);
    expect(service.pushed).toEqual([]);
    const missed = await opened("ask");
    await list.promote(missed.gameId, hoursLater(2));
    const { id } = await entryOf(database.db, missed.gameId, missed.playerId);
    const push = (until: Date) => pushOf(database, "spot-offered", [id, until.toISOString()]);
    expect(await push(hoursLater(2))).toBeNull();
    expect(await push(hoursLater(4))).not.toBeNull();
  });

  test("of a booking that was given back", async () => {
    const { gameId, playerId } = await opened("auto");
    const { id: bookingId } = await bookingOf(database.db, gameId, playerId);
    await list.cancel({ bookingId, playerId });
    await send(NOW);
    expect(service.pushed).toEqual([]);
  });

  test.each([
    ["ask", "spot-offered"],
    ["auto", "waitlist-booked"],
  ] as const)("to who wants none of this kind (%s)", async (mode, off) => {
    const { playerId } = await opened(mode);
    const kinds = SWITCHES.map(({ kind }) => [kind, { email: true, push: kind !== off }]);
    await saveSettings(database.db, playerId, Object.fromEntries(kinds) as Settings);
    await send(NOW);
    expect(service.pushed).toEqual([]);
  });
});

describe("at night, at 23:30", () => {
  const night = new Date("2026-11-21T21:30:00Z");

  test("a booking waits for 8:00, unless kick-off is less than 12 hours away", async () => {
    await opened("auto", { startsIn: 30, now: night });
    expect(await delays()).toEqual([8.5]);
    await opened("auto", { startsIn: 11.5, now: night });
    expect((await delays()).toSorted()).toEqual([0, 8.5]);
  });

  test("an offer that is over by then is not pushed any more", async () => {
    await opened("ask", { startsIn: 14, now: night });
    expect(await delays()).toEqual([8.5]);
    await send(new Date("2026-11-22T06:00:00Z"));
    expect(service.pushed).toEqual([]);
  });
});
