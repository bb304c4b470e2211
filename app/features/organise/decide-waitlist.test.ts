import { describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { DECISION, decisionOf } from "#test/decisions.ts";
import { aPlayer, balanceCents, hoursLater } from "#test/fixtures.ts";
import { game, untilWaiting } from "#test/lock-order.ts";
import { entryOf, waitlistOf } from "#test/waitlist.ts";
import type { WaitMode } from "#app/platform/schema.ts";
import { decideGame } from "./decide-games.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
const decide = (gameId: string, now = DECISION) =>
  decideGame(database.db, database.jobs, { gameId, now });
const before = (seconds: number) => new Date(DECISION.getTime() - seconds * 1_000);

/** Three of three are in, one waits, and one gives the spot back just before the decision. */
async function freedBefore(seconds: number, mode: WaitMode = "auto") {
  const { gameId, seat } = await list.fullGame({ startsIn: 10, min_players: 3, spots: 3 });
  const playerId = await aPlayer(database.db, { credits: 10 });
  await list.wait(gameId, playerId, { mode });
  await list.cancel(seat, before(seconds));
  return { gameId, playerId };
}
const statusOf = async (gameId: string, playerId: string) =>
  (await entryOf(database.db, gameId, playerId)).status;

describe("at its decision a game", () => {
  test("that the first who waits fills is on", async () => {
    const { gameId, playerId } = await freedBefore(1);
    expect(await decide(gameId)).toBe("on");
    expect(await decisionOf(database, gameId)).toMatchObject({ status: "Published" });
    expect(await statusOf(gameId, playerId)).toBe("Promoted");
    expect(await balanceCents(database.db, playerId)).toBe(0);
  });

  test("is called off where nobody who waits can have the spot", async () => {
    const { gameId, playerId } = await freedBefore(1);
    await list.join(await freeGame(), playerId);
    expect(await decide(gameId)).toBe("called-off");
    expect((await entryOf(database.db, gameId, playerId)).end_reason).toBe("GameCancelled");
  });

  test("asks nobody, since there is no time to answer", async () => {
    const { gameId, playerId } = await freedBefore(1, "ask");
    expect(await decide(gameId)).toBe("called-off");
    expect(await list.mailsTo((await entryOf(database.db, gameId, playerId)).id)).toEqual([
      "waitlist-ended",
    ]);
  });

  test("is on where a spot is freed between the list and the decision, and taken again", async () => {
    const { gameId, seats } = await list.fullGame({ startsIn: 10, min_players: 3, spots: 3 });
    const [playerId] = await list.waiters(gameId, 1);
    // Anyone who waits for the game's lock gets it in turn: the list, the one who leaves, the decision.
    const { decided, cancelled } = await database.db.transaction().execute(async (holder) => {
      await game(gameId).hold(holder);
      const deciding = decide(gameId);
      await untilWaiting(database.db, 1);
      const leaving = list.cancel(seats[0]!, before(0));
      await untilWaiting(database.db, 2);
      return { decided: deciding, cancelled: leaving };
    });
    expect((await cancelled).ok).toBe(true);
    expect(await decided).toBe("on");
    await list.promote(gameId, DECISION);
    expect(await statusOf(gameId, playerId!)).toBe("Promoted");
  });

  const freeGame = async () => {
    const { gameId, seat } = await list.fullGame({ startsIn: 72 });
    await list.cancel(seat);
    return gameId;
  };
});

describe("a spot that is held for somebody who is asked", () => {
  test("is held until the decision at most: at it the offer is answered or over", async () => {
    const { gameId, playerId } = await freedBefore(600, "ask");
    await list.promote(gameId, before(600));
    const entry = await entryOf(database.db, gameId, playerId);
    expect(entry).toMatchObject({ status: "Offered", offer_expires_at: DECISION });
    const next = await aPlayer(database.db, { credits: 10 });
    await list.wait(gameId, next, { now: before(300) });
    expect(await decide(gameId)).toBe("on");
    expect(await statusOf(gameId, playerId)).toBe("Waiting");
    expect(await statusOf(gameId, next)).toBe("Promoted");
  });

  test.each([
    [599, 0],
    [600, 1],
  ])("for %i seconds until the decision counts as %i missed offers", async (seconds, missed) => {
    const { gameId, playerId } = await freedBefore(seconds, "ask");
    await list.promote(gameId, before(seconds));
    expect(await statusOf(gameId, playerId)).toBe("Offered");
    await decide(gameId);
    const entry = await entryOf(database.db, gameId, playerId);
    expect(entry).toMatchObject({ missed_offers: missed, unanswered_offers: missed });
    const mails = await list.mailsTo(entry.id);
    expect(mails.filter((name) => name === "offer-missed")).toHaveLength(missed);
  });

  test("and taken in time counts", async () => {
    const { gameId, playerId } = await freedBefore(600, "ask");
    await list.promote(gameId, before(600));
    await list.join(gameId, playerId, before(1));
    expect(await decide(gameId)).toBe("on");
  });

  test("is over at a decision that was moved to be earlier", async () => {
    const { gameId, playerId } = await freedBefore(3_600, "ask");
    const now = before(3_600);
    await list.promote(gameId, now);
    await list.waiters(gameId, 1, { now });
    await database.pool.query("update games set decides_at = $2 where id = $1", [gameId, now]);
    expect(await decide(gameId, now)).toBe("on");
    expect(await statusOf(gameId, playerId)).toBe("Waiting");
  });

  test("lasts as long as ever where it has been decided", async () => {
    const { gameId, seat } = await list.fullGame({ startsIn: 10, min_players: 1, spots: 3 });
    expect(await decide(gameId)).toBe("on");
    const playerId = await aPlayer(database.db, { credits: 10 });
    await list.wait(gameId, playerId, { mode: "ask" });
    await list.cancel(seat, hoursLater(8));
    await list.promote(gameId, hoursLater(8));
    const { offer_expires_at } = await entryOf(database.db, gameId, playerId);
    expect(offer_expires_at).toEqual(hoursLater(8.5));
  });
});

test("organisers are not warned of a game that refills", async () => {
  const { gameId } = await freedBefore(3_600);
  expect(await decide(gameId, before(3_600))).toBeNull();
  const { rowCount } = await database.pool.query(
    "select from pgboss.job where name = 'mail.send' and data->>'kind' = 'too-few-players' and data->>'gameId' = $1",
    [gameId],
  );
  expect(rowCount).toBe(0);
});
