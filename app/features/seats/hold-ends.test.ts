import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, everything, hoursLater } from "#test/fixtures.ts";
import { heldCount, holdsIn, holdsOf, holdStatuses, promotionsOf } from "#test/holds.ts";
import { suspend, waitlistOf } from "#test/waitlist.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const database = useDatabase();
const holds = holdsOf(database);
const list = waitlistOf(database);
const later = (minutes: number) => hoursLater(minutes / 60);

afterEach(() => expectRightBooks(database));

describe("a held spot ends", () => {
  /** A held spot for which nobody else is left. */
  async function aHold(wish: Parameters<typeof aGame>[1] = {}) {
    const game = await holds.aGameWithAHost(wish);
    return { ...game, token: await holds.hold(game.gameId, game.host) };
  }
  const endsAs = async (gameId: string) => [
    await holdStatuses(database.db, gameId),
    await heldCount(database.db, gameId),
  ];

  test("after half an hour, and not a moment before", async () => {
    const { gameId } = await aHold();
    await holds.sweep(new Date(later(30).getTime() - 1));
    expect(await endsAs(gameId)).toEqual([["Held"], 1]);
    await holds.sweep(later(30));
    expect(await endsAs(gameId)).toEqual([["Lapsed"], 0]);
  });

  test("an hour before kick-off, also where the game was moved since", async () => {
    const { gameId } = await aHold();
    const move = "update games set date = '2026-11-21', start_time = '13:20' where id = $1";
    await database.pool.query(move, [gameId]);
    await holds.sweep(later(19));
    expect(await endsAs(gameId)).toEqual([["Held"], 1]);
    await holds.sweep(later(20));
    expect(await endsAs(gameId)).toEqual([["Lapsed"], 0]);
  });

  test("when its holder gives it back, once", async () => {
    const { gameId, host } = await aHold();
    expect(await holds.giveBack(gameId, host)).toEqual({ ok: true });
    expect(await endsAs(gameId)).toEqual([["GivenBack"], 0]);
    const again = await holds.giveBack(gameId, host);
    expect(again).toEqual({ ok: false, reason: "not-held" });
    const unknown = { ok: false, reason: "not-found" };
    expect(await holds.giveBack(crypto.randomUUID(), host)).toEqual(unknown);
    expect(await holds.giveBack("no-id", host)).toEqual(unknown);
  });

  test("when it is given back, for the first who waits", async () => {
    const { gameId, host } = await aHold();
    await list.waiters(gameId, 1);
    await holds.giveBack(gameId, host);
    expect(await promotionsOf(database, gameId)).toBe(1);
    expect(await list.promote(gameId)).toBe(1);
  });

  test("and nobody else gives it back", async () => {
    const { gameId } = await aHold();
    const stranger = await holds.giveBack(gameId, await ada(database.db));
    expect(stranger).toEqual({ ok: false, reason: "not-held" });
    expect(await endsAs(gameId)).toEqual([["Held"], 1]);
  });

  test.each([
    ["its holder is suspended", (_: string, host: string) => suspend(database.db, host)],
    [
      "its holder's booking is ended by SQL",
      (_: string, host: string) =>
        database.pool.query("update bookings set payment_status = 'Cancelled' where user_id = $1", [
          host,
        ]),
    ],
    [
      "its game is unpublished by SQL",
      (gameId: string) =>
        database.pool.query("update games set status = 'Draft' where id = $1", [gameId]),
    ],
  ])("with the next sweep, when %s", async (_, happens) => {
    const { gameId, host } = await aHold();
    await happens(gameId, host);
    await holds.sweep();
    expect(await endsAs(gameId)).toEqual([["Lapsed"], 0]);
  });

  test("and then belongs to the first who waits", async () => {
    const { gameId } = await aHold();
    const [first] = await list.waiters(gameId, 2);
    await holds.sweep(later(30));
    const seats = await database.db
      .selectFrom("bookings")
      .select("user_id")
      .where("game_id", "=", gameId)
      .where("user_id", "=", first!)
      .execute();
    expect(seats).toHaveLength(1);
  });

  test("before the sweep too, for anybody who joins or is added then", async () => {
    const { gameId } = await aHold();
    const newcomer = await ada(database.db);
    await list.join(gameId, newcomer, later(31));
    expect(await endsAs(gameId)).toEqual([["Lapsed"], 0]);
    const other = await aHold();
    const addition = { gameId: other.gameId, playerId: newcomer, actorId: newcomer };
    const added = await addPlayer(database.db, database.jobs, { ...addition, now: later(31) });
    expect(added).toMatchObject({ ok: true });
  });

  test("before the sweep too it belongs to who waits, and errors write nothing", async () => {
    const { gameId } = await aHold();
    const [first] = await list.waiters(gameId, 1);
    const newcomer = { gameId, playerId: await ada(database.db), now: later(31) };
    const before = [await everything(database.db), await holdsIn(database.db, gameId)];
    const joined = await joinGame(database.db, database.jobs, newcomer);
    expect(joined).toEqual({ ok: false, reason: "belongs-to-waitlist" });
    expect([await everything(database.db), await holdsIn(database.db, gameId)]).toEqual(before);
    expect(await list.promote(gameId, later(31))).toBe(1);
    await expect(list.join(gameId, first!, later(31))).rejects.toThrow("already-joined");
  });

  test("before the sweep too, for the next that its holder holds", async () => {
    const { gameId, host } = await aHold();
    expect(await holds.tryHold(gameId, host, later(31))).toEqual({ ok: true });
    expect(await endsAs(gameId)).toEqual([["Lapsed", "Held"], 1]);
  });

  test("and stays as it is where a join after its time fails for want of credits", async () => {
    const { gameId } = await aHold();
    const poor = { gameId, playerId: await aPlayer(database.db), now: later(31) };
    const joined = await joinGame(database.db, database.jobs, poor);
    expect(joined).toMatchObject({ ok: false, reason: "not-enough-credits" });
    expect(await endsAs(gameId)).toEqual([["Held"], 1]);
  });
});

test("one game that fails to be swept keeps no other from it", async () => {
  const [one, other] = [await holds.aGameWithAHost(), await holds.aGameWithAHost()];
  for (const { gameId, host } of [one, other]) await holds.hold(gameId, host);
  await database.pool.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger fail before update on friend_holds for each row
       when (old.game_id = '${one.gameId}') execute function fail()`,
  );
  await expect(holds.sweep(later(31))).rejects.toThrow("waitlist: 1");
  await database.pool.query("drop trigger fail on friend_holds; drop function fail");
  expect(await holdStatuses(database.db, one.gameId)).toEqual(["Held"]);
  expect(await holdStatuses(database.db, other.gameId)).toEqual(["Lapsed"]);
});
