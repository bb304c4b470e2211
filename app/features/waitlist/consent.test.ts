import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, aVenue, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { entryOf, statusesIn, waitlistOf } from "#test/waitlist.ts";
import type { GamePlan } from "#app/features/games/plan.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { leaveWaitlist } from "./join-waitlist.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
afterEach(() => expectRightBooks(database));

async function edit(gameId: string, wish: (plan: GamePlan) => Partial<GamePlan>) {
  const { plan, version } = (await findPlannedGame(database.db, gameId))!;
  const result = await editGame(database.db, database.jobs, {
    ...{ gameId, version, plan: { ...plan, ...wish(plan) }, actorId: await ben(database.db) },
    ...{ withFollowing: false, confirmed: true, now: NOW },
  });
  if (!result.ok) throw new Error(result.reason);
}
const aDayLater = ({ date }: GamePlan) => ({
  date: new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10),
});
const elsewhere = async () => {
  const venueId = await aVenue(database.db, { name: "Harbour Cage" });
  return () => ({ venueId });
};

describe("the place stays and is asked again after an edit of", () => {
  test.each<[string, () => Promise<(plan: GamePlan) => Partial<GamePlan>>]>([
    ["the date", async () => aDayLater],
    ["the start", async () => () => ({ startTime: "11:30" })],
    ["the end", async () => () => ({ endTime: "14:00" })],
    ["the place", elsewhere],
    ["the price", async () => () => ({ isFirstSessionFree: true })],
  ])("%s", async (_, makeWish) => {
    const { gameId, seat } = await list.fullGame();
    const [first] = await list.waiters(gameId, 1);
    await edit(gameId, await makeWish());
    const entry = await entryOf(database.db, gameId, first!);
    expect(entry).toMatchObject({ status: "Waiting", needs_consent: true, created_at: NOW });
    expect(await list.mailsTo(entry.id)).toEqual(["waitlist-changed"]);
    await list.cancel(seat);
    expect(await list.promote(gameId)).toBe(0);
    expect(await list.mailsTo(entry.id)).toEqual(["waitlist-changed"]);
  });

  test.each<[string, Partial<GamePlan>]>([
    ["its words", { title: "Futsal for all", description: "Bring a ball.", playerNotes: "Door B" }],
    ["its size", { maxPlayers: 2 }],
  ])("but not of %s", async (_, wish) => {
    const { gameId } = await list.fullGame();
    const [first] = await list.waiters(gameId, 1);
    await edit(gameId, () => wish);
    const entry = await entryOf(database.db, gameId, first!);
    expect(entry).toMatchObject({ needs_consent: false });
    expect(await list.mailsTo(entry.id)).toEqual([]);
  });
});

test("who agrees again keeps the turn, by the new time, price and mode", async () => {
  const { gameId, seat } = await list.fullGame();
  const [first, second] = await list.waiters(gameId, 2, { until: 24 });
  await edit(gameId, aDayLater);
  const before = await entryOf(database.db, gameId, first!);
  expect(before.not_after).toEqual(hoursLater(48));
  await list.wait(gameId, second!, { until: 3, now: hoursLater(1) });
  const formKey = crypto.randomUUID();
  await list.wait(gameId, first!, { formKey, until: 3, mode: "ask", now: hoursLater(2) });
  expect(await entryOf(database.db, gameId, first!)).toMatchObject({
    ...{ id: before.id, created_at: NOW, needs_consent: false, mode: "ask" },
    ...{ agreed_at: hoursLater(2), until_hours: 3, not_after: hoursLater(72 - 3) },
  });
  // The same form again does nothing; another one reads that the player waits.
  expect(await list.tryWait(gameId, first!, { formKey, until: 24 })).toEqual({ ok: true });
  expect(await list.tryWait(gameId, first!)).toMatchObject({ reason: "already-waiting" });
  expect((await entryOf(database.db, gameId, first!)).until_hours).toBe(3);
  await list.cancel(seat, hoursLater(3));
  await list.promote(gameId, hoursLater(3));
  expect((await entryOf(database.db, gameId, first!)).status).toBe("Offered");
  expect((await entryOf(database.db, gameId, second!)).status).toBe("Waiting");
});

test("a form that agreed again puts nobody on the list who has left it since", async () => {
  const { gameId } = await list.fullGame();
  const [first] = await list.waiters(gameId, 1);
  await edit(gameId, aDayLater);
  const formKey = crypto.randomUUID();
  await list.wait(gameId, first!, { formKey });
  const leaving = { gameId, playerId: first!, now: NOW };
  expect(await leaveWaitlist(database.db, database.jobs, leaving)).toEqual({ ok: true });
  expect(await list.tryWait(gameId, first!, { formKey })).toMatchObject({ reason: "form-used" });
  expect(await statusesIn(database.db, gameId)).toEqual(["Left"]);
});

