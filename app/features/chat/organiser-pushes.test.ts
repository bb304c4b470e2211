import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pushOf } from "#test/notices.ts";
import { aChat, say } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { waitingIn } from "#test/notifications.ts";
import { announceMessage } from "./announce.server.ts";
import { aDevice } from "#test/push-service.ts";
import type { Db } from "#app/platform/db.server.ts";
import { pushChats } from "./pushes.server.ts";
import { markRead, setMuted } from "./unread.server.ts";

const database = useDatabase();
let db: Db;
let gameId: string;
let writer: { gameId: string; userId: string };
beforeAll(() => {
  ({ db } = database);
});
beforeEach(async () => {
  await database.pool.query(
    "delete from push_subscriptions; delete from notifications_sent; delete from chat_messages",
  );
  writer = await aChat(database);
  gameId = writer.gameId;
  await database.pool.query("delete from pgboss.job");
});

const at = (minutes: number) => hoursLater(minutes / 60);
const push = (minutes: number) => pushChats(db, database.jobs, at(minutes));
const queued = async () =>
  (await waitingIn(database, "push.send")).map(({ kind, version }) => `${kind} ${version}`);
const write = (minutes: number, body = "Hi") => say(db, writer, { body, now: at(minutes) });
const announce = (minutes: number) =>
  db.transaction().execute((tx) =>
    announceMessage(tx, {
      ...{ gameId, actorId: writer.userId, subject: "Pitch 2", message: "Pitch 1 is flooded" },
      ...{ isPinned: false, now: at(minutes) },
    }),
  );

describe("an organiser who is not in the game", () => {
  let organiser: { gameId: string; userId: string };
  beforeEach(async () => {
    await db.deleteFrom("user_roles").execute();
    organiser = { gameId, userId: await aPlayer(db, { name: "Olga" }) };
    await db
      .insertInto("user_roles")
      .values({ user_id: organiser.userId, role: "admin" })
      .execute();
    await aDevice(db, organiser.userId, `https://fcm.googleapis.com/${organiser.userId}`);
    await database.pool.query("delete from pgboss.job");
  });
  const saysToOrganiser = () =>
    pushOf(database, "chat-any-game", [gameId, "2", organiser.userId], at(5));

  test("is pushed of what players write, once an hour, without its text", async () => {
    await write(1, "The code is 7137");
    await write(2);
    await push(3);
    await push(4);
    expect(await queued()).toEqual(["chat-any-game 2"]);
    const body = "In Campus Hall, Mon 12:00";
    expect(await saysToOrganiser()).toMatchObject({ title: "Players are writing", body });
    await write(50);
    await push(64);
    expect(await queued()).toEqual(["chat-any-game 2", "chat-any-game 4"]);
  });

  test("is not pushed of what organisers write, nor of what is read or muted", async () => {
    await announce(1);
    await push(2);
    expect(await queued()).toEqual([]);
    await write(3);
    await setMuted(db, { ...organiser, isMuted: true });
    await push(4);
    await setMuted(db, { ...organiser, isMuted: false });
    await markRead(db, { ...organiser, number: 3 });
    await push(5);
    expect(await queued()).toEqual([]);
  });

  test("is pushed as a player once in the game, and of nothing without the role", async () => {
    await write(1);
    const seat = { game_id: gameId, payment_status: "Paid" as const, created_at: NOW };
    const booking = db.insertInto("bookings").values({ ...seat, user_id: organiser.userId });
    await push(2);
    expect(await saysToOrganiser()).not.toBeNull();
    await db.deleteFrom("user_roles").execute();
    expect(await saysToOrganiser()).toBeNull();
    await booking.execute();
    await write(70);
    await push(71);
    expect(await queued()).toEqual(["chat-any-game 2", "chat 3"]);
  });
});
