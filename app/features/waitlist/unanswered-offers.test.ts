import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { aPlayer, hoursLater } from "#test/fixtures.ts";
import { entryOf, waitlistOf } from "#test/waitlist.ts";

const database = useDatabase();
const list = waitlistOf(database);

/** Somebody who is asked first, alone on the list, has let this many offers pass. */
async function unanswered(offers: number) {
  const { gameId, seat } = await list.fullGame({ startsIn: 48 });
  const [playerId = ""] = await list.waiters(gameId, 1, { mode: "ask" });
  await list.cancel(seat);
  // Each offer is held for two hours, and the run that ends one makes the next.
  for (let n = 0; n <= offers; n += 1) await list.promote(gameId, hoursLater(2 * n));
  const entryNow = () => entryOf(database.db, gameId, playerId);
  return { gameId, playerId, now: hoursLater(2 * offers), entryNow };
}

test("who lets one offer pass is asked again", async () => {
  const { entryNow } = await unanswered(1);
  expect(await entryNow()).toMatchObject({ status: "Offered", unanswered_offers: 1 });
});

test("after two unanswered offers in a row a player gets no more, is notified once, and stays on the waitlist", async () => {
  const { gameId, now, entryNow } = await unanswered(2);
  const entry = await entryNow();
  expect(entry).toMatchObject({ status: "Waiting", needs_consent: true, unanswered_offers: 2 });
  for (let run = 0; run < 3; run += 1) expect(await list.promote(gameId, now)).toBe(0);
  const mails = await list.mailsTo(entry.id);
  expect(mails.filter((name) => name === "offer-missed")).toHaveLength(2);
  expect(mails.filter((name) => name === "spot-offered")).toHaveLength(2);
});

test("the spot is then anybody's", async () => {
  const { gameId, now } = await unanswered(2);
  const other = await aPlayer(database.db, { credits: 10 });
  expect(await list.join(gameId, other, now)).toMatchObject({ playerId: other });
});

test("who agrees again is asked again at once, and twice more", async () => {
  const { gameId, playerId, now, entryNow } = await unanswered(2);
  await list.wait(gameId, playerId, { mode: "ask", now });
  expect(await entryNow()).toMatchObject({ needs_consent: false, unanswered_offers: 0 });
  expect(await list.promote(gameId, now)).toBe(1);
  for (const hours of [6, 8]) await list.promote(gameId, hoursLater(hours));
  expect(await entryNow()).toMatchObject({ needs_consent: true, unanswered_offers: 2 });
});

test("a game that has changed since asks for that alone", async () => {
  const { gameId, entryNow } = await unanswered(2);
  await database.pool.query("update games set date = date + 1 where id = $1", [gameId]);
  await list.sweep(hoursLater(4));
  expect(await entryNow()).toMatchObject({ needs_consent: true, unanswered_offers: 0 });
});
