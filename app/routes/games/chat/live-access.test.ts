import { expect, describe, test } from "vitest";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";
import { removeMessage } from "#app/features/chat/remove-message.server.ts";
import { anAdmin } from "#test/admin.ts";
import { memberOf, messagesOf } from "#test/chat.ts";
import { aGame, aPlayer, hoursLater, markDeleted } from "#test/fixtures.ts";
import { hears, useLiveChat } from "#test/live-chat.ts";
import { signIn } from "#test/visit.ts";
import { waitlistOf } from "#test/waitlist.ts";

const chat = useLiveChat();

describe("who may not read it is sent nothing", () => {
  interface Person {
    cookie: string;
    userId: string;
  }
  const aMember = async (): Promise<Person & { bookingId: string }> => {
    const member = await memberOf(chat.database, chat.gameId);
    return { ...member, cookie: await signIn(chat.app, member.userId) };
  };
  const set = (table: "users", userId: string, values: object) =>
    chat.app.db.updateTable(table).set(values).where("id", "=", userId).execute();

  /** Each lets somebody in and ends that while the stream is open. */
  const ENDS: Record<string, () => Promise<Person & { end(): Promise<unknown> }>> = {
    leaves: async () => {
      const userId = await aPlayer(chat.app.db, { credits: 20 });
      const joined = await joinGame(chat.app.db, chat.app.jobs, {
        gameId: chat.gameId,
        playerId: userId,
        now: chat.now,
      });
      const { bookingId = "" } = joined as { bookingId?: string };
      const leaving = { bookingId, playerId: userId, now: chat.now };
      const end = () => cancelBooking(chat.app.db, chat.app.jobs, leaving);
      return { userId, cookie: await signIn(chat.app, userId), end };
    },
    "is removed": async () => {
      const { bookingId, ...person } = await aMember();
      const { id: actorId } = await anAdmin(chat.app);
      const removal = {
        gameId: chat.gameId,
        bookingId,
        actorId,
        withRefund: false,
        formKey: undefined,
        now: chat.now,
      };
      return { ...person, end: () => removePlayer(chat.app.db, chat.app.jobs, removal) };
    },
    "is suspended": async () => {
      const person = await aMember();
      const suspended = { suspended_at: chat.now, suspended_reason: "Rough play" };
      return { ...person, end: () => set("users", person.userId, suspended) };
    },
    "signs out": async () => {
      const person = await aMember();
      const sessions = chat.app.db.deleteFrom("sessions").where("user_id", "=", person.userId);
      return { ...person, end: () => sessions.execute() };
    },
    "has a session that expires": async () => {
      const person = await aMember();
      const sessions = chat.app.db.updateTable("sessions").where("user_id", "=", person.userId);
      return { ...person, end: () => sessions.set({ expires_at: hoursLater(-1) }).execute() };
    },
    "is deleted": async () => {
      const person = await aMember();
      return { ...person, end: () => markDeleted(chat.app.db, person.userId) };
    },
    "is no organiser any more": async () => {
      const { id: userId } = await anAdmin(chat.app);
      const roles = chat.app.db.deleteFrom("user_roles").where("user_id", "=", userId);
      return { userId, cookie: await signIn(chat.app, userId), end: () => roles.execute() };
    },
  };

  test.each(Object.keys(ENDS))("any more, once somebody %s", async (name) => {
    const { url } = await chat.start();
    const { cookie, end } = await ENDS[name]!();
    const [witness, stream] = [await chat.open(url), await chat.open(url, { cookie })];
    await chat.write("before");
    await hears(stream, "before");
    await end();
    const heard = stream.text();
    await chat.write("The code is 7137");
    await hears(witness, "The code is 7137");
    const back = await chat.open(url, { cookie, after: "1" });
    await chat.settle(witness);
    expect(stream.text().replace(heard, "")).toMatch(/^[:\n]*$/);
    expect(back.events("chat")).toEqual([]);
  });

  const NEVER: Record<string, () => Promise<string>> = {
    visitor: async () => "",
    forger: async () => "session=made.up",
    stranger: async () => signIn(chat.app, await aPlayer(chat.app.db)),
    "player of another game": async () => {
      const { userId } = await memberOf(chat.database, await aGame(chat.app.db));
      return signIn(chat.app, userId);
    },
    "who waits": async () => {
      const set = { max_players: 1 };
      await chat.app.db.updateTable("games").set(set).where("id", "=", chat.gameId).execute();
      const userId = await aPlayer(chat.app.db, { credits: 50 });
      await waitlistOf(chat.database).wait(chat.gameId, userId);
      return signIn(chat.app, userId);
    },
  };

  test.each(Object.keys(NEVER))("ever: %s", async (who) => {
    const { url } = await chat.start();
    const cookie = await NEVER[who]!();
    const [witness, stream] = [await chat.open(url), await chat.open(url, { cookie })];
    expect(stream.status).toBe(200);
    await chat.settle(witness);
    expect(stream.events("chat")).toEqual([]);
  });

  test("and who is in it hears on, at the end, a day after it, and when it is cancelled", async () => {
    const { url } = await chat.start();
    const stream = await chat.open(url);
    await chat.write("before");
    await cancelGame(chat.app.db, chat.app.jobs, { gameId: chat.gameId, now: chat.now });
    await chat.write("another game?");
    await hears(stream, "another game?");
    chat.now = hoursLater(49.5 + 25);
    const cookie = await signIn(chat.app, chat.bo.userId);
    const late = await chat.open(url, { cookie, after: "3" });
    const [, { id: messageId }] = (await messagesOf(chat.app.db, chat.gameId)) as [
      unknown,
      { id: string },
    ];
    await removeMessage(chat.app.db, {
      gameId: chat.gameId,
      messageId,
      userId: chat.bo.userId,
      now: chat.now,
    });
    await hears(late, "Deleted");
  });
});
