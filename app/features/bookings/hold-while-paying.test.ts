import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { heldCount, holdsOf } from "#test/holds.ts";
import { payingOf, paymentHoldsOf, paymentStatuses } from "#test/payment-holds.ts";
import { somePacks } from "#test/payments.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "./join-game.server.ts";

const database = useDatabase();
const db = () => database.db;
const paying = payingOf(database);
const list = waitlistOf(database);
beforeAll(() => somePacks(db()));

const minutes = (count: number) => hoursLater(count / 60);
const tryJoin = async (gameId: string, now = NOW) =>
  joinGame(db(), database.jobs, { gameId, playerId: await ada(db()), now });

test("who goes to pay holds a spot for 15 minutes, counted everywhere", async () => {
  const gameId = await aGame(db(), { spots: 1 });
  const playerId = await ben(db());
  await paying.hold(gameId, playerId);
  expect(await paying.find(gameId, playerId)).toMatchObject({
    until: minutes(15),
    holdsSpot: true,
    isPaid: false,
    isPending: false,
  });
  expect(await heldCount(db(), gameId)).toBe(1);
  expect(await tryJoin(gameId)).toEqual({ ok: false, reason: "full" });
  expect(await tryJoin(gameId, minutes(14.9))).toEqual({ ok: false, reason: "full" });
});

test("a spot that is not paid in time is free for anybody at once, also before the sweep", async () => {
  const gameId = await aGame(db(), { spots: 1 });
  const playerId = await ben(db());
  await paying.hold(gameId, playerId);
  expect(await paying.find(gameId, playerId, minutes(15))).toBeNull();
  expect(await tryJoin(gameId, minutes(15))).toMatchObject({ ok: true });
  expect(await paymentStatuses(db(), playerId)).toEqual(["Lapsed"]);
});

test("a spot that lapses goes to the first who waits", async () => {
  const gameId = await aGame(db(), { spots: 1 });
  await paying.hold(gameId, await ben(db()));
  const [waiter] = await list.waiters(gameId, 1);
  await paying.sweep(minutes(14));
  expect(await bookingsOf(db(), gameId)).toEqual([]);
  await paying.sweep(minutes(15));
  expect(await bookingsOf(db(), gameId)).toMatchObject([{ user_id: waiter }]);
  expect(await heldCount(db(), gameId)).toBe(0);
});

test("no spot is held that belongs to somebody who waits", async () => {
  const { gameId, seat } = await list.fullGame();
  await list.waiters(gameId, 1);
  await list.cancel(seat);
  const playerId = await ben(db());
  expect(await paying.tryHold(gameId, playerId)).toEqual({
    ok: false,
    reason: "belongs-to-waitlist",
  });
  expect(await paymentHoldsOf(db(), playerId)).toEqual([]);
});

test("a player who could not join holds no spot either", async () => {
  const { gameId: full } = await list.fullGame();
  const playerId = await ben(db());
  const reason = async (gameId: string, more = {}) => {
    const held = await paying.tryHold(gameId, playerId, more);
    return held.ok || held.reason;
  };
  expect(await reason(full)).toBe("full");
  const gameId = await aGame(db());
  expect(await reason(gameId, { now: hoursLater(48) })).toBe("started");
  expect(await reason(gameId, { shown: { price: "8" } })).toBe("changed");
  expect(await reason(await aGame(db(), { status: "Cancelled" }))).toBe("not-published");
  expect(await reason(crypto.randomUUID())).toBe("not-found");
  expect(await paymentHoldsOf(db(), playerId)).toEqual([]);
});

test("a free session holds no spot, as nothing has to be paid for it", async () => {
  const gameId = await aGame(db(), { is_first_session_free: true });
  const playerId = await ben(db());
  expect(await paying.tryHold(gameId, playerId)).toEqual({ ok: true });
  expect(await paymentHoldsOf(db(), playerId)).toEqual([]);
});

test("the same game again keeps the spot and its time", async () => {
  const gameId = await aGame(db());
  const playerId = await ben(db());
  const id = await paying.hold(gameId, playerId);
  expect(await paying.hold(gameId, playerId, { now: minutes(10) })).toBe(id);
  expect(await paying.find(gameId, playerId, minutes(10))).toMatchObject({ until: minutes(15) });
  expect(await heldCount(db(), gameId)).toBe(1);
});

