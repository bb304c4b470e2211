import { beforeEach, describe, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { textsOf } from "#test/chat.ts";
import { useDatabase } from "#test/db.ts";
import {
  ada,
  aGame,
  aVenue,
  balanceCents,
  ben,
  everything,
  hoursLater,
  NOW,
} from "#test/fixtures.ts";
import { aPlan } from "#test/games.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import { collectPersonalData } from "#app/features/privacy/personal-data.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { cancelGames, refundUnfinished } from "./bulk-cancellations.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "./cancel-game.server.ts";
import { cancelKey, listToCancel } from "./cancel-games.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { messagePlayers } from "./message-players.server.ts";
import { recordResult, removeResult } from "#app/features/teams/record-result.server.ts";
import { markAttendance } from "#app/features/roster/roster.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
let [actor, venueId] = ["", ""];
let sent: Mail[] = [];
beforeEach(async () => {
  actor = await ben(database.db);
  venueId = await aVenue(database.db);
  sent = [];
});

async function join(gameId: string) {
  const playerId = await ada(database.db);
  const result = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!result.ok) throw new Error(result.reason);
  return { playerId, bookingId: result.bookingId };
}

/** Reads what a page shows; a game that is closed is on no page. */
async function shownOf(gameIds: string[]) {
  const shown = new Map(gameIds.map((id) => [id, ""]));
  for (const gameId of gameIds) {
    const scope = { gameId, withFollowing: false };
    const [game] = await listToCancel(database.db, scope, NOW);
    if (game) shown.set(gameId, cancelKey(game));
  }
  return shown;
}

const cancel = async (gameIds: string[], more: { message?: string; formKey?: string } = {}) => {
  const { message = null, formKey = crypto.randomUUID() } = more;
  const form = { shown: await shownOf(gameIds), actor, message, formKey, now: NOW };
  return cancelGames(database.db, database.jobs, form);
};

/** Sends the emails of this kind that are about a booking. */
async function sendMails(bookingId: string, kind: "game-cancelled" | "game-message") {
  const { rows } = await database.pool.query<{ data: never }>(
    "select data - 'kind' as data from pgboss.job where name = 'mail.send' and data->>'kind' = $1 and data->>'bookingId' = $2",
    [kind, bookingId],
  );
  const mailer = async (mail: Mail) => void sent.push(mail);
  const jobs = mailJobs({ ...testApp(database), mailer });
  for (const { data } of rows) await jobs[kind](data);
}

const messagesOf = (gameId: string) =>
  database.db
    .selectFrom("game_messages")
    .select(["subject", "message", "sent_by"])
    .where("game_id", "=", gameId)
    .execute();

describe("a reason", () => {
  const message = "The hall is flooded.\nTöölö Cage has spots at 20:00.";

  test("is in the email and the chat, and is kept with who sent it", async () => {
    const gameId = await aGame(database.db);
    const { bookingId, playerId } = await join(gameId);
    expect(await cancel([gameId], { message })).toMatchObject({ games: 1, players: 1 });
    await sendMails(bookingId, "game-cancelled");
    expect(sent[0]?.text).toMatch(/call it off:\s+The hall is flooded\.\s+Töölö Cage has spots/);
    expect(sent[0]?.text).toContain("10 credits are back in your wallet.");
    expect(await textsOf(database.db, gameId)).toContain(
      `Announcement: Game cancelled\n${message}`,
    );
    expect(await messagesOf(gameId)).toEqual([
      { subject: "Game cancelled", message, sent_by: actor },
    ]);
    const { "game-messages": exported } = await collectPersonalData(database.db, playerId);
    expect(exported).toMatchObject([{ message }]);
  });

  test("reaches nobody where nobody is in, and is not kept", async () => {
    const gameId = await aGame(database.db);
    expect(await cancel([gameId], { message })).toMatchObject({ games: 1, players: 0 });
    expect(await messagesOf(gameId)).toEqual([]);
  });

  test("is kept once, however often the form is sent", async () => {
    const [gameId, formKey] = [await aGame(database.db), crypto.randomUUID()];
    await join(gameId);
    await cancel([gameId], { message, formKey });
    const before = await everything(database.db);
    expect(await cancel([gameId], { message, formKey })).toMatchObject({ games: 1, players: 1 });
    expect(await everything(database.db)).toEqual(before);
  });
});

