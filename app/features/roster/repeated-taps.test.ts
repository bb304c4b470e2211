import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import type { Attendance } from "#app/platform/schema.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { excuseNoShow } from "./no-shows.server.ts";
import { checkInRest, markAttendance } from "./roster.server.ts";

const database = useDatabase();

type Mark = Attendance | null;
type Tap = { from: Mark; to: Mark; version?: number; formKey?: string };

async function aSeat() {
  const { db, jobs } = database;
  const [gameId, playerId] = [await aGame(db, { startsIn: 1 }), await ada(db)];
  const joined = await joinGame(db, jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const { bookingId } = joined;
  const seat = { gameId, bookingId, actorId: await ben(db), now: hoursLater(1) };
  return {
    /** Sends it, each time it is called. */
    aTap: (from: Mark, to: Mark, version?: number) => {
      const tap: Tap = { from, to, formKey: crypto.randomUUID() };
      return () => markAttendance(db, { ...seat, ...tap, version });
    },
    /** Somebody else's, on the mark as it is. */
    mark: (from: Mark, to: Mark) => markAttendance(db, { ...seat, from, to }),
    excuse: (note: string) => excuseNoShow(db, { ...seat, playerId, note }),
    checkIn: (formKey: string) => checkInRest(db, { ...seat, bookingIds: [bookingId], formKey }),
    async marked() {
      const [booking] = await bookingsOf(db, gameId);
      return [booking!.attendance, booking!.no_show_excuse];
    },
    async entries() {
      const entries = db.selectFrom("audit_log").selectAll().where("subject", "=", bookingId);
      return (await entries.execute()).length;
    },
  };
}

test("a tap that is sent again, after somebody else has changed it, changes nothing", async () => {
  const { aTap, mark, marked, entries } = await aSeat();
  const send = aTap(null, "CheckedIn", 0);
  expect(await send()).toEqual({ ok: true, current: "CheckedIn", version: 1 });
  await mark("CheckedIn", null);
  // The version that it has made, not that of the undo, which its maker has not seen.
  expect(await send()).toEqual({ ok: true, current: null, version: 1 });
  expect([await marked(), await entries()]).toEqual([[null, null], 2]);
});

test.each([undefined, 0])(
  "a tap of version %s that found its mark made is remembered, so that it marks nothing later",
  async (version) => {
    const { aTap, mark, marked, entries } = await aSeat();
    const send = aTap(null, "CheckedIn", version);
    await mark(null, "CheckedIn");
    expect(await send()).toEqual({ ok: true, current: "CheckedIn", version: 1 });
    await mark("CheckedIn", null);
    expect(await send()).toEqual({ ok: true, current: null, version: 1 });
    expect([await marked(), await entries()]).toEqual([[null, null], 3]);
  },
);

test("a tap that found its mark made keeps its excuse, and deletes no later one", async () => {
  const { aTap, mark, excuse, marked } = await aSeat();
  await mark(null, "NoShow");
  await excuse("Ill");
  expect(await aTap(null, "NoShow", 0)()).toMatchObject({ ok: true, current: "NoShow" });
  expect(await marked()).toEqual(["NoShow", "Ill"]);
  await mark("NoShow", null);
  const undo = aTap("NoShow", null, 1);
  expect(await undo()).toMatchObject({ ok: true, current: null });
  await mark(null, "CheckedIn");
  await mark("CheckedIn", "NoShow");
  await excuse("Train");
  expect(await undo()).toMatchObject({ ok: true, current: "NoShow" });
  expect(await marked()).toEqual(["NoShow", "Train"]);
});

test.each<[string, Tap, Tap[]]>([
  ["a check-in", { from: null, to: "CheckedIn" }, [{ from: "CheckedIn", to: null }]],
  ["a no-show", { from: null, to: "NoShow" }, [{ from: "CheckedIn", to: null }]],
  [
    "an undo",
    { from: "CheckedIn", to: null, version: 1 },
    [
      { from: "CheckedIn", to: null },
      { from: null, to: "CheckedIn" },
    ],
  ],
])(
  "%s that comes late is not made on a mark that somebody has changed and changed back",
  async (_, { from, to, version = 0 }, since) => {
    const { aTap, mark, marked } = await aSeat();
    await mark(null, "CheckedIn");
    for (const each of since) await mark(each.from, each.to);
    const before = await marked();
    const now = { current: from, version: 1 + since.length };
    expect(await aTap(from, to, version)()).toEqual({ ok: false, reason: "changed", ...now });
    expect(await marked()).toEqual(before);
  },
);

test("an undo made before the no-show was excused deletes no excuse", async () => {
  const { aTap, mark, excuse, marked } = await aSeat();
  await mark(null, "NoShow");
  await excuse("Ill");
  expect(await aTap("NoShow", null, 1)()).toMatchObject({ ok: false, reason: "changed" });
  expect(await marked()).toEqual(["NoShow", "Ill"]);
});

test("a check-in of the rest that found nobody left is remembered", async () => {
  const { mark, checkIn, marked } = await aSeat();
  const formKey = crypto.randomUUID();
  await mark(null, "CheckedIn");
  expect(await checkIn(formKey)).toEqual({ ok: true, players: 0 });
  await mark("CheckedIn", null);
  expect(await checkIn(formKey)).toEqual({ ok: true, players: 0 });
  expect(await marked()).toEqual([null, null]);
});
