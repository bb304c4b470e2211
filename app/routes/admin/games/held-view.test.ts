import { beforeAll, expect, test } from "vitest";
import type { App } from "#app/routes/context.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, hoursLater, NOW } from "#test/fixtures.ts";
import { friendPages } from "#test/friend-pages.ts";
import { holdsOf } from "#test/holds.ts";
import { textOf } from "#test/screen.tsx";
import { waitlistOf } from "#test/waitlist.ts";
import { heldCounts, heldText } from "./held-view.ts";

const database = useDatabase();
const holds = holdsOf(database);
const list = waitlistOf(database);
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

const aino = { host: "Aino", until: hoursLater(0.5) };
const ben = { host: "Ben", until: hoursLater(0.2) };

test.each([
  [{ offered: 0, forFriends: [], forPayers: [] }, "", ""],
  [
    { offered: 1, forFriends: [], forPayers: [] },
    "1 held for the waitlist",
    "1 spot held for the waitlist",
  ],
  [
    { offered: 0, forFriends: [], forPayers: [hoursLater(0.2)] },
    "1 held while a player pays (until 12:12)",
    "1 spot held while it is paid for",
  ],
  [
    { offered: 0, forFriends: [aino], forPayers: [] },
    "1 held for a friend (by Aino, until 12:30)",
    "1 spot held for a friend",
  ],
  [
    { offered: 2, forFriends: [ben, aino], forPayers: [hoursLater(0.2), hoursLater(0.25)] },
    "2 held for the waitlist · 2 held for friends (by Ben, until 12:12; by Aino, until 12:30) · 2 held while players pay (the first until 12:12)",
    "2 spots held for the waitlist, 2 spots held for friends, and 2 spots held while they are paid for",
  ],
])("the spots that are held are named for whom: %j", (held, counts, text) => {
  expect(heldCounts(held, NOW).join(" · ")).toBe(counts);
  expect(heldText(held)).toBe(text);
});

/** Five spots: the host in, one held for a friend, another offered to somebody who waits. */
async function heldTwice() {
  const site = friendPages(app, database);
  const { gameId, host } = await site.aHost({ spots: 4 });
  const seats = [await ada(app.db), await ada(app.db)].map((id) => list.join(gameId, id));
  const [leaver] = await Promise.all(seats);
  await holds.hold(gameId, host.id);
  await list.waiters(gameId, 1, { mode: "ask" });
  await list.cancel(leaver!);
  await list.promote(gameId);
  const admin = await site.signedIn(ada(app.db));
  await app.db.insertInto("user_roles").values({ user_id: admin.id, role: "admin" }).execute();
  return { gameId, admin };
}

test("the roster says which are held for friends, by whom and until when", async () => {
  const { gameId, admin } = await heldTwice();
  const read = (now: Date) =>
    friendPages({ ...app, now: () => now }, database).read(`/admin/games/${gameId}`, admin.cookie);
  expect(textOf(await read(NOW))).toContain(
    "2 in · 0 spots left · 1 held for the waitlist · 1 held for a friend (by Aino, until 12:30)",
  );
  const over = textOf(await read(hoursLater(0.5)));
  expect(over).toContain("2 in · 1 spots left · 1 held for the waitlist");
  expect(over).not.toContain("held for a friend");
});
