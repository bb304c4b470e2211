import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, ben, everything, hoursLater, NOW } from "#test/fixtures.ts";
import { bookingOf, entryOf, entriesIn, statusesIn, suspend, waitlistOf } from "#test/waitlist.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { leaveWaitlist } from "./join-waitlist.server.ts";
import { countWaiting, listOwnEntries } from "./entries.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
afterEach(() => expectRightBooks(database));

const leave = (gameId: string, playerId: string) =>
  leaveWaitlist(database.db, database.jobs, { gameId, playerId, now: hoursLater(1) });

describe("a full game", () => {
  test("lets a player wait, credits or not, and keeps what was agreed to", async () => {
    const { gameId } = await list.fullGame();
    const playerId = await ben(database.db);
    const id = await list.wait(gameId, playerId, { until: 3, mode: "ask", shown: { price: "10" } });
    expect(await entriesIn(database.db, gameId)).toMatchObject([
      {
        ...{ id, user_id: playerId, mode: "ask", status: "Waiting", missed_offers: 0 },
        agreed_text: expect.stringMatching(
          /: Ask me first, .* Waiting until 3 hours before, Mon 09:00\. /,
        ),
        ...{ agreed_version: 2, agreed_at: NOW, created_at: NOW, max_price_eur: "10.00" },
        ...{ until_hours: 3, not_after: hoursLater(45), needs_consent: false, ended_at: null },
      },
    ]);
  });

  test("keeps at most what a newcomer pays, where the first session is free", async () => {
    const { gameId } = await list.fullGame({ is_first_session_free: true });
    const playerId = await ben(database.db);
    await list.wait(gameId, playerId);
    const entry = await entryOf(database.db, gameId, playerId);
    expect(entry.max_price_eur).toBe("0.00");
    expect(entry.agreed_text).toContain("it is free");
  });

  test("keeps one place when the form is sent twice", async () => {
    const { gameId } = await list.fullGame();
    const [playerId, formKey] = [await ben(database.db), crypto.randomUUID()];
    await list.wait(gameId, playerId, { formKey });
    const before = await everything(database.db);
    expect(await list.tryWait(gameId, playerId, { formKey })).toEqual({ ok: true });
    expect(await statusesIn(database.db, gameId)).toEqual(["Waiting"]);
    expect(await everything(database.db)).toEqual(before);
  });
});

