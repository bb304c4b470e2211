import { describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { linkIn, entryMails } from "#test/entry-mails.ts";
import { entryOf, suspend, waitlistOf } from "#test/waitlist.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { leaveWaitlist } from "./join-waitlist.server.ts";

const database = useDatabase();
const list = waitlistOf(database);
const { send } = entryMails(database);

/** Ada waits for the only spot, and it opens. */
async function aFreedSpot({ credits = 10 } = {}) {
  const { gameId, seat } = await list.fullGame();
  const playerId = await aPlayer(database.db, { name: "Ada", credits });
  const id = await list.wait(gameId, playerId);
  await list.cancel(seat);
  return { gameId, playerId, id };
}

describe("who is passed over reads why", () => {
  test.each<[string, (id: string) => Promise<unknown>, string, string]>([
    [
      "too few credits",
      async (id) => {
        await list.join(await aGame(database.db, { startsIn: 72 }), id);
        await topUp(database.db, { userId: id, amountCents: 400, key: `four:${id}` });
      },
      "You need 6 more credits: it costs 10, and you have 4.",
      "http://kickabout.test/wallet",
    ],
    [
      "a debt",
      (id) =>
        database.pool.query("update profiles set wallet_debt_eur = 3.5 where user_id = $1", [id]),
      "You owe 3.50 credits.",
      "http://kickabout.test/wallet",
    ],
    ["a suspension", (id) => suspend(database.db, id), "Your account is suspended.", "events"],
    [
      "another game",
      async (id) => {
        const other = await aGame(database.db, { startsIn: 48 });
        const seat = { user_id: id, game_id: other, payment_status: "Unpaid" as const };
        await database.db.insertInto("bookings").values(seat).execute();
      },
      "You are in another game at that time.",
      "events",
    ],
  ])("%s", async (_, obstruct, text, link) => {
    const { gameId, id, playerId } = await aFreedSpot();
    await obstruct(playerId);
    await list.promote(gameId);
    const mail = await send("passed-over", id);
    expect(mail?.subject).toBe("A spot opened, and you could not have it: Mon 12:00, Nov 23");
    expect(mail?.text).toContain(text);
    // Nobody else waits: the spot is still free.
    expect(mail?.text).toContain("The spot goes to the first who can have it. You keep your place");
    expect(linkIn(mail)).toContain(link);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ["credits", (id) => topUp(database.db, { userId: id, amountCents: 1_000, key: id })],
    [
      "debt",
      (id) =>
        database.pool.query("update profiles set wallet_debt_eur = 0 where user_id = $1", [id]),
    ],
  ])("unless it is no reason any more: %s", async (reason, repair) => {
    const { gameId, id, playerId } = await aFreedSpot({ credits: 0 });
    const owed = reason === "debt" ? 3 : 0;
    await database.pool.query("update profiles set wallet_debt_eur = $2 where user_id = $1", [
      ...[playerId, owed],
    ]);
    await list.promote(gameId);
    await repair(playerId);
    expect(await send("passed-over", id)).toBeNull();
  });

  test("unless the place has ended meanwhile", async () => {
    const { gameId, id, playerId } = await aFreedSpot({ credits: 0 });
    await list.promote(gameId);
    await leaveWaitlist(database.db, database.jobs, { gameId, playerId, now: NOW });
    expect(await send("passed-over", id)).toBeNull();
  });
});

test("a changed game is mailed to those who have not agreed again or left since", async () => {
  const { gameId } = await list.fullGame();
  const playerId = await aPlayer(database.db, { name: "Ada" });
  const id = await list.wait(gameId, playerId);
  await database.pool.query("update games set date = date + 1 where id = $1", [gameId]);
  await list.sweep();
  const mail = await send("waitlist-changed", id);
  expect(mail?.subject).toBe("Still want a spot? The game has changed: Tue 12:00, Nov 24");
  expect(mail?.text).toContain("no spot is taken for you until you have agreed to it again");
  expect(linkIn(mail)).toBe(`http://kickabout.test/events/${gameId}#join`);
  await list.wait(gameId, playerId);
  expect(await send("waitlist-changed", id)).toBeNull();
  await database.pool.query("update games set date = date + 1 where id = $1", [gameId]);
  await list.sweep();
  await leaveWaitlist(database.db, database.jobs, { gameId, playerId, now: NOW });
  expect((await entryOf(database.db, gameId, playerId)).needs_consent).toBe(true);
  expect(await send("waitlist-changed", id)).toBeNull();
});

test("who has used the free session elsewhere reads what a spot costs now", async () => {
  const { gameId } = await list.fullGame({ is_first_session_free: true });
  const playerId = await aPlayer(database.db, { name: "Ada" });
  const id = await list.wait(gameId, playerId);
  await list.join(await aGame(database.db, { is_first_session_free: true }), playerId);
  await list.sweep();
  const mail = await send("waitlist-changed", id);
  expect(mail?.subject).toBe("Still want a spot? The price for you has changed: Mon 12:00, Nov 23");
  expect(mail?.text).toContain("It costs 10 credits now. You keep your place on the waitlist");
});

test("each withdrawal of what was agreed to is mailed", async () => {
  const { gameId } = await list.fullGame({ is_first_session_free: true });
  const playerId = await aPlayer(database.db, { name: "Ada" });
  const id = await list.wait(gameId, playerId);
  await database.pool.query("update games set date = date + 1 where id = $1", [gameId]);
  await list.sweep();
  const moved = await send("waitlist-changed", id);
  await list.wait(gameId, playerId, { now: hoursLater(1) });
  await list.join(await aGame(database.db, { is_first_session_free: true }), playerId);
  await list.sweep(hoursLater(1));
  const dearer = await send("waitlist-changed", id);
  expect(dearer?.key).not.toBe(moved?.key);
});
