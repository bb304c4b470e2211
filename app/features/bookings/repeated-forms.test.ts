import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, bookingsOf, everything, NOW } from "#test/fixtures.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "./join-game.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";

// A double click without JavaScript, a page gone back to, a proxy that sends again.
const database = useDatabase(12);
let actorId: string;
beforeAll(async () => {
  actorId = await ben(database.db);
});

async function aSeat(wish: Parameters<typeof aGame>[1] = {}) {
  const [gameId, playerId, formKey] = [
    await aGame(database.db, wish),
    await ada(database.db),
    randomUUID(),
  ];
  const join = (wish: { playerId?: string; formKey?: string } = {}) =>
    joinGame(database.db, database.jobs, { gameId, playerId, formKey, now: NOW, ...wish });
  const joined = await join();
  if (!joined.ok) throw new Error(joined.reason);
  return { gameId, playerId, formKey, join, joined };
}

/** Sent twice: the second answer, which has to be the first one's, of a database left as it was. */
async function twice<T>(send: () => Promise<T>): Promise<T> {
  const first = await send();
  return untouched(async () => {
    const second = await send();
    expect(second).toEqual(first);
    return second;
  });
}

async function untouched<T>(send: () => Promise<T>): Promise<T> {
  const before = await everything(database.db);
  const result = await send();
  expect(await everything(database.db)).toEqual(before);
  return result;
}

test("a repeated join gets the first result", async () => {
  const { formKey, join } = await aSeat();
  expect(await twice(() => join())).toEqual({ ok: true, bookingId: formKey, priceCents: 1_000 });
  const another = await untouched(() => join({ formKey: randomUUID() }));
  expect(another).toEqual({ ok: false, reason: "already-joined" });
});

test("twenty concurrent copies of one form make one booking and get the same result", async () => {
  const [gameId, playerId, formKey] = [
    await aGame(database.db),
    await ada(database.db),
    randomUUID(),
  ];
  const join = () => joinGame(database.db, database.jobs, { gameId, playerId, formKey, now: NOW });
  const results = await Promise.all(Array.from({ length: 20 }, join));
  const joined = { ok: true, bookingId: formKey, priceCents: 1_000 };
  expect(results).toEqual(results.map(() => joined));
  expect(await bookingsOf(database.db, gameId)).toHaveLength(1);
});

test("a join that arrives after the seat was given up books nothing", async () => {
  const { playerId, joined, join } = await aSeat();
  const { bookingId } = joined;
  await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
  expect(await untouched(join)).toEqual({ ok: false, reason: "form-used" });
  expect(await join({ formKey: randomUUID() })).toMatchObject({ ok: true });
});

test("another player's form books nothing", async () => {
  const { join } = await aSeat();
  const playerId = await ada(database.db);
  expect(await untouched(() => join({ playerId }))).toEqual({ ok: false, reason: "form-of-other" });
});

test("a form that is sent to ten games at once books one of them", async () => {
  const [playerId, formKey] = [await ada(database.db), randomUUID()];
  const games = await Promise.all(Array.from({ length: 10 }, () => aGame(database.db)));
  const results = await Promise.all(
    games.map((gameId) =>
      joinGame(database.db, database.jobs, { gameId, playerId, formKey, now: NOW }),
    ),
  );
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  const others = results.filter(({ ok }) => !ok);
  expect(others).toEqual(Array(9).fill({ ok: false, reason: "form-of-other" }));
});

test("a repeated cancellation refunds once", async () => {
  const { playerId, joined } = await aSeat();
  const booking = { bookingId: joined.bookingId, playerId, now: NOW };
  const cancel = (formKey: string) =>
    cancelBooking(database.db, database.jobs, { ...booking, formKey });
  const formKey = randomUUID();
  expect(await twice(() => cancel(formKey))).toMatchObject({ ok: true, creditsBackCents: 901 });
  const another = await untouched(() => cancel(randomUUID()));
  expect(another).toEqual({ ok: false, reason: "already-cancelled" });
});

test.each([
  ["in credits", false, 1_000],
  ["of the free session", true, 0],
])("a repeated removal with a refund %s gets the first result", async (_, isFree, cents) => {
  const { gameId, joined } = await aSeat({ is_first_session_free: isFree });
  const seat = { gameId, bookingId: joined.bookingId, actorId, withRefund: true, now: NOW };
  const removeSeat = (formKey: string) =>
    removePlayer(database.db, database.jobs, { ...seat, formKey });
  const formKey = randomUUID();
  const back = { creditsBackCents: cents, isFreeSessionBack: isFree };
  expect(await twice(() => removeSeat(formKey))).toEqual({ ok: true, ...back });
  expect(await removeSeat(randomUUID())).toEqual({ ok: false, reason: "gone" });
});

test("a repeated cancellation of a game gets the first result", async () => {
  const { gameId } = await aSeat();
  const cancel = (formKey: string) =>
    cancelGame(database.db, database.jobs, { gameId, actor: actorId, formKey, now: NOW });
  const formKey = randomUUID();
  expect(await twice(() => cancel(formKey))).toEqual({ ok: true, players: 1 });
  expect(await cancel(randomUUID())).toEqual({ ok: false, reason: "closed" });
});

test("a form adds a player once, and another player separately", async () => {
  const [gameId, formKey] = [await aGame(database.db), randomUUID()];
  const add = (playerId: string) =>
    addPlayer(database.db, database.jobs, { gameId, playerId, actorId, formKey, now: NOW });
  const [cleo, dan] = [await ben(database.db), await ben(database.db)];
  expect(await twice(() => add(cleo))).toMatchObject({ ok: true, bookingId: formKey });
  expect(await add(dan)).toMatchObject({ ok: true });
  const seat = { gameId, bookingId: formKey, actorId, withRefund: false, now: NOW };
  await removePlayer(database.db, database.jobs, seat);
  expect(await untouched(() => add(cleo))).toEqual({ ok: false, reason: "added-before" });
});
