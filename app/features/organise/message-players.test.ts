import { beforeEach, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, hoursLater, NOW } from "#test/fixtures.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { purgeMessages, messagePlayers } from "./message-players.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";

const database = useDatabase();
const sent: Mail[] = [];
beforeEach(() => void sent.splice(0));
const jobs = () => mailJobs({ ...testApp(database), mailer: async (mail) => void sent.push(mail) });

async function twoPlayers() {
  const gameId = await aGame(database.db);
  const [one, other] = [await ada(database.db), await ben(database.db)];
  const joined = await joinGame(database.db, database.jobs, { gameId, playerId: one, now: NOW });
  const addition = { gameId, playerId: other, actorId: one, now: NOW };
  const added = await addPlayer(database.db, database.jobs, addition);
  if (!joined.ok || !added.ok) throw new Error("they are not in");
  return { gameId, actorId: one, joined: joined.bookingId, added: added.bookingId };
}
const queued = async (messageId: string) => {
  const { rows } = await database.pool.query<{ data: { messageId: string; bookingId: string } }>(
    "select data - 'kind' as data from pgboss.job where name = 'mail.send' and data->>'kind' = 'game-message' and data->>'messageId' = $1",
    [messageId],
  );
  return rows.map(({ data }) => data);
};

test("each player in the game gets one email, however often the form is sent", async () => {
  const { gameId, actorId, joined, added } = await twoPlayers();
  const messageId = crypto.randomUUID();
  const words = { subject: "Bring a white shirt", message: "We play\nin the rain." };
  const message = { messageId, gameId, actorId, now: NOW, ...words };
  for (let n = 0; n < 3; n += 1) {
    const result = await messagePlayers(database.db, database.jobs, message);
    expect(result).toEqual({ ok: true, players: 2 });
  }
  const mails = await queued(messageId);
  expect(mails).toHaveLength(2);
  for (const data of mails) await jobs()["game-message"](data);
  expect(sent.map(({ subject }) => subject)).toEqual([words.subject, words.subject]);
  expect(new Set(sent.map(({ to, key }) => `${to} ${key}`)).size).toBe(2);
  expect(sent[0]?.text).toMatch(/We play\s+in the rain\./);
  // Players who have left since read no more of it, and the form still says whom it was sent to.
  for (const bookingId of [joined, added]) {
    const removal = { gameId, bookingId, actorId, withRefund: true, now: NOW };
    await removePlayer(database.db, database.jobs, removal);
  }
  const again = await messagePlayers(database.db, database.jobs, message);
  expect(again).toEqual({ ok: true, players: 2 });
  sent.splice(0);
  for (const data of mails) await jobs()["game-message"](data);
  expect(sent).toEqual([]);
  const entries = database.db
    .selectFrom("audit_log")
    .select("details")
    .where("subject", "=", gameId)
    .where("action", "=", "game.message");
  expect(await entries.execute()).toEqual([
    { details: { messageId, before: null, after: { players: 2 } } },
  ]);
});

test("a message is kept for a year", async () => {
  const { gameId, actorId } = await twoPlayers();
  const write = async (now: Date) => {
    const messageId = crypto.randomUUID();
    const words = { subject: "Bring a white shirt", message: "And a black one." };
    const message = { messageId, gameId, actorId, now, ...words };
    expect(await messagePlayers(database.db, database.jobs, message)).toMatchObject({ ok: true });
    return messageId;
  };
  const [, younger] = [await write(NOW), await write(hoursLater(1))];
  await purgeMessages(database.db, hoursLater(365 * 24));
  const kept = database.db.selectFrom("game_messages").select("id").where("game_id", "=", gameId);
  expect(await kept.execute()).toEqual([{ id: younger }]);
});

test("no players or no game: no email", async () => {
  const words = { subject: "Hi", message: "All", actorId: await ada(database.db), now: NOW };
  const message = { ...words, messageId: crypto.randomUUID() };
  const empty = { ...message, gameId: await aGame(database.db) };
  expect(await messagePlayers(database.db, database.jobs, empty)).toMatchObject({
    reason: "nobody",
  });
  for (const gameId of ["x", crypto.randomUUID()]) {
    const result = await messagePlayers(database.db, database.jobs, { ...message, gameId });
    expect(result).toMatchObject({ reason: "not-found" });
  }
});

test("a form that already sent another message sends nothing", async () => {
  const { gameId, actorId } = await twoPlayers();
  const { gameId: otherGame } = await twoPlayers();
  const words = { subject: "Rain", message: "Bring a jacket." };
  const message = { messageId: crypto.randomUUID(), gameId, actorId, now: NOW, ...words };
  await messagePlayers(database.db, database.jobs, message);
  for (const change of [{ subject: "Sun" }, { message: "No rain." }, { gameId: otherGame }]) {
    const result = await messagePlayers(database.db, database.jobs, { ...message, ...change });
    expect(result).toEqual({ ok: false, reason: "sent-before" });
  }
  expect(await queued(message.messageId)).toHaveLength(2);
});

test("added and removed players are notified, with their refund", async () => {
  const { gameId, actorId, joined, added } = await twoPlayers();
  await jobs()["added-to-game"]({ bookingId: added });
  expect(sent[0]?.subject).toBe("You're on the list: Mon 12:00, Nov 23");
  expect(sent[0]?.text).toContain("No credits were taken");
  for (const bookingId of [joined, added]) {
    const removal = { gameId, bookingId, actorId, withRefund: true, now: NOW };
    await removePlayer(database.db, database.jobs, removal);
    await jobs()["removed-from-game"]({ bookingId });
  }
  expect(sent[1]?.text).toContain("10 credits are back in your wallet.");
  expect(sent[2]?.text).toContain("No credits were refunded.");
  // Taken off again before the email went out.
  await jobs()["added-to-game"]({ bookingId: added });
  expect(sent).toHaveLength(3);
});
