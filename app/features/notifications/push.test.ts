import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { pushSender } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { aChat, memberOf, say } from "#test/chat.ts";
import { aBooking, waitingIn } from "#test/notifications.ts";
import { aBrowser, aDevice, openPushService, readVapid } from "#test/push-service.ts";
import { sendReminders } from "#app/features/bookings/reminders.server.ts";
import { markRead } from "#app/features/chat/unread.server.ts";
import { log } from "#app/platform/log.server.ts";
import { addDevice } from "./devices.server.ts";
import { SWITCHES } from "#app/notices.server.ts";
import { saveSettings, type Settings } from "./settings.server.ts";

const database = useDatabase();
let service: Awaited<ReturnType<typeof openPushService>>;
beforeAll(async () => {
  service = await openPushService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.mood.status = 201;
  service.pushed.splice(0);
  await database.pool.query("update games set status = 'Draft'");
});

const app = (now = NOW) => testApp(database, () => now);
const handlerAt = (now: Date) => pushSender(app(now));
const send = async (now = NOW) => {
  for (const job of await waitingIn(database, "push.send")) await handlerAt(now)(job);
};

/** A player with one device, in a game whose reminder waits to be pushed. */
async function reminded(startsIn = 3) {
  const booking = await aBooking(database, { startsIn });
  await database.pool.query("delete from pgboss.job");
  const device = await aDevice(
    database.db,
    booking.playerId,
    `${service.origin}/${booking.bookingId}`,
  );
  await sendReminders(database.db, database.jobs, NOW);
  return { ...booking, ...device };
}

const isStored = async (id: string) => {
  const devices = database.db.selectFrom("push_subscriptions").select("id");
  return (await devices.where("id", "=", id).executeTakeFirst()) !== undefined;
};

test("a reminder reaches the browser, encrypted for it and signed by us", async () => {
  const { bookingId, gameId, read } = await reminded();
  await send();
  const [{ path, headers, body } = { path: "", headers: {}, body: Buffer.of() }, ...more] =
    service.pushed;
  expect(more).toEqual([]);
  expect(path).toBe(`/${bookingId}`);
  expect(read(body)).toEqual({
    title: "Kick-off at 15:00",
    body: "Campus Hall, Otakaari 1, Espoo",
    url: `/events/${gameId}`,
    tag: `game-${gameId}`,
  });
  expect(headers).toMatchObject({
    "content-encoding": "aes128gcm",
    ttl: String(3 * 3_600),
    urgency: "high",
    topic: expect.stringMatching(/^[\w-]{32}$/),
  });
  const { vapid, contactEmail } = app().env;
  const claims = readVapid(headers.authorization);
  expect(claims).toMatchObject({
    aud: service.origin,
    sub: `mailto:${contactEmail}`,
    publicKey: vapid?.publicKey,
  });
  const lifetime = claims.exp - Date.now() / 1_000;
  expect(lifetime > 0 && lifetime <= 86_400).toBe(true);
});

test("the day before it says what cancelling gives back, with less urgency", async () => {
  const { gameId, read } = await reminded(26);
  await send();
  expect(read(service.pushed[0]!.body)).toMatchObject({
    title: "Sun 14:00, Campus Hall",
    body: "Can't make it? Cancel by Sat 14:00 to get 9.01 credits back.",
    url: "/bookings",
    tag: `game-${gameId}`,
  });
  expect(service.pushed[0]?.headers.urgency).toBe("normal");
});

test("a message about a game takes the place of an earlier one about it", async () => {
  await reminded(26);
  await send();
  await database.pool.query("delete from pgboss.job");
  await sendReminders(database.db, database.jobs, hoursLater(23));
  await send(hoursLater(23));
  const topics = service.pushed.map(({ headers }) => headers.topic);
  expect(topics).toHaveLength(2);
  expect(new Set(topics).size).toBe(1);
});

test("what is pushed of a chat is for the player of the device", async () => {
  const writer = await aChat(database);
  const { gameId } = writer;
  const { userId } = await memberOf(database, gameId, "Bo");
  const { id: subscriptionId, read } = await aDevice(database.db, userId, `${service.origin}/chat`);
  await say(database.db, writer);
  const push = { subscriptionId, kind: "chat", subjectId: gameId, version: "3" } as const;
  await handlerAt(NOW)(push);
  expect(service.pushed.map(({ body }) => read(body))).toMatchObject([{ title: "New messages" }]);
  await markRead(database.db, { gameId, userId, number: 3 });
  await handlerAt(NOW)(push);
  expect(service.pushed).toHaveLength(1);
});

test("each device gets it, of this player only, that was there when it was due", async () => {
  const { playerId } = await aBooking(database, { startsIn: 3 });
  const other = await aBooking(database, { startsIn: 30 });
  await database.pool.query("delete from pgboss.job");
  await aDevice(database.db, other.playerId, `${service.origin}/other`);
  for (const name of ["phone", "laptop"]) {
    await aDevice(database.db, playerId, `${service.origin}/${name}`);
  }
  await sendReminders(database.db, database.jobs, NOW);
  await aDevice(database.db, playerId, `${service.origin}/later`);
  await send();
  expect(service.pushed.map(({ path }) => path).sort()).toEqual(["/laptop", "/phone"]);
});

test("a push service is never asked to keep a message for more than four weeks", async () => {
  const { bookingId, id } = await reminded(24 * 60);
  const change = { kind: "game-changed", subjectId: bookingId, version: "2" } as const;
  await handlerAt(NOW)({ ...change, subscriptionId: id });
  expect(service.pushed.map(({ headers }) => headers.ttl)).toEqual([String(28 * 86_400)]);
});

