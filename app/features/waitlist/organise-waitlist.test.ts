import { describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aPlayer, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { entryOf, waitlistOf } from "#test/waitlist.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { listWaitlist, promoteOutOfOrder, removeFromWaitlist } from "./organise-waitlist.server.ts";

const database = useDatabase();
const list = waitlistOf(database);

/** A full game for whose spot Ada waits before Ben; both are asked first. */
async function twoWhoAreAsked() {
  const { gameId, seat } = await list.fullGame();
  const [first, second] = await list.waiters(gameId, 2, { mode: "ask" });
  return { gameId, seat, first: first!, second: second! };
}
async function change(gameId: string, playerId: string, formKey?: string, now = NOW) {
  const { id: entryId } = await entryOf(database.db, gameId, playerId);
  return { gameId, entryId, actorId: await ben(database.db), reason: "Goals", formKey, now };
}
async function promote(gameId: string, playerId: string, formKey?: string, now = NOW) {
  const promotion = await change(gameId, playerId, formKey, now);
  return promoteOutOfOrder(database.db, database.jobs, promotion);
}
const audits = async (gameId: string, action: string) => {
  const { rowCount } = await database.pool.query(
    "select from audit_log where subject = $1 and action = $2",
    [gameId, action],
  );
  return rowCount;
};
const statusOf = async (gameId: string, playerId: string) =>
  (await entryOf(database.db, gameId, playerId)).status;

describe("who is put before the others", () => {
  test("is asked once: after a missed offer those come first who were not asked yet", async () => {
    const { gameId, seat, first, second } = await twoWhoAreAsked();
    for (const formKey of [undefined, undefined, crypto.randomUUID()]) {
      await promote(gameId, first, formKey);
    }
    await list.cancel(seat);
    await list.promote(gameId);
    expect(await statusOf(gameId, first)).toBe("Offered");
    await list.promote(gameId, hoursLater(2));
    expect(await statusOf(gameId, first)).toBe("Waiting");
    expect(await statusOf(gameId, second)).toBe("Offered");
  });

  test("by a form that is sent twice is put there once", async () => {
    const { gameId, first, second } = await twoWhoAreAsked();
    const formKey = crypto.randomUUID();
    expect(await promote(gameId, second, formKey)).toEqual({ ok: true, isServed: false });
    await promote(gameId, first);
    expect(await promote(gameId, second, formKey)).toEqual({ ok: true, isServed: false });
    expect(await audits(gameId, "waitlist.promote")).toBe(2);
    const game = await findGame(database.db, gameId, NOW);
    const rows = await listWaitlist(database.db, game!, NOW);
    expect(rows.map(({ playerId }) => playerId)).toEqual([first, second]);
  });

  test("by one page's form is not taken for another player of that page", async () => {
    const { gameId, first, second } = await twoWhoAreAsked();
    const formKey = crypto.randomUUID();
    await promote(gameId, first, formKey);
    await promote(gameId, second, formKey);
    expect(await audits(gameId, "waitlist.promote")).toBe(2);
  });

  test("and whose time is over, or the game's, does not wait any more", async () => {
    const { gameId, seat } = await list.fullGame();
    const playerId = await aPlayer(database.db, { credits: 10 });
    await list.wait(gameId, playerId, { until: 24 });
    await list.cancel(seat);
    const notWaiting = { ok: false, reason: "not-waiting" };
    expect(await promote(gameId, playerId, undefined, hoursLater(24))).toEqual(notWaiting);
    expect(await audits(gameId, "waitlist.promote")).toBe(0);
    const begun = await list.fullGame();
    const [late] = await list.waiters(begun.gameId, 1);
    await database.pool.query("update waitlist_entries set not_after = $2 where user_id = $1", [
      ...[late, hoursLater(99)],
    ]);
    expect(await promote(begun.gameId, late!, undefined, hoursLater(48))).toEqual(notWaiting);
  });
});

test("who is taken off the list by a form that is sent twice is notified once", async () => {
  const { gameId, first } = await twoWhoAreAsked();
  const removal = await change(gameId, first, crypto.randomUUID());
  for (let time = 0; time < 2; time += 1) {
    const removed = await removeFromWaitlist(database.db, database.jobs, removal);
    expect(removed).toEqual({ ok: true });
  }
  expect(await audits(gameId, "waitlist.remove")).toBe(1);
  expect(await list.mailsTo(removal.entryId)).toEqual(["waitlist-ended"]);
});