test("a game that has begun since it was shown is not cancelled, unless it is the one of the page", async () => {
  const gameId = await aGame(database.db, { startsIn: 1 });
  await join(gameId);
  const shown = await shownOf([gameId]);
  const form = { shown, actor, message: null, formKey: undefined, now: hoursLater(2) };
  const send = (named?: string) => cancelGames(database.db, database.jobs, { ...form, named });
  expect(await send()).toMatchObject({ games: 0, closed: 1 });
  expect(await send(gameId)).toMatchObject({ games: 1, players: 1 });
});

test("a form that is sent again after kick-off gets its first result", async () => {
  const gameId = await aGame(database.db, { startsIn: 1 });
  await join(gameId);
  const [shown, formKey] = [await shownOf([gameId]), crypto.randomUUID()];
  const send = (now: Date) =>
    cancelGames(database.db, database.jobs, { shown, actor, message: null, formKey, now });
  expect(await send(NOW)).toMatchObject({ games: 1, players: 1, closed: 0 });
  expect(await send(hoursLater(2))).toMatchObject({ games: 1, players: 1, closed: 0 });
});

describe("the players of a cancelled game", () => {
  const words = { subject: "Instead", message: "Next Tuesday?" };
  const write = (gameId: string, hours = 1) =>
    messagePlayers(database.db, database.jobs, {
      ...{ gameId, actorId: actor, messageId: crypto.randomUUID(), ...words },
      now: hoursLater(hours),
    });

  test("are reached, but not who had left before", async () => {
    const gameId = await aGame(database.db);
    const [one, gone] = [await join(gameId), await join(gameId)];
    await cancelBooking(database.db, database.jobs, { ...gone, now: NOW });
    await cancel([gameId]);
    expect(await write(gameId)).toEqual({ ok: true, players: 1 });
    for (const { bookingId } of [one, gone]) await sendMails(bookingId, "game-message");
    expect(sent.map(({ subject }) => subject)).toEqual(["Instead"]);
    const { "game-messages": exported } = await collectPersonalData(database.db, one.playerId);
    expect(exported).toMatchObject([words]);
  });

  test("no longer read what was sent before, whose email waited", async () => {
    const gameId = await aGame(database.db);
    const { bookingId } = await join(gameId);
    await write(gameId, -1);
    await cancel([gameId]);
    await sendMails(bookingId, "game-message");
    expect(sent).toEqual([]);
  });
});

describe("a game that was played", () => {
  const AFTER = hoursLater(4);
  const cancelLate = (gameId: string) =>
    cancelGame(database.db, database.jobs, { gameId, actor, now: AFTER });

  test("is not cancelled while somebody is checked in", async () => {
    const gameId = await aGame(database.db, { startsIn: 1 });
    const { bookingId } = await join(gameId);
    const mark = { gameId, bookingId, actorId: actor, now: AFTER };
    await markAttendance(database.db, { ...mark, from: null, to: "CheckedIn" });
    const before = await everything(database.db);
    expect(await cancelLate(gameId)).toEqual({ ok: false, reason: "played" });
    expect(await everything(database.db)).toEqual(before);
    await markAttendance(database.db, { ...mark, from: "CheckedIn", to: null });
    expect(await cancelLate(gameId)).toEqual({ ok: true, players: 1 });
  });

  test("is not cancelled while it has a result, which can be taken back", async () => {
    const gameId = await aGame(database.db, { startsIn: 1 });
    const { bookingId, playerId } = await join(gameId);
    const result = { firstScore: 2, secondScore: 1, version: 0, now: AFTER };
    const players = [{ bookingId, goals: 2, hasWon: true }];
    await recordResult(database.db, { gameId, actorId: actor, ...result, players });
    expect(await cancelLate(gameId)).toEqual({ ok: false, reason: "played" });
    const back = { gameId, actorId: actor };
    expect(await removeResult(database.db, { ...back, version: 7 })).toEqual({
      ...{ ok: false, reason: "changed" },
    });
    for (let n = 0; n < 2; n += 1) {
      expect(await removeResult(database.db, { ...back, version: 1 })).toEqual({ ok: true });
    }
    const seats = database.db.selectFrom("bookings").select(["goals", "has_won"]);
    expect(await seats.where("id", "=", bookingId).execute()).toEqual([
      { goals: null, has_won: null },
    ]);
    expect(await cancelLate(gameId)).toEqual({ ok: true, players: 1 });
    expect(await balanceCents(database.db, playerId)).toBe(10_000);
  });

  test("is listed as such, beside the games that are cancelled", async () => {
    const gameId = await aGame(database.db, { startsIn: 1 });
    const { bookingId } = await join(gameId);
    const mark = { gameId, bookingId, actorId: actor, from: null, now: AFTER };
    await markAttendance(database.db, { ...mark, to: "CheckedIn" });
    const scope = { gameId, withFollowing: false };
    expect(await listToCancel(database.db, scope, AFTER)).toMatchObject([
      { id: gameId, isPlayed: true },
    ]);
  });
});

