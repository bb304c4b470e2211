import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { DECISION, decisionOf } from "#test/decisions.ts";
import { ada, hoursLater } from "#test/fixtures.ts";
import { heldCount, holdsIn, holdsOf, holdStatuses } from "#test/holds.ts";
import { entryOf, waitlistOf } from "#test/waitlist.ts";
import { decideGame } from "./decide-games.server.ts";

const database = useDatabase();
const holds = holdsOf(database);
const list = waitlistOf(database);
const decide = (gameId: string, now = DECISION) =>
  decideGame(database.db, database.jobs, { gameId, now });
const before = (minutes: number) => new Date(DECISION.getTime() - minutes * 60_000);

afterEach(() => expectRightBooks(database));

/** Three spots, of which all are needed: two are in, and one of them holds the last, so long before. */
async function heldBefore(minutes: number) {
  const wish = { startsIn: 10, min_players: 3, spots: 3 };
  const { gameId, host } = await holds.aGameWithAHost(wish);
  await list.join(gameId, await ada(database.db));
  const token = await holds.hold(gameId, host, before(minutes));
  return { gameId, host, token };
}

describe("a spot that is held for a friend when the game is decided", () => {
  test("goes to the first who waits, and the game is on", async () => {
    const { gameId } = await heldBefore(20);
    const [waiter] = await list.waiters(gameId, 1, { now: before(10) });
    expect(await decide(gameId)).toBe("on");
    expect((await entryOf(database.db, gameId, waiter!)).status).toBe("Promoted");
    expect(await holdStatuses(database.db, gameId)).toEqual(["Lapsed"]);
  });

  test("does so where the decision was moved to be earlier", async () => {
    const { gameId } = await heldBefore(60);
    const now = before(50);
    const [waiter] = await list.waiters(gameId, 1, { now: before(55) });
    await database.pool.query("update games set decides_at = $2 where id = $1", [gameId, now]);
    expect(await decide(gameId, now)).toBe("on");
    expect((await entryOf(database.db, gameId, waiter!)).status).toBe("Promoted");
  });

  test("is over for its friend too, before the decision has run", async () => {
    const { gameId, token } = await heldBefore(20);
    expect(await holdsIn(database.db, gameId)).toMatchObject([{ expires_at: DECISION }]);
    const friend = await ada(database.db);
    const late = await holds.tryTake(gameId, friend, token, DECISION);
    expect(late).toEqual({ ok: false, reason: "hold-over" });
    await holds.take(gameId, friend, token, before(1));
    expect(await decide(gameId)).toBe("on");
  });

  test("calls the game off where nobody waits: a held spot is no player", async () => {
    const { gameId } = await heldBefore(20);
    expect(await decide(gameId)).toBe("called-off");
    expect(await holdStatuses(database.db, gameId)).toEqual(["Lapsed"]);
  });

  test("is none where it is due within minutes", async () => {
    const { gameId, host } = await holds.aGameWithAHost({ startsIn: 10, min_players: 2 });
    const late = await holds.tryHold(gameId, host, before(4));
    expect(late).toEqual({ ok: false, reason: "too-late" });
  });

  test("lasts as long as ever once it has been decided", async () => {
    const { gameId, host } = await holds.aGameWithAHost({ startsIn: 10, min_players: 1 });
    expect(await decide(gameId)).toBe("on");
    await holds.hold(gameId, host, hoursLater(7.1));
    await holds.sweep(hoursLater(7.5));
    expect(await heldCount(database.db, gameId)).toBe(1);
    expect((await decisionOf(database, gameId)).decision).toBe("On");
  });
});