test("an admin's browser gets nothing more 12 hours after it was last used", async () => {
  const { playerId } = await reminded();
  await database.pool.query("insert into user_roles (user_id, role) values ($1, 'admin')", [
    playerId,
  ]);
  const used = (hours: number) =>
    database.pool.query("update sessions set updated_at = $2 where user_id = $1", [
      playerId,
      hoursLater(hours),
    ]);
  await used(-12);
  await send();
  expect(service.pushed).toEqual([]);
  await used(-11);
  await send();
  expect(service.pushed).toHaveLength(1);
});

test.each([404, 410])("a device that the service does not know (%i) is deleted", async (status) => {
  const { id } = await reminded();
  service.mood.status = status;
  await send();
  expect(await isStored(id)).toBe(false);
  await send();
  expect(service.pushed).toHaveLength(1);
});

test.each([408, 429, 500, 503])("a service that answers %i is asked again", async (status) => {
  const { id } = await reminded();
  service.mood.status = status;
  await expect(send()).rejects.toThrow(`the push service answered ${status}`);
  expect(await isStored(id)).toBe(true);
  service.mood.status = 201;
  await send();
  expect(service.pushed).toHaveLength(2);
});

test("what a service rejects for good is logged and not tried again", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  const { id } = await reminded();
  service.mood.status = 403;
  await send();
  expect(await isStored(id)).toBe(true);
  expect(logged).toHaveBeenCalledExactlyOnceWith({ status: 403 }, "push rejected");
});

test("a service that leads somewhere else is not followed", async () => {
  await reminded();
  service.mood.status = 307;
  await expect(send()).rejects.toThrow("fetch failed");
  expect(service.pushed).toHaveLength(1);
});

test("a service that does not answer is given up after 10 seconds, and keeps nobody waiting", async () => {
  const { playerId } = await reminded();
  const quick = await openPushService();
  const waiting = (await waitingIn(database, "push.send")).at(-1)!;
  const { id } = await aDevice(database.db, playerId, `${quick.origin}/quick`);
  service.mood.status = null;
  const limit = new AbortController();
  const limits = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  const hung = handlerAt(NOW)(waiting);
  await handlerAt(NOW)({ ...waiting, subscriptionId: id });
  expect(quick.pushed).toHaveLength(1);
  limit.abort(new Error("too late"));
  await expect(hung).rejects.toThrow("too late");
  expect(limits.mock.calls).toEqual([[10_000], [10_000]]);
  limits.mockRestore();
  await quick.close();
});

test("what is over by the time that it is sent is not sent", async () => {
  const { bookingId, id } = await reminded();
  await send(hoursLater(3));
  const change = { kind: "game-changed", subjectId: bookingId, version: "2" } as const;
  await handlerAt(hoursLater(3))({ ...change, subscriptionId: id });
  expect(service.pushed).toEqual([]);
  await handlerAt(NOW)({ ...change, subscriptionId: id });
  expect(service.pushed).toHaveLength(1);
});

test("nothing is pushed of a kind that is switched off, or to a session that is over", async () => {
  const { playerId, sessionId } = await reminded();
  const on = { email: true, push: true };
  const kinds = SWITCHES.map(({ kind }) => [kind, on]);
  const settings = Object.fromEntries(kinds) as Settings;
  await saveSettings(database.db, playerId, { ...settings, soon: { email: true, push: false } });
  await send();
  expect(service.pushed).toEqual([]);
  await saveSettings(database.db, playerId, settings);
  const sessions = database.db.updateTable("sessions").where("id", "=", sessionId);
  await sessions.set({ expires_at: NOW }).execute();
  await send();
  expect(service.pushed).toEqual([]);
  await sessions.set({ expires_at: hoursLater(1) }).execute();
  await send();
  expect(service.pushed).toHaveLength(1);
});

test("what waits for one player is not shown to the next one in the same browser", async () => {
  const { sessionId, bookingId } = await reminded();
  const { playerId: next } = await aBooking(database, { startsIn: 300 });
  const sessions = database.db.updateTable("sessions").where("id", "=", sessionId);
  await sessions.set({ user_id: next }).execute();
  const endpoint = `${service.origin}/${bookingId}`;
  const viewer = { userId: next, sessionId };
  await addDevice(database.db, viewer, { endpoint, ...aBrowser() }, NOW);
  await send();
  expect(service.pushed).toEqual([]);
});

test("the message stays below 3 KB, however long the names are", async () => {
  const { read } = await reminded(26);
  const name = "𝔘".repeat(120);
  await database.pool.query("update venues set name = $1", [name]);
  const day = (await sendOne())!;
  expect(day.length).toBeLessThan(3_000);
  expect(read(day)).toMatchObject({
    title: [..."Sun 14:00, ".concat(name)].slice(0, 100).join(""),
  });
  const later = await reminded();
  await database.pool.query("update venues set address = repeat('𝔘', 3000)");
  const soon = (await sendOne())!;
  expect(soon.length).toBeLessThan(3_000);
  expect(later.read(soon)).toMatchObject({ title: "Kick-off at 15:00" });
  await database.pool.query("update venues set name = 'Campus Hall', address = 'Otakaari 1'");

  async function sendOne() {
    service.pushed.splice(0);
    await send();
    return service.pushed[0]?.body;
  }
});

test("without keys nothing is pushed", async () => {
  await reminded();
  const tools = app();
  const sendPush = pushSender({ ...tools, env: { ...tools.env, vapid: null } });
  for (const job of await waitingIn(database, "push.send")) await sendPush(job);
  expect(service.pushed).toEqual([]);
});
