import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aPlayer, everything, hoursLater, NOW } from "#test/fixtures.ts";
import { heldCount, holdsIn, holdsOf, holdStatuses } from "#test/holds.ts";
import { suspend, waitlistOf } from "#test/waitlist.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase();
const holds = holdsOf(database);
const list = waitlistOf(database);
const later = (minutes: number) => hoursLater(minutes / 60);

afterEach(() => expectRightBooks(database));

describe("a spot is held", () => {
  test("for half an hour, and is taken for everybody else", async () => {
    const { gameId, host } = await holds.aGameWithAHost();
    const token = await holds.hold(gameId, host);
    expect(await holdsIn(database.db, gameId)).toMatchObject([
      { user_id: host, status: "Held", expires_at: later(30), booking_id: null, ended_at: null },
    ]);
    expect(token).toMatch(/^[\w-]{22}$/);
    expect(await heldCount(database.db, gameId)).toBe(1);
    const stranger = { gameId, playerId: await ada(database.db), now: NOW };
    const joined = await joinGame(database.db, database.jobs, stranger);
    expect(joined).toEqual({ ok: false, reason: "full" });
    const added = await addPlayer(database.db, database.jobs, { ...stranger, actorId: host });
    expect(added).toEqual({ ok: false, reason: "full" });
    expect(await list.tryWait(gameId, stranger.playerId)).toEqual({ ok: true });
  });

  test("and each with a link of its own", async () => {
    const tokens = new Set<string>();
    for (let n = 0; n < 3; n += 1) {
      const { gameId, host } = await holds.aGameWithAHost();
      tokens.add(await holds.hold(gameId, host));
    }
    expect(tokens.size).toBe(3);
  });

  test("once for a form that is sent twice, also after it is over", async () => {
    const { gameId, host } = await holds.aGameWithAHost({ spots: 3 });
    const formKey = crypto.randomUUID();
    for (const minutes of [0, 1, 40]) {
      expect(await holds.tryHold(gameId, host, later(minutes), formKey)).toEqual({ ok: true });
    }
    expect(await holdStatuses(database.db, gameId)).toEqual(["Held"]);
  });

  test("not by a form that has held a spot of another game", async () => {
    const formKey = crypto.randomUUID();
    const games = [await holds.aGameWithAHost(), await holds.aGameWithAHost()];
    const results: unknown[] = [];
    for (const { gameId, host } of games) {
      results.push(await holds.tryHold(gameId, host, NOW, formKey));
    }
    expect(results).toEqual([{ ok: true }, { ok: false, reason: "form-used" }]);
  });
});

describe("a spot is not held", () => {
  async function expectNothingHeld(reason: string, gameId: string, playerId: string, now = NOW) {
    const before = [await everything(database.db), await holdsIn(database.db, gameId)];
    expect(await holds.tryHold(gameId, playerId, now)).toEqual({ ok: false, reason });
    expect([await everything(database.db), await holdsIn(database.db, gameId)]).toEqual(before);
  }

  test("in a game that is unknown, not open, or has no such player", async () => {
    const { gameId, host } = await holds.aGameWithAHost();
    await expectNothingHeld("not-in", gameId, await ada(database.db));
    await database.pool.query("update games set status = 'Cancelled' where id = $1", [gameId]);
    await expectNothingHeld("not-published", gameId, host);
    await expectNothingHeld("not-found", crypto.randomUUID(), host);
    expect(await holds.tryHold("no-id", host)).toEqual({ ok: false, reason: "not-found" });
  });

  test("by a suspended player", async () => {
    const { gameId, host } = await holds.aGameWithAHost();
    await suspend(database.db, host);
    await expectNothingHeld("suspended", gameId, host);
  });

  test("where none is free, or a second one by the same player", async () => {
    const { gameId, host } = await holds.aGameWithAHost({ spots: 3 });
    await holds.hold(gameId, host);
    await expectNothingHeld("held-already", gameId, host);
    const other = await ada(database.db);
    await list.join(gameId, other);
    await expectNothingHeld("full", gameId, other);
    await list.waiters(gameId, 1);
    await expectNothingHeld("full", gameId, other);
  });

  test("in a fourth game while three others hold one", async () => {
    const { gameId, host } = await holds.aGameWithAHost();
    const others = await holds.gamesWith(host, [60, 70, 80]);
    for (const other of others) await holds.hold(other, host);
    await expectNothingHeld("too-many-games", gameId, host);
    await holds.giveBack(others[0]!, host);
    expect(await holds.tryHold(gameId, host)).toEqual({ ok: true });
  });

  test("by a form that has held a spot of another game, and what is over stays as it is", async () => {
    const other = await holds.aGameWithAHost();
    const formKey = crypto.randomUUID();
    await holds.tryHold(other.gameId, other.host, NOW, formKey);
    const { gameId, host } = await holds.aGameWithAHost();
    await holds.hold(gameId, host);
    const rejected = await holds.tryHold(gameId, host, later(31), formKey);
    expect(rejected).toEqual({ ok: false, reason: "form-used" });
    expect(await holdStatuses(database.db, gameId)).toEqual(["Held"]);
  });

  test("within an hour of kick-off", async () => {
    const { gameId, host } = await holds.aGameWithAHost({ startsIn: 2 });
    await expectNothingHeld("too-late", gameId, host, hoursLater(1));
    expect(await holds.tryHold(gameId, host, later(40))).toEqual({ ok: true });
    expect(await holdsIn(database.db, gameId)).toMatchObject([{ expires_at: later(60) }]);
  });

  test.each(["auto", "ask"] as const)("while somebody waits (%s)", async (mode) => {
    const { gameId, host } = await holds.aGameWithAHost();
    const other = await list.join(gameId, await ada(database.db));
    await list.wait(gameId, await aPlayer(database.db, { credits: 10 }), { mode });
    await list.cancel(other);
    await expectNothingHeld("somebody-waits", gameId, host);
  });

  test("a third time, after two whose friends have left again, unless one is back", async () => {
    const { gameId, host } = await holds.aGameWithAHost({ spots: 4 });
    const friends = [await ada(database.db), await ada(database.db)];
    for (const friend of friends) {
      const bookingId = await holds.take(gameId, friend, await holds.hold(gameId, host));
      await list.cancel({ bookingId, playerId: friend });
    }
    await expectNothingHeld("too-many", gameId, host);
    await list.join(gameId, friends[0]!);
    expect(await holds.tryHold(gameId, host)).toEqual({ ok: true });
  });

  test("a third time, after two that nobody took", async () => {
    const { gameId, host } = await holds.aGameWithAHost({ spots: 4 });
    const token = await holds.hold(gameId, host);
    await holds.take(gameId, await ada(database.db), token);
    await holds.hold(gameId, host);
    expect(await holds.giveBack(gameId, host)).toEqual({ ok: true });
    await holds.hold(gameId, host);
    await holds.sweep(later(30));
    await expectNothingHeld("too-many", gameId, host, later(31));
    expect(await holdStatuses(database.db, gameId)).toEqual(
      expect.arrayContaining(["Taken", "GivenBack", "Lapsed"]),
    );
  });
});
