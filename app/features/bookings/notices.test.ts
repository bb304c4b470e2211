import { beforeEach, describe, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { pageBehind } from "#test/email-links.ts";
import { testApp } from "#test/app.ts";
import { eventsOf } from "#test/calendar.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { addPlayer, type SeatPayment } from "#app/features/roster/add-player.server.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "./join-game.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";

const database = useDatabase();
const sent: Mail[] = [];
beforeEach(() => void sent.splice(0));
const jobs = () =>
  mailJobs({ ...testApp(database, () => NOW), mailer: async (mail) => void sent.push(mail) });

async function booked(wish: Parameters<typeof aGame>[1] = {}) {
  const playerId = await aPlayer(database.db, { name: "Ada", credits: 50 });
  const gameId = await aGame(database.db, wish);
  const result = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!result.ok) throw new Error(result.reason);
  return { playerId, gameId, bookingId: result.bookingId };
}

describe("the mail of a", () => {
  test("booking says when, where, what it cost and until when it can be given back", async () => {
    const { bookingId, gameId } = await booked();
    await jobs()["booking-confirmed"]({ bookingId });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.to).toMatch(/^ada\d+@uni\.example$/);
    expect(sent[0]?.subject).toBe("You're in: Mon 12:00, Nov 23");
    expect(sent[0]?.text).toContain("Hi Ada,");
    expect(sent[0]?.text).toContain("Campus Hall, Espoo");
    expect(sent[0]?.text).toContain("10 credits.");
    expect(sent[0]?.text).toContain("Cancel by Sun 12:00 to get 9.01 credits back.");
    expect(pageBehind(/<a[^>]*href="([^"]+)"/.exec(sent[0]?.html ?? "")?.[1])).toBe(
      `http://kickabout.test/events/${gameId}`,
    );
  });

  test("free booking claims no credits", async () => {
    const { bookingId } = await booked({ is_first_session_free: true });
    await jobs()["booking-confirmed"]({ bookingId });
    expect(sent[0]?.text).toContain("This one's free.");
    expect(sent[0]?.text).not.toMatch(/\d credits/);
  });

  test.each([
    [48, "9.01 credits are back in your wallet."],
    [
      5,
      "Nothing comes back now. 9.01 credits come back if somebody takes your spot before kick-off.",
    ],
  ])("cancellation %i hours ahead says what came back", async (startsIn, words) => {
    const { bookingId, playerId } = await booked({ startsIn });
    await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
    await jobs()["booking-cancelled"]({ bookingId });
    expect(sent[0]?.text).toContain(words);
  });

  test("cancelled game says that everything was refunded", async () => {
    const { bookingId, gameId } = await booked({ startsIn: 5 });
    await cancelGame(database.db, database.jobs, { gameId, now: hoursLater(4) });
    await jobs()["game-cancelled"]({ bookingId });
    expect(sent[0]?.text).toContain("10 credits are back in your wallet.");
  });

  test.each([
    ["game-cancelled", true, "Your free session is back for another game."],
    ["removed-from-game", true, "Your free session is back for another game."],
    ["removed-from-game", false, "No credits were refunded."],
  ] as const)("%s says that a free session is back: %s", async (name, isFreeSessionBack, text) => {
    const { bookingId, gameId, playerId: actorId } = await booked({ is_first_session_free: true });
    const end = { gameId, bookingId, actorId, withRefund: isFreeSessionBack, now: NOW };
    if (name === "game-cancelled") await cancelGame(database.db, database.jobs, end);
    else await removePlayer(database.db, database.jobs, end);
    const { rows } = await database.pool.query(
      "select data - 'kind' as data from pgboss.job where name = 'mail.send' and data->>'kind' = $1 and data->>'bookingId' = $2",
      [name, bookingId],
    );
    await jobs()[name](rows[0].data);
    expect(sent[0]?.text).toContain(text);
  });
});

