import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { tracesOf, useErasure } from "#test/erasure.ts";
import { aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { promotionsOf } from "#test/holds.ts";
import { entryOf, entriesIn, type Seat, statusesIn, waitlistOf } from "#test/waitlist.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { listEntriesOf } from "./entries.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";
import { queuePromotions } from "#app/features/games/after-change.server.ts";

const scenario = useErasure();
const { database } = scenario;
const list = waitlistOf(database);
afterEach(() => expectRightBooks(database));

/** One is asked, one waits, one has left. */
async function aList() {
  const { gameId, seat } = await list.fullGame({ spots: 1 });
  await list.waiters(gameId, 1, { mode: "ask" });
  await list.waiters(gameId, 1, { now: hoursLater(1) });
  await list.cancel(seat, hoursLater(2));
  await list.promote(gameId, hoursLater(2));
  return gameId;
}
const setStatus = (gameId: string, status: string) =>
  database.pool.query("update games set status = $2 where id = $1", [gameId, status]);
const heldIn = async (gameId: string) => {
  const query = "select spots_held as held from games where id = $1";
  return (await database.pool.query<{ held: number }>(query, [gameId])).rows[0]!.held;
};

describe("the list ends, and everybody on it is notified once, when the game", () => {
  test.each<[string, string, (gameId: string) => Promise<unknown>, Date]>([
    [
      "is called off",
      "GameCancelled",
      (gameId) => cancelGame(database.db, database.jobs, { gameId, now: hoursLater(3) }),
      hoursLater(3),
    ],
    ["is cancelled by SQL", "GameCancelled", (id) => setStatus(id, "Cancelled"), hoursLater(3)],
    ["is a draft again, by SQL", "GameCancelled", (id) => setStatus(id, "Draft"), hoursLater(3)],
    ["is completed by SQL", "GameStarted", (id) => setStatus(id, "Completed"), hoursLater(3)],
    ["starts", "GameStarted", async () => {}, hoursLater(48)],
    [
      "was moved into the past by SQL",
      "GameStarted",
      (id) => database.pool.query("update games set date = date - 9 where id = $1", [id]),
      hoursLater(3),
    ],
  ])("%s", async (_, reason, end, now) => {
    const gameId = await aList();
    await end(gameId);
    for (let run = 0; run < 2; run += 1) await list.sweep(now);
    for (const entry of await entriesIn(database.db, gameId)) {
      expect(entry).toMatchObject({ status: "Lapsed", end_reason: reason, ended_at: now });
      const ended = (await list.mailsTo(entry.id)).filter((name) => name === "waitlist-ended");
      expect(ended).toHaveLength(1);
    }
    expect(await heldIn(gameId)).toBe(0);
  });
});

describe("a deleted account", () => {
  test("leaves its lists, and a spot that was held for it goes to the next", async () => {
    const { gameId, seat } = await list.fullGame();
    const who = await scenario.player({ credits: 10 });
    await list.wait(gameId, who.userId, { mode: "ask" });
    const [next] = await list.waiters(gameId, 1, { now: hoursLater(1) });
    await list.cancel(seat);
    await list.promote(gameId);
    expect(await heldIn(gameId)).toBe(1);
    expect(await scenario.remove(who)).toEqual({ ok: true });
    expect(await entryOf(database.db, gameId, who.userId)).toMatchObject({
      ...{ status: "Lapsed", end_reason: "AccountDeleted" },
    });
    expect(await tracesOf(database.db, who.email)).toEqual([]);
    await list.promote(gameId);
    expect((await entryOf(database.db, gameId, next!)).status).toBe("Promoted");
  });

  test("frees its seat for the first who waits", async () => {
    const who = await scenario.player({ credits: 10 });
    const { gameId, seat } = await list.fullGame({ spots: 2 });
    await list.cancel(seat);
    await list.join(gameId, who.userId);
    const [first] = await list.waiters(gameId, 1);
    expect(await scenario.remove(who)).toEqual({ ok: true });
    const { rowCount } = await database.pool.query(
      "select from pgboss.job where name = 'waitlist.promote' and data->>'gameId' = $1",
      [gameId],
    );
    expect(rowCount).toBe(1);
    await list.promote(gameId);
    expect((await entryOf(database.db, gameId, first!)).status).toBe("Promoted");
  });

  test("is not deleted while a place on a list is being taken", async () => {
    const { gameId } = await list.fullGame();
    const who = await scenario.player({ credits: 0 });
    const deleted = await database.db.transaction().execute(async (tx) => {
      // Inserts like joinWaitlist just before it commits: the account is needed, and not seen yet.
      const entry = {
        ...{ game_id: gameId, user_id: who.userId, mode: "auto" as const, agreed_text: "" },
        ...{ agreed_version: 1, agreed_at: NOW, agreed_key: crypto.randomUUID() },
        ...{ max_price_eur: "10", until_hours: 0, not_after: hoursLater(48) },
        ...{ game_starts_at: hoursLater(48), game_venue_id: crypto.randomUUID() },
      };
      await tx.insertInto("waitlist_entries").values(entry).execute();
      const deletion = scenario.remove(who).then(
        () => "deleted",
        (error: Error) => error.message,
      );
      await scenario.untilSomebodyWaits();
      return { deletion };
    });
    expect(await deleted.deletion).toBe("a game was joined meanwhile");
    expect(
      await database.db.transaction().execute((tx) => listEntriesOf(tx, who.userId)),
    ).toHaveLength(1);
  });
});

describe("the first who waits gets the spot, by a job queued with it, of an organiser who", () => {
  const removes = async (gameId: string, { bookingId }: Seat, actorId: string) => {
    const removal = { gameId, bookingId, actorId, withRefund: true, now: NOW };
    return removePlayer(database.db, database.jobs, removal);
  };
  const addsSpot = async (gameId: string, _: Seat, actorId: string) => {
    const { plan, version } = (await findPlannedGame(database.db, gameId))!;
    const edit = { gameId, actorId, version, withFollowing: false, confirmed: true, now: NOW };
    return editGame(database.db, database.jobs, { ...edit, plan: { ...plan, maxPlayers: 2 } });
  };

  test.each<[string, typeof removes | typeof addsSpot]>([
    ["removes a player", removes],
    ["adds a spot", addsSpot],
  ])("%s", async (_, free) => {
    const { gameId, seat } = await list.fullGame();
    const [first] = await list.waiters(gameId, 1);
    expect(await promotionsOf(database, gameId)).toBe(0);
    expect(await free(gameId, seat, first!)).toMatchObject({ ok: true });
    expect(await promotionsOf(database, gameId)).toBe(1);
    await list.promote(gameId);
    expect((await entryOf(database.db, gameId, first!)).status).toBe("Promoted");
  });
});

describe("the sweep carries out what nobody else has", () => {
  test("a capacity that SQL has raised", async () => {
    const { gameId } = await list.fullGame();
    await list.waiters(gameId, 3);
    await database.pool.query("update games set max_players = 3 where id = $1", [gameId]);
    await list.sweep();
    expect(await statusesIn(database.db, gameId)).toEqual(["Promoted", "Promoted", "Waiting"]);
  });

  test("a seat that SQL has given up", async () => {
    const { gameId, seat } = await list.fullGame();
    await list.waiters(gameId, 1);
    await database.pool.query("update bookings set payment_status = 'Cancelled' where id = $1", [
      seat.bookingId,
    ]);
    await list.sweep();
    expect(await statusesIn(database.db, gameId)).toEqual(["Promoted"]);
  });

  test("a promotion that a crash has lost", async () => {
    const { gameId, seat } = await list.fullGame();
    await list.waiters(gameId, 1);
    await list.cancel(seat);
    await database.pool.query("delete from pgboss.job where name = 'waitlist.promote'");
    await list.sweep();
    expect(await statusesIn(database.db, gameId)).toEqual(["Promoted"]);
  });

  test("the other games, when one of them fails", async () => {
    const games = [await list.fullGame(), await list.fullGame(), await list.fullGame()];
    for (const { gameId, seat } of games) {
      await list.waiters(gameId, 1);
      await list.cancel(seat);
    }
    const broken = games[1]!.gameId;
    await database.pool.query(
      `create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger broken before insert on bookings for each row
       when (new.game_id = '${broken}') execute function fail()`,
    );
    await expect(list.sweep()).rejects.toThrow("waitlist: 1");
    await database.pool.query("drop trigger broken on bookings; drop function fail()");
    const statuses = await Promise.all(games.map(({ gameId }) => statusesIn(database.db, gameId)));
    expect(statuses).toEqual([["Promoted"], ["Waiting"], ["Promoted"]]);
    await list.sweep();
    expect(await statusesIn(database.db, broken)).toEqual(["Promoted"]);
  });
});

test("a freed spot starts a promotion only where somebody waits", async () => {
  const { gameId, seats } = await list.fullGame({ spots: 2 });
  await list.cancel(seats[0]!);
  const jobs = () =>
    database.pool.query(
      "select from pgboss.job where name = 'waitlist.promote' and data->>'gameId' = $1",
      [gameId],
    );
  expect((await jobs()).rowCount).toBe(0);
  await list.join(gameId, await aPlayer(database.db, { credits: 10 }));
  await list.waiters(gameId, 1);
  await list.cancel(seats[1]!);
  expect((await jobs()).rowCount).toBe(1);
  await database.db.transaction().execute((tx) => queuePromotions(tx, database.queue, [gameId]));
  expect((await jobs()).rowCount).toBe(2);
});