test("who has not agreed again is passed over, and comes first again afterwards", async () => {
  const { gameId, seats } = await list.fullGame({ spots: 2 });
  const [first, second] = await list.waiters(gameId, 2);
  await edit(gameId, aDayLater);
  await list.wait(gameId, second!, { now: hoursLater(1) });
  await list.cancel(seats[0]!, hoursLater(2));
  await list.promote(gameId, hoursLater(2));
  expect((await entryOf(database.db, gameId, second!)).status).toBe("Promoted");
  await list.waiters(gameId, 1, { now: hoursLater(3) });
  await list.wait(gameId, first!, { now: hoursLater(4) });
  await list.cancel(seats[1]!, hoursLater(5));
  await list.promote(gameId, hoursLater(5));
  expect((await entryOf(database.db, gameId, first!)).status).toBe("Promoted");
});

test("who agrees again while a spot is free queues the promotion, and nobody else does", async () => {
  const { gameId, seat } = await list.fullGame();
  const [first] = await list.waiters(gameId, 1);
  await edit(gameId, aDayLater);
  await list.cancel(seat, hoursLater(1));
  const queued = async () => {
    const query = `delete from pgboss.job where name = 'waitlist.promote' and data->>'gameId' = $1`;
    return (await database.pool.query(query, [gameId])).rowCount;
  };
  await queued();
  await list.wait(gameId, first!, { now: hoursLater(2) });
  expect(await queued()).toBe(1);
  await list.promote(gameId, hoursLater(2));
  await list.wait(gameId, await aPlayer(database.db), { now: hoursLater(3) });
  expect(await queued()).toBe(0);
});

test("an offer of the game as it was is withdrawn, without counting as missed", async () => {
  const { gameId, seat } = await list.fullGame();
  const [first] = await list.waiters(gameId, 1, { mode: "ask" });
  await list.cancel(seat);
  await list.promote(gameId);
  await edit(gameId, aDayLater);
  expect(await entryOf(database.db, gameId, first!)).toMatchObject({
    ...{ status: "Waiting", offer_expires_at: null, needs_consent: true, missed_offers: 0 },
  });
});

test("the spot of an offer that a move by SQL withdraws goes to the next at once", async () => {
  const { gameId, seat } = await list.fullGame();
  await list.waiters(gameId, 1, { mode: "ask" });
  await list.cancel(seat);
  await list.promote(gameId);
  await database.pool.query("update games set date = date + 1 where id = $1", [gameId]);
  const [next] = await list.waiters(gameId, 1, { now: hoursLater(1) });
  expect(await list.promote(gameId, hoursLater(1))).toBe(1);
  expect((await entryOf(database.db, gameId, next!)).status).toBe("Promoted");
});

test("a chosen time that a move has brought into the past ends the place", async () => {
  const { gameId } = await list.fullGame({ startsIn: 26 });
  const [first] = await list.waiters(gameId, 1, { until: 24 });
  await edit(gameId, () => ({ startTime: "11:00", endTime: "12:30" }));
  await list.promote(gameId);
  const entry = await entryOf(database.db, gameId, first!);
  expect(entry).toMatchObject({ status: "Lapsed", end_reason: "TimePassed" });
});

describe("what SQL has moved is asked again by the sweep, once", () => {
  test.each([
    ["another day", "update games set date = date + 1 where id = $1"],
    ["another hour", "update games set start_time = '11:00' where id = $1"],
    ["another end", "update games set end_time = '14:00' where id = $1"],
    [
      "another place",
      "update games set venue_id = (select id from venues where id <> games.venue_id limit 1) where id = $1",
    ],
  ])("%s", async (_, statement) => {
    await aVenue(database.db);
    const { gameId, seat } = await list.fullGame();
    const [first] = await list.waiters(gameId, 1);
    await database.pool.query(statement, [gameId]);
    await list.cancel(seat);
    for (let run = 0; run < 2; run += 1) await list.sweep();
    const entry = await entryOf(database.db, gameId, first!);
    expect(entry).toMatchObject({ status: "Waiting", needs_consent: true });
    expect(await list.mailsTo(entry.id)).toEqual(["waitlist-changed"]);
    await list.wait(gameId, first!, { now: hoursLater(1) });
    await list.sweep(hoursLater(1));
    expect((await entryOf(database.db, gameId, first!)).status).toBe("Promoted");
  });

  test("a latest time that SQL has changed is the one that counts", async () => {
    const { gameId } = await list.fullGame();
    const playerId = await aPlayer(database.db, { credits: 10 });
    const id = await list.wait(gameId, playerId);
    await database.pool.query("update waitlist_entries set not_after = $2 where id = $1", [
      ...[id, NOW],
    ]);
    await list.sweep();
    expect((await entryOf(database.db, gameId, playerId)).end_reason).toBe("TimePassed");
  });
});