/** Four weeks from December 2nd. */
async function aSeries(): Promise<string[]> {
  const wish = { plan: aPlan(venueId, { maxPlayers: 2 }), weeks: 4, status: "Published" as const };
  const made = await createGames(database.db, { ...wish, actorId: actor, now: NOW });
  return made.ok ? made.gameIds : [];
}

describe("what is cancelled", () => {
  test("is this game, or with the following ones: players, who waits, and what comes back", async () => {
    const [first = "", second = "", third = "", fourth = ""] = await aSeries();
    await join(second);
    await join(second);
    await list.wait(second, await ada(database.db));
    await cancel([third]);
    const scope = { gameId: second, withFollowing: true };
    const found = await listToCancel(database.db, scope, NOW);
    expect(found).toMatchObject([
      { id: second, players: 2, waiting: 1, creditsCents: 2_000, freeSessions: 0 },
      { id: fourth, players: 0, waiting: 0, creditsCents: 0 },
    ]);
    expect(await listToCancel(database.db, { ...scope, withFollowing: false }, NOW)).toHaveLength(
      1,
    );
    expect(first).not.toBe("");
  });

  test("is every game of a venue in a period, both days included, that has not begun", async () => {
    const [first = "", second = "", third = ""] = await aSeries();
    const draft = await aGame(database.db, { venue_id: venueId, status: "Draft", startsIn: 260 });
    await aGame(database.db, { venue_id: venueId, startsIn: -1 });
    await aGame(database.db, { startsIn: 48 });
    const period = { venueId, from: "2026-11-21", to: "2026-12-16" };
    const found = await listToCancel(database.db, period, NOW);
    expect(found.map(({ id }) => id)).toEqual([draft, first, second, third]);
    expect(await listToCancel(database.db, { ...period, venueId: "7" }, NOW)).toEqual([]);
  });
});

test("one game whose refund fails keeps no other from its own, and is refunded later", async () => {
  const series = await aSeries();
  const players = [];
  for (const gameId of series) players.push(await join(gameId));
  // The third refund fails, as if the server had been killed there.
  const block = { user_id: players[2]!.playerId, type: "refund" as const, amount_eur: "10.00" };
  const key = { business_key: `refund:${players[2]!.bookingId}`, status: "pending" as const };
  await database.db
    .insertInto("wallet_transactions")
    .values({ ...block, ...key })
    .execute();
  const formKey = crypto.randomUUID();
  const form = { games: 4, changed: 0, closed: 0, played: 0 };
  const first = await cancel(series, { formKey });
  expect(first).toMatchObject({ ...form, isFinished: false });
  const statuses = async () => {
    const games = database.db.selectFrom("games").select(["status", "seats_taken"]);
    return (await games.where("id", "in", series).orderBy("starts_at").execute()).map(
      ({ status, seats_taken }) => `${status} ${seats_taken}`,
    );
  };
  expect(await statuses()).toEqual(["Cancelled 0", "Cancelled 0", "Cancelled 1", "Cancelled 0"]);
  await expect(refundUnfinished(database.db, database.jobs, NOW)).rejects.toThrow("refunds");
  await database.pool.query("alter table wallet_transactions disable trigger all");
  await database.db
    .deleteFrom("wallet_transactions")
    .where("business_key", "=", key.business_key)
    .execute();
  await database.pool.query("alter table wallet_transactions enable trigger all");
  for (let n = 0; n < 2; n += 1) {
    expect(await cancel(series, { formKey })).toEqual({
      ...{ ok: true, ...form, players: 4, id: formKey, isFinished: true },
    });
  }
  expect(await statuses()).toEqual(Array(4).fill("Cancelled 0"));
  for (const { playerId } of players)
    expect(await balanceCents(database.db, playerId)).toBe(10_000);
  expect((await checkBooks(database.db)).differences).toEqual([]);
  expect(await cancel(series)).toMatchObject({ games: 0, players: 0, closed: 4 });
});