test("another game takes the place of the first, whose spot goes to who waits", async () => {
  const gameId = await aGame(db(), { spots: 1 });
  const playerId = await ben(db());
  await paying.hold(gameId, playerId);
  const [waiter] = await list.waiters(gameId, 1);
  const other = await aGame(db());
  await paying.hold(other, playerId, { now: minutes(1) });
  expect(await paymentStatuses(db(), playerId)).toEqual(["GivenBack", "Held"]);
  expect([await heldCount(db(), gameId), await heldCount(db(), other)]).toEqual([0, 1]);
  await list.promote(gameId, minutes(1));
  expect(await bookingsOf(db(), gameId)).toMatchObject([{ user_id: waiter }]);
});

test("a game that cannot be held leaves the spot of the game before", async () => {
  const gameId = await aGame(db());
  const playerId = await ben(db());
  await paying.hold(gameId, playerId);
  expect(await paying.tryHold((await list.fullGame()).gameId, playerId)).toMatchObject({
    reason: "full",
  });
  expect(await paymentStatuses(db(), playerId)).toEqual(["Held"]);
});

test("after two spots of a game that were left unpaid, none is held there", async () => {
  const gameId = await aGame(db());
  const playerId = await ben(db());
  for (const at of [0, 20, 40]) await paying.hold(gameId, playerId, { now: minutes(at) });
  expect(await paying.find(gameId, playerId, minutes(40))).toMatchObject({ holdsSpot: false });
  expect(await heldCount(db(), gameId)).toBe(0);
  await paying.pay(playerId, minutes(41));
  expect(await bookingsOf(db(), gameId)).toMatchObject([{ user_id: playerId }]);
});

test("a player gives the spot back, and money that comes later stays credits", async () => {
  const gameId = await aGame(db(), { spots: 1 });
  const playerId = await ben(db());
  await paying.hold(gameId, playerId);
  expect(await paying.stop(gameId, playerId)).toEqual({ ok: true, isUnderWay: false });
  expect(await paying.stop(gameId, playerId)).toEqual({ ok: false, reason: "not-paying" });
  expect(await heldCount(db(), gameId)).toBe(0);
  await paying.pay(playerId);
  expect(await bookingsOf(db(), gameId)).toEqual([]);
});

test("credits that are bought for no game book none", async () => {
  const gameId = await aGame(db());
  const playerId = await ben(db());
  await paying.hold(gameId, playerId);
  await paying.payForNoGame(playerId, minutes(1));
  expect(await paymentStatuses(db(), playerId)).toEqual(["GivenBack"]);
  expect(await heldCount(db(), gameId)).toBe(0);
});

test.each([
  ["an offer", "ask"],
  ["a friend", "friend"],
])("no second spot is held where %s keeps one", async (_, by) => {
  const { gameId, playerId, holdToken } = by === "ask" ? await anOffer() : await aFriend();
  const before = await heldCount(db(), gameId);
  await paying.hold(gameId, playerId, { ...(holdToken && { holdToken }) });
  expect(await heldCount(db(), gameId)).toBe(before);
  await paying.pay(playerId);
  expect(await bookingsOf(db(), gameId)).toContainEqual(
    expect.objectContaining({ user_id: playerId }),
  );
  expect((await checkBooks(db())).differences).toEqual([]);
});

/** A player who could pay when the spot was offered, and cannot any more. */
async function anOffer() {
  const { gameId, seat } = await list.fullGame();
  const [playerId] = await list.waiters(gameId, 1, { mode: "ask" });
  await list.cancel(seat);
  await list.promote(gameId);
  await list.join(await aGame(db(), { startsIn: 96 }), playerId!);
  return { gameId, playerId: playerId!, holdToken: undefined };
}

async function aFriend() {
  const holds = holdsOf(database);
  const { gameId, host } = await holds.aGameWithAHost();
  return { gameId, playerId: await ben(db()), holdToken: await holds.hold(gameId, host) };
}

test("a spot is held until the game is decided, and is no player", async () => {
  const gameId = await aGame(db(), { min_players: 2 });
  const { decides_at: decidesAt } = await db()
    .selectFrom("games")
    .select("decides_at")
    .where("id", "=", gameId)
    .executeTakeFirstOrThrow();
  const playerId = await ben(db());
  const now = new Date(decidesAt!.getTime() - 5 * 60_000);
  await paying.hold(gameId, playerId, { now });
  expect(await paying.find(gameId, playerId, now)).toMatchObject({ until: decidesAt });
});