test.each<[string, SeatPayment, { is_first_session_free?: boolean; startsIn?: number }, string[]]>([
  ["is unpaid", { by: "nothing" }, {}, ["settle it with the organiser", "write to"]],
  [
    "is paid by hand",
    { by: "cash", amountCents: 1_000, method: "Cash" },
    {},
    ["you have paid the organiser", "write to"],
  ],
  [
    "is charged",
    { by: "credits" },
    {},
    ["10 credits were taken from your wallet.", "cancel under My Games. Cancel by Sun 12:00"],
  ],
  [
    "is the free session",
    { by: "credits" },
    { is_first_session_free: true },
    ["It is your free session.", "Cancelling a free game is irreversible."],
  ],
  [
    "is charged after kick-off",
    { by: "credits" },
    { startsIn: -0.5 },
    ["10 credits were taken from your wallet.", "write to"],
  ],
])("who is added to a game reads that the seat %s", async (_, payment, wish, words) => {
  const { db } = database;
  const [gameId, playerId] = [await aGame(db, wish), await aPlayer(db, { credits: 20 })];
  const addition = { gameId, playerId, actorId: playerId, payment, now: NOW };
  const added = await addPlayer(db, database.jobs, addition);
  if (!added.ok) throw new Error(added.reason);
  await jobs()["added-to-game"]({ bookingId: added.bookingId });
  for (const text of words) expect(sent[0]?.text).toContain(text);
});

test("the mail that one is in has the game as a file, and so has each that it changes", async () => {
  const { bookingId, gameId, playerId } = await booked({ player_notes: "Gate code 7137" });
  await jobs()["booking-confirmed"]({ bookingId });
  await jobs()["added-to-game"]({ bookingId });
  await database.pool.query("update games set start_time = '15:00', end_time = '16:30'");
  const facts = { date: "2026-11-23", endTime: "16:30", venueId: gameId, maxPlayers: 10 };
  const game = { ...facts, startTime: "15:00", isFirstSessionFree: false };
  await jobs()["game-changed"]({ bookingId, version: 2, before: game, after: game });
  await cancelGame(database.db, database.jobs, { gameId, now: NOW });
  await jobs()["game-cancelled"]({ bookingId });
  const files = sent.map(({ attachments }) => attachments!.map(({ filename }) => filename));
  expect(files).toEqual(Array(4).fill(["game.ics"]));
  const events = sent.map(({ attachments }) => eventsOf(attachments![0]!.content)[0]!);
  expect(events.map(({ uid }) => uid)).toEqual(Array(4).fill(gameId));
  expect(events.map(({ sequence, status }) => `${sequence} ${status}`)).toEqual([
    ...["1 CONFIRMED", "1 CONFIRMED", "2 CONFIRMED", "3 CANCELLED"],
  ]);
  expect(events.map(({ start }) => start.getUTCHours())).toEqual([10, 10, 13, 13]);
  expect(events.map(({ description }) => description.includes("7137"))).toEqual([
    ...[true, true, true, false],
  ]);
  sent.splice(0);
  await jobs()["booking-cancelled"]({ bookingId });
  await removePlayer(database.db, database.jobs, {
    ...{ gameId, bookingId, actorId: playerId, withRefund: true, now: NOW },
  });
  await jobs()["removed-from-game"]({ bookingId });
  expect(sent.map(({ attachments }) => attachments)).toEqual([undefined, undefined]);
});

test("a job that runs twice sends the same mail under the same key", async () => {
  const { bookingId } = await booked();
  for (let n = 0; n < 2; n += 1) await jobs()["booking-confirmed"]({ bookingId });
  expect(sent[0]).toEqual(sent[1]);
});

test("a missing or cancelled booking sends no confirmation", async () => {
  const { bookingId, playerId } = await booked();
  await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
  await jobs()["booking-confirmed"]({ bookingId });
  await jobs()["booking-confirmed"]({ bookingId: crypto.randomUUID() });
  expect(sent).toEqual([]);
});
