import { afterEach, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { bookingOf, entryOf, suspend, waitlistOf } from "#test/waitlist.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { listOwnEntries } from "./entries.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
afterEach(() =>
  database.pool.query("update users set suspended_at = null, suspended_reason = null"),
);

const addDebt = (playerId: string, eur: number) =>
  database.pool.query("update profiles set wallet_debt_eur = $2 where user_id = $1", [
    playerId,
    eur,
  ]);

/** Somebody with this obstacle waits before somebody without, and the spot opens. */
async function passing(obstruct: (playerId: string) => Promise<unknown>, wish = {}) {
  const { gameId, seat } = await list.fullGame(wish);
  const first = await aPlayer(database.db, { credits: 10 });
  await list.wait(gameId, first);
  const [second] = await list.waiters(gameId, 1, { now: hoursLater(1) });
  await obstruct(first);
  await list.cancel(seat);
  await list.promote(gameId);
  return { gameId, first, second: second! };
}

describe("who cannot have a spot stays on the waitlist, is notified once, and the next one gets it", () => {
  test.each<[string, (playerId: string) => Promise<unknown>]>([
    ["credits", async (id) => list.join(await aGame(database.db, { startsIn: 72 }), id)],
    ["debt", (id) => addDebt(id, 3)],
    ["suspended", (id) => suspend(database.db, id)],
    [
      "busy",
      async (id) => {
        const { gameId } = await list.fullGame({ startsIn: 47 });
        await database.pool.query("update games set max_players = 9 where id = $1", [gameId]);
        await topUp(database.db, { userId: id, amountCents: 1_000, key: `busy:${id}` });
        await list.join(gameId, id);
      },
    ],
  ])("%s", async (reason, obstruct) => {
    const { gameId, first, second } = await passing(obstruct);
    const entry = await entryOf(database.db, gameId, first);
    expect(entry).toMatchObject({ status: "Waiting", passed_over: reason, missed_offers: 0 });
    expect((await entryOf(database.db, gameId, second)).status).toBe("Promoted");
    await database.pool.query("update games set max_players = max_players + 1 where id = $1", [
      gameId,
    ]);
    for (let run = 0; run < 3; run += 1) await list.promote(gameId);
    expect(await list.mailsTo(entry.id)).toEqual(["passed-over"]);
    expect((await entryOf(database.db, gameId, first)).status).toBe("Waiting");
  });
});

describe("a free session that was used in another game", () => {
  /** A newcomer waits at no price, and then plays another game for free. */
  const usedElsewhere = async () => {
    const { gameId, seat } = await list.fullGame({ is_first_session_free: true });
    const newcomer = await aPlayer(database.db, { credits: 50 });
    await list.wait(gameId, newcomer);
    const other = await aGame(database.db, { startsIn: 100, is_first_session_free: true });
    const booking = await list.join(other, newcomer);
    return { gameId, seat, newcomer, booking };
  };

  test("withdraws what was agreed to, before a spot opens; its player is notified once", async () => {
    const { gameId, newcomer, seat } = await usedElsewhere();
    for (let run = 0; run < 2; run += 1) await list.sweep();
    const entry = await entryOf(database.db, gameId, newcomer);
    expect(entry).toMatchObject({ status: "Waiting", needs_consent: true, passed_over: null });
    expect(await list.mailsTo(entry.id)).toEqual(["waitlist-changed"]);
    await list.cancel(seat);
    expect(await list.promote(gameId)).toBe(0);
    expect(await list.mailsTo(entry.id)).toEqual(["waitlist-changed"]);
    await list.wait(gameId, newcomer, { now: hoursLater(1), shown: { price: "10" } });
    expect(await list.promote(gameId, hoursLater(1))).toBe(1);
    const booking = await bookingOf(database.db, gameId, newcomer);
    expect(booking).toMatchObject({ price_eur: "10.00", uses_free_session: false });
  });

  test("can be agreed to before any notice, and keeps the position", async () => {
    const { gameId, newcomer } = await usedElsewhere();
    const [own] = await listOwnEntries(database.db, { playerId: newcomer, now: NOW });
    expect(own).toMatchObject({ needsConsent: true, costsMore: true, agreedCents: 0 });
    await list.wait(gameId, newcomer, { now: hoursLater(1) });
    const entry = await entryOf(database.db, gameId, newcomer);
    expect(entry).toMatchObject({ created_at: NOW, max_price_eur: "10.00", needs_consent: false });
    const [after] = await listOwnEntries(database.db, { playerId: newcomer, now: NOW });
    expect(after).toMatchObject({ needsConsent: false, costsMore: false });
  });

  test("asks nobody who has agreed to the full price", async () => {
    const { gameId } = await list.fullGame({ is_first_session_free: true });
    const playerId = await aPlayer(database.db, { credits: 50 });
    await list.join(await aGame(database.db, { is_first_session_free: true }), playerId);
    await list.wait(gameId, playerId);
    await list.sweep();
    const entry = await entryOf(database.db, gameId, playerId);
    expect(entry).toMatchObject({ needs_consent: false, max_price_eur: "10.00" });
  });
});

test("somebody is notified again when the reason has changed, and when it came back", async () => {
  const { gameId, first } = await passing(
    async (id) => list.join(await aGame(database.db, { startsIn: 72 }), id),
    { spots: 2 },
  );
  const countNotices = async () =>
    (await list.mailsTo((await entryOf(database.db, gameId, first)).id)).length;
  await database.pool.query("update games set max_players = 3 where id = $1", [gameId]);
  await list.promote(gameId);
  expect(await countNotices()).toBe(1);
  await addDebt(first, 3);
  await list.promote(gameId, hoursLater(1));
  expect(await countNotices()).toBe(2);
  await addDebt(first, 0);
  for (let run = 0; run < 2; run += 1) await list.promote(gameId, hoursLater(2));
  expect(await countNotices()).toBe(3);
  const { rows } = await database.pool.query<{ toldAt: string }>(
    "select data->>'toldAt' as \"toldAt\" from pgboss.job where name = 'mail.send' and data->>'kind' = 'passed-over'" +
      " and data->>'entryId' = $1",
    [(await entryOf(database.db, gameId, first)).id],
  );
  expect(new Set(rows.map(({ toldAt }) => toldAt)).size).toBe(3);
});

test("nobody is notified before a spot is free for them", async () => {
  const { gameId } = await list.fullGame();
  const playerId = await aPlayer(database.db);
  const id = await list.wait(gameId, playerId);
  await list.promote(gameId);
  expect(await list.mailsTo(id)).toEqual([]);
});

test("who gets the credits meanwhile is booked by the next sweep, before those behind", async () => {
  const { gameId, seat } = await list.fullGame();
  const playerId = await aPlayer(database.db);
  await list.wait(gameId, playerId);
  await list.cancel(seat);
  await list.promote(gameId);
  await topUp(database.db, { userId: playerId, amountCents: 1_000, key: playerId });
  await list.sweep();
  const entry = await entryOf(database.db, gameId, playerId);
  expect(entry).toMatchObject({ status: "Promoted", passed_over: null });
});

describe("a game at that hour", () => {
  /** Status in a game of an hour and a half in two days, for somebody in another one. */
  const statusBeside = async (startsIn: number, end: (gameId: string) => Promise<unknown>) => {
    const playerId = await aPlayer(database.db, { credits: 50 });
    const other = await aGame(database.db, { startsIn });
    await list.join(other, playerId);
    const { gameId, seat } = await list.fullGame({ startsIn: 48 });
    await list.wait(gameId, playerId);
    await end(other);
    await list.cancel(seat);
    await list.promote(gameId);
    return (await entryOf(database.db, gameId, playerId)).status;
  };
  const nothing = async () => {};

  test.each([
    ["ends as it starts", 46.5, "Promoted"],
    ["ends a minute later", 46.5 + 1 / 60, "Waiting"],
    ["starts a minute before its end", 49.5 - 1 / 60, "Waiting"],
    ["starts at its end", 49.5, "Promoted"],
  ])("that %s: %s", async (_, startsIn, status) => {
    expect(await statusBeside(startsIn, nothing)).toBe(status);
  });

  test("that was called off, or given up, keeps nobody from a spot", async () => {
    const off = (id: string) =>
      database.pool.query("update games set status = 'Cancelled' where id = $1", [id]);
    const given = (id: string) =>
      database.pool.query("update bookings set payment_status = 'Refunded' where game_id = $1", [
        id,
      ]);
    expect(await statusBeside(48, off)).toBe("Promoted");
    expect(await statusBeside(48, given)).toBe("Promoted");
  });
});

test("who was put into the game by SQL is passed by, and the list goes on", async () => {
  const { gameId, seat } = await list.fullGame({ spots: 2 });
  const [first, second] = await list.waiters(gameId, 2);
  await list.cancel(seat);
  await database.pool.query(
    "insert into bookings (user_id, game_id, payment_status, price_eur) values ($1, $2, 'Unpaid', 0)",
    [first, gameId],
  );
  await database.pool.query("update games set max_players = 3 where id = $1", [gameId]);
  expect(await list.promote(gameId, NOW)).toBe(1);
  expect((await entryOf(database.db, gameId, second!)).status).toBe("Promoted");
});
