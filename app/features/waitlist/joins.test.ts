import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, balanceCents, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { untilWaiting, wallet } from "#test/lock-order.ts";
import { bookingOf, entryOf, suspend, waitlistOf } from "#test/waitlist.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
afterEach(() => expectRightBooks(database));

const tryJoin = async (gameId: string, playerId: string, how: object = {}) => {
  const join = { gameId, playerId, now: NOW, ...how };
  const result = await joinGame(database.db, database.jobs, join);
  return result.ok ? "joined" : result.reason;
};
const add = async (gameId: string, playerId: string, nextId?: string) => {
  const addition = { gameId, playerId, nextId, actorId: playerId, now: NOW };
  const result = await addPlayer(database.db, database.jobs, addition);
  return result.ok ? "added" : result.reason;
};
const heldIn = async (gameId: string) => {
  const query = "select spots_held as held from games where id = $1";
  return (await database.pool.query<{ held: number }>(query, [gameId])).rows[0]!.held;
};

describe("a free spot while somebody waits", () => {
  test("is nobody else's, and its first may also take it by hand", async () => {
    const { gameId, seat } = await list.fullGame();
    const [first, second] = await list.waiters(gameId, 2);
    await list.cancel(seat);
    const newcomer = await ada(database.db);
    expect(await tryJoin(gameId, newcomer)).toBe("belongs-to-waitlist");
    expect(await tryJoin(gameId, second!)).toBe("belongs-to-waitlist");
    expect(await balanceCents(database.db, newcomer)).toBe(10_000);
    expect(await tryJoin(gameId, first!)).toBe("joined");
    const booking = await bookingOf(database.db, gameId, first!);
    const entry = await entryOf(database.db, gameId, first!);
    expect(entry).toMatchObject({ status: "Promoted", booking_id: booking.id });
    expect(await list.promote(gameId)).toBe(0);
  });

  test.each<[string, (playerId: string) => Promise<unknown>]>([
    [
      "has too few credits",
      async (id) => list.join(await aGame(database.db, { startsIn: 72 }), id),
    ],
    ["is suspended", (id) => suspend(database.db, id)],
    [
      "owes something",
      (id) =>
        database.pool.query("update profiles set wallet_debt_eur = 1 where user_id = $1", [id]),
    ],
    [
      "is in another game then",
      async (id) => {
        const other = await aGame(database.db, { startsIn: 48 });
        await database.pool.query(
          "insert into bookings (user_id, game_id, payment_status, price_eur) values ($1, $2, 'Paid', 0)",
          [id, other],
        );
      },
    ],
    [
      "has to agree again",
      (id) =>
        database.pool.query("update waitlist_entries set needs_consent = true where user_id = $1", [
          id,
        ]),
    ],
    [
      "agreed to a lower price",
      (id) =>
        database.pool.query("update waitlist_entries set max_price_eur = 9 where user_id = $1", [
          id,
        ]),
    ],
    [
      "waited until now",
      (id) =>
        database.pool.query("update waitlist_entries set not_after = $2 where user_id = $1", [
          ...[id, NOW],
        ]),
    ],
  ])("is anybody's when the only one who waits %s", async (_, obstruct) => {
    const { gameId, seat } = await list.fullGame();
    const [first] = await list.waiters(gameId, 1);
    await obstruct(first!);
    await list.cancel(seat);
    expect(await tryJoin(gameId, await ada(database.db))).toBe("joined");
    await database.pool.query("update profiles set wallet_debt_eur = 0");
  });

  test("is anybody's at night when the only one who waits asked to be asked", async () => {
    const { gameId, seat } = await list.fullGame();
    await list.waiters(gameId, 1, { mode: "ask" });
    const now = hoursLater(10);
    await list.cancel(seat, now);
    expect(await tryJoin(gameId, await ada(database.db), { now })).toBe("joined");
  });

  test("belongs to the eligible one behind", async () => {
    const { gameId, seat } = await list.fullGame();
    const poor = await ben(database.db);
    await list.wait(gameId, poor);
    const [second] = await list.waiters(gameId, 1, { now: hoursLater(1) });
    await list.cancel(seat);
    expect(await tryJoin(gameId, await ada(database.db))).toBe("belongs-to-waitlist");
    expect(await tryJoin(gameId, second!)).toBe("joined");
  });

  test("errors come in order: who cannot join reads the nearer reason", async () => {
    const { gameId, seat } = await list.fullGame();
    const [first] = await list.waiters(gameId, 1);
    expect(await tryJoin(gameId, await ada(database.db))).toBe("full");
    await list.cancel(seat);
    expect(await tryJoin(gameId, await ben(database.db))).toBe("belongs-to-waitlist");
    expect(await tryJoin(gameId, first!, { now: hoursLater(48) })).toBe("started");
  });
});