// In the order in which they are checked: each case has all that come after it as well.
describe("nobody waits", () => {
  const tries = async (gameId: string, playerId: string, waiter = {}) => {
    const before = await entriesIn(database.db, gameId).catch(() => []);
    const result = await list.tryWait(gameId, playerId, waiter);
    expect(await entriesIn(database.db, gameId).catch(() => [])).toEqual(before);
    return result.ok ? "waits" : result.reason;
  };

  test("for a game that does not exist", async () => {
    const playerId = await ben(database.db);
    expect(await tries("no-id", playerId)).toBe("not-found");
    expect(await tries(crypto.randomUUID(), playerId)).toBe("not-found");
  });

  test("while suspended", async () => {
    const playerId = await ben(database.db);
    await suspend(database.db, playerId);
    const gameId = await aGame(database.db, { status: "Draft", startsIn: -1 });
    expect(await tries(gameId, playerId)).toBe("suspended");
  });

  test("for a game that is not published", async () => {
    const { gameId, seat } = await list.fullGame({ startsIn: 1 });
    await cancelGame(database.db, database.jobs, { gameId, now: NOW });
    expect(await tries(gameId, seat.playerId, { now: hoursLater(2) })).toBe("not-published");
  });

  test("for a game that they are in", async () => {
    const { gameId, seat } = await list.fullGame({ startsIn: 1 });
    expect(await tries(gameId, seat.playerId, { now: hoursLater(2) })).toBe("already-joined");
  });

  test("for a game that has started", async () => {
    const { gameId } = await list.fullGame({ startsIn: 1 });
    const playerId = await ben(database.db);
    expect(await tries(gameId, playerId, { now: hoursLater(1) })).toBe("started");
  });

  test("with a form of another game, or of a place that has ended", async () => {
    const [one, other] = [await list.fullGame(), await list.fullGame()];
    const playerId = await ben(database.db);
    const formKey = await list.wait(one.gameId, playerId);
    expect(await tries(other.gameId, playerId, { formKey })).toBe("form-used");
    await leave(one.gameId, playerId);
    expect(await tries(one.gameId, playerId, { formKey })).toBe("form-used");
  });

  test("with a form that has led into the game, and out of it again", async () => {
    const { gameId, seat } = await list.fullGame();
    const playerId = await aPlayer(database.db, { credits: 10 });
    const formKey = await list.wait(gameId, playerId);
    await list.cancel(seat);
    await list.promote(gameId);
    expect(await tries(gameId, playerId, { formKey })).toBe("already-joined");
    const { id: bookingId } = await bookingOf(database.db, gameId, playerId);
    await list.cancel({ bookingId, playerId });
    expect(await tries(gameId, playerId, { formKey })).toBe("form-used");
  });

  test("with a form that agreed again, and left since", async () => {
    const { gameId } = await list.fullGame();
    const playerId = await ben(database.db);
    const id = await list.wait(gameId, playerId);
    await database.pool.query("update waitlist_entries set needs_consent = true where id = $1", [
      id,
    ]);
    const formKey = await list.wait(gameId, playerId);
    await leave(gameId, playerId);
    expect(await tries(gameId, playerId, { formKey })).toBe("form-used");
  });

  test("where the chosen time has come already", async () => {
    const { gameId } = await list.fullGame({ startsIn: 6 });
    const playerId = await ben(database.db);
    expect(await tries(gameId, playerId, { until: 12 })).toBe("too-late");
    expect(await tries(gameId, playerId, { until: 6 })).toBe("too-late");
    await list.wait(gameId, playerId, { until: 3 });
  });

  test("twice", async () => {
    const { gameId } = await list.fullGame();
    const playerId = await ben(database.db);
    await list.wait(gameId, playerId);
    expect(await tries(gameId, playerId)).toBe("already-waiting");
  });

  test("for a game with a free spot, unless it belongs to somebody who waits", async () => {
    const { gameId, seat } = await list.fullGame({ spots: 2 });
    const [first, second] = [await ada(database.db), await ada(database.db)];
    await list.wait(gameId, first);
    await list.cancel(seat);
    await list.wait(gameId, second);
    await leave(gameId, first);
    await leave(gameId, second);
    expect(await tries(gameId, first)).toBe("not-full");
  });

  test("with a form that is sent to several games at once, but for one of them", async () => {
    const games = await Promise.all([1, 2, 3, 4, 5].map(() => list.fullGame()));
    const [playerId, formKey] = [await ben(database.db), crypto.randomUUID()];
    const results = await Promise.all(
      games.map(({ gameId }) => list.tryWait(gameId, playerId, { formKey })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const others = results.filter(({ ok }) => !ok);
    expect(others).toEqual(Array(4).fill({ ok: false, reason: "form-used" }));
  });

  test("more than ten times for one game, and for others still", async () => {
    const [{ gameId }, other] = [await list.fullGame(), await list.fullGame()];
    const playerId = await ben(database.db);
    for (let n = 0; n < 10; n += 1) {
      await list.wait(gameId, playerId);
      await leave(gameId, playerId);
    }
    expect(await tries(gameId, playerId)).toBe("too-often");
    await list.wait(other.gameId, playerId);
  });

  test("at another price than the page has shown, which is answered", async () => {
    const { gameId } = await list.fullGame();
    const shown = { shown: { price: "0" } };
    expect(await list.tryWait(gameId, await ben(database.db), shown)).toEqual({
      ok: false,
      reason: "changed",
      newFacts: "The price is now 10 credits.",
    });
  });

  test("with a deleted account", async () => {
    const { gameId } = await list.fullGame();
    const playerId = await ben(database.db);
    await database.pool.query("update profiles set deleted_at = now() where user_id = $1", [
      playerId,
    ]);
    await expect(list.wait(gameId, playerId)).rejects.toThrow("this account is deleted");
  });
});

describe("leaving", () => {
  test("is free and leaves the others where they are", async () => {
    const { gameId } = await list.fullGame();
    const [first, second] = await list.waiters(gameId, 2);
    expect(await leave(gameId, first!)).toEqual({ ok: true });
    expect(await entryOf(database.db, gameId, first!)).toMatchObject({
      ...{ status: "Left", end_reason: "Left", ended_at: hoursLater(1) },
    });
    const entries = await listOwnEntries(database.db, { playerId: second!, now: NOW });
    expect(entries).toMatchObject([{ gameId, position: 1, waiting: 1 }]);
  });

  test("is only possible for who waits, once", async () => {
    const { gameId, seat } = await list.fullGame();
    const notWaiting = { ok: false, reason: "not-waiting" };
    expect(await leave(gameId, seat.playerId)).toEqual(notWaiting);
    const [first] = await list.waiters(gameId, 1);
    await leave(gameId, first!);
    expect(await leave(gameId, first!)).toEqual(notWaiting);
    expect(await leave("no-id", first!)).toEqual({ ok: false, reason: "not-found" });
  });

  test("and waiting again goes to the end of the list", async () => {
    const { gameId } = await list.fullGame();
    const [first] = await list.waiters(gameId, 2);
    await leave(gameId, first!);
    await list.wait(gameId, first!, { now: hoursLater(2) });
    const entries = await listOwnEntries(database.db, { playerId: first!, now: NOW });
    expect(entries).toMatchObject([{ position: 2, waiting: 2 }]);
  });
});

describe("the list", () => {
  test("is by time, then by id, not by the order of storing", async () => {
    const { gameId } = await list.fullGame();
    const keys = [crypto.randomUUID(), crypto.randomUUID()].toSorted().toReversed();
    const late = await aPlayer(database.db);
    await list.wait(gameId, late, { now: hoursLater(1) });
    const players: string[] = [];
    for (const formKey of keys) {
      const playerId = await aPlayer(database.db);
      await list.wait(gameId, playerId, { formKey });
      players.unshift(playerId);
    }
    const positions = await Promise.all(
      [...players, late].map((playerId) => listOwnEntries(database.db, { playerId, now: NOW })),
    );
    expect(positions.map(([entry]) => entry?.position)).toEqual([1, 2, 3]);
    expect(await countWaiting(database.db, gameId)).toBe(3);
  });

  test("of a player has the games to come alone, soonest first", async () => {
    const playerId = await ben(database.db);
    const later = await list.fullGame({ startsIn: 60 });
    const sooner = await list.fullGame({ startsIn: 30 });
    const begun = await list.fullGame({ startsIn: 1 });
    const off = await list.fullGame();
    for (const { gameId } of [later, sooner, begun, off]) await list.wait(gameId, playerId);
    await cancelGame(database.db, database.jobs, { gameId: off.gameId, now: NOW });
    const entries = await listOwnEntries(database.db, { playerId, now: hoursLater(1) });
    expect(entries.map(({ gameId }) => gameId)).toEqual([sooner.gameId, later.gameId]);
    const one = { playerId, now: NOW, gameId: later.gameId };
    expect(await listOwnEntries(database.db, one)).toHaveLength(1);
  });
});