describe("a spot that is held", () => {
  /** Offered to the first of two; kick-off in two days. */
  const offered = async () => {
    const { gameId, seat } = await list.fullGame();
    const [first, second] = await list.waiters(gameId, 2, { mode: "ask" });
    await list.cancel(seat);
    await list.promote(gameId);
    return { gameId, first: first!, second: second! };
  };
  const takes = { takesOffer: true };

  test("is taken by its player alone, once, at the price", async () => {
    const { gameId, first, second } = await offered();
    expect(await tryJoin(gameId, await ada(database.db))).toBe("full");
    expect(await tryJoin(gameId, second)).toBe("full");
    expect(await tryJoin(gameId, second, takes)).toBe("no-offer");
    expect(await tryJoin(gameId, first, takes)).toBe("joined");
    expect(await tryJoin(gameId, first, takes)).toBe("already-joined");
    expect(await heldIn(gameId)).toBe(0);
    expect(await balanceCents(database.db, first)).toBe(0);
    const booking = await bookingOf(database.db, gameId, first);
    const entry = await entryOf(database.db, gameId, first);
    expect(entry).toMatchObject({ status: "Promoted", booking_id: booking.id });
    expect(booking.free_cancel_until).toBeNull();
  });

  test("is taken once by a form that is sent twice", async () => {
    const { gameId, first } = await offered();
    const form = { ...takes, formKey: crypto.randomUUID() };
    expect(await tryJoin(gameId, first, form)).toBe("joined");
    expect(await tryJoin(gameId, first, form)).toBe("joined");
    expect(await balanceCents(database.db, first)).toBe(0);
  });

  test("can be taken by the plain button too", async () => {
    const { gameId, first } = await offered();
    expect(await tryJoin(gameId, first)).toBe("joined");
    expect(await heldIn(gameId)).toBe(0);
  });

  test("is over at its minute, before anything has noticed", async () => {
    const { gameId, first } = await offered();
    const at = (seconds: number) => ({ now: new Date(hoursLater(2).getTime() + seconds * 1_000) });
    expect(await tryJoin(gameId, first, { ...takes, ...at(0) })).toBe("no-offer");
    expect(await tryJoin(gameId, first, at(0))).toBe("full");
    expect(await tryJoin(gameId, first, { ...takes, ...at(-1) })).toBe("joined");
  });

  test("stays held when its player cannot pay for it, or sees another price", async () => {
    const { gameId, first } = await offered();
    const shown = { ...takes, shown: { price: "0" } };
    expect(await tryJoin(gameId, first, shown)).toBe("changed");
    await list.join(await aGame(database.db, { startsIn: 72 }), first);
    expect(await tryJoin(gameId, first, takes)).toBe("not-enough-credits");
    expect((await entryOf(database.db, gameId, first)).status).toBe("Offered");
    expect(await heldIn(gameId)).toBe(1);
  });

  test("does not open at kick-off", async () => {
    const { gameId, first } = await offered();
    expect(await tryJoin(gameId, first, { ...takes, now: hoursLater(48) })).toBe("started");
  });
});

describe("a player whom an organiser adds", () => {
  test("leaves the list as one who was promoted", async () => {
    const { gameId, seat } = await list.fullGame();
    const [first, second] = await list.waiters(gameId, 2);
    await list.cancel(seat);
    expect(await add(gameId, second!)).toBe("unconfirmed");
    expect(await add(gameId, second!, first)).toBe("added");
    const booking = await bookingOf(database.db, gameId, second!);
    expect(booking).toMatchObject({ payment_status: "Unpaid", price_eur: "0.00" });
    expect(await entryOf(database.db, gameId, second!)).toMatchObject({
      ...{ status: "Promoted", booking_id: booking.id },
    });
    expect((await entryOf(database.db, gameId, first!)).status).toBe("Waiting");
  });

  test("gets the spot that is held for them, and nobody else does", async () => {
    const { gameId, seat } = await list.fullGame();
    const [first] = await list.waiters(gameId, 1, { mode: "ask" });
    await list.cancel(seat);
    await list.promote(gameId);
    expect(await add(gameId, await aPlayer(database.db))).toBe("full");
    expect(await add(gameId, first!)).toBe("added");
    expect(await heldIn(gameId)).toBe(0);
  });
});

test("a join that asks sees the game that a promotion before it has booked", async () => {
  const { gameId, seat } = await list.fullGame();
  const playerId = await aPlayer(database.db, { credits: 20 });
  await list.wait(gameId, playerId);
  await list.cancel(seat);
  const meanwhile = await aGame(database.db);
  const { promoted, joined } = await database.db.transaction().execute(async (holder) => {
    await wallet(playerId).hold(holder);
    const promotion = list.promote(gameId);
    await untilWaiting(database.db, 1);
    const join = tryJoin(meanwhile, playerId, { asksOfOtherGame: true });
    await untilWaiting(database.db, 2);
    return { promoted: promotion, joined: join };
  });
  expect([await promoted, await joined]).toEqual([1, "plays-meanwhile"]);
  expect(await balanceCents(database.db, playerId)).toBe(1_000);
});
