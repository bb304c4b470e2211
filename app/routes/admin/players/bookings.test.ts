import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { textOf } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { ada, aGame, hoursLater, NOW } from "#test/fixtures.ts";
import { suspendAccount } from "#app/features/accounts/account-status.server.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { markPaid, undoPayment } from "#app/features/roster/cash-payments.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { markAttendance, removePlayer } from "#app/features/roster/roster.server.ts";
import { setKept } from "#app/features/roster/cash-decisions.server.ts";
import { sendMessage } from "#app/features/support/tickets.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { action as atGame } from "#app/routes/admin/games/show.tsx";
import { loader } from "./show.tsx";

const database = useDatabase();
let app: App;
let now = NOW;
let admin: Awaited<ReturnType<typeof anAdmin>>;
let playerId: string;
beforeAll(async () => {
  app = testApp(database, () => now);
  admin = await anAdmin(app);
});
beforeEach(async () => {
  now = NOW;
  playerId = await ada(app.db);
});

const at = () => ({ path: `/admin/players/${playerId}`, cookie: admin.cookie });
const open = async () => (await visit(app, loader, at())).data;
async function read() {
  const html = await (await (await openSite(app))(at().path, { cookie: admin.cookie })).text();
  return textOf(html.replaceAll(/<script\b.*?<\/script>/gs, ""));
}

/** Added by the organiser to a game that is on in an hour, and paid in cash. */
async function aPaidSeat() {
  const { db, jobs } = app;
  const gameId = await aGame(db, { startsIn: 1 });
  const added = await addPlayer(db, jobs, { gameId, playerId, actorId: admin.id, now: NOW });
  if (!added.ok) throw new Error(added.reason);
  const seat = { gameId, bookingId: added.bookingId, actorId: admin.id, now: NOW };
  const cash = { cashPaymentId: crypto.randomUUID(), amountCents: 1_000, method: "Cash" } as const;
  await markPaid(db, { ...seat, ...cash });
  const { cashPaymentId } = cash;
  const removeSeat = () => removePlayer(db, jobs, { ...seat, withRefund: false });
  const undo = (kind: "GivenBack" | "Mistake") => undoPayment(db, { ...seat, cashPaymentId, kind });
  return { ...seat, seat, cashPaymentId, removeSeat, undo };
}

describe("money paid by hand", () => {
  const PAID = "Paid 10.00\u00a0€ (cash)";

  test("is on the booking, with what became of it", async () => {
    const { seat, cashPaymentId, removeSeat, undo } = await aPaidSeat();
    expect((await open()).next).toMatchObject([{ cash: [PAID] }]);
    await removeSeat();
    const cash = async () => (await open()).earlier[0]?.cash;
    expect(await cash()).toEqual([PAID, "10.00\u00a0€ to give back"]);
    await setKept(app.db, { ...seat, cashPaymentId, isKept: true });
    expect(await cash()).toEqual([PAID, "10.00\u00a0€ kept"]);
    await undo("GivenBack");
    expect(await cash()).toEqual([PAID, "10.00\u00a0€ given back"]);
    expect(await read()).toContain(`${PAID} · 10.00\u00a0€ given back`);
  });

  test("is not there where it was noted by mistake", async () => {
    const { undo } = await aPaidSeat();
    await undo("Mistake");
    expect((await open()).next).toMatchObject([{ status: "Unpaid", cash: [] }]);
  });

  test.each([
    ["GivenBack", "keep-cash", "Already marked as given back."],
    ["GivenBack", "mark-unpaid", "Already marked as given back."],
    ["Mistake", "give-cash-back", "Already marked as never paid."],
  ] as const)("that was settled in another tab, %s, says so to %s", async (kind, intent, says) => {
    const { gameId, bookingId, cashPaymentId, removeSeat, undo } = await aPaidSeat();
    await removeSeat();
    await undo(kind);
    const form = { path: `/admin/games/${gameId}`, cookie: admin.cookie };
    const body = { intent, bookingId, cashPaymentId };
    const { status, data } = await visit(app, atGame, { ...form, body });
    expect([status, data]).toMatchObject([409, { formError: says }]);
  });
});

describe("a booking", () => {
  test("of a game that is on is not to come any more", async () => {
    const { gameId, bookingId } = await aPaidSeat();
    const later = await aGame(app.db, { startsIn: 30 });
    await joinGame(app.db, app.jobs, { gameId: later, playerId, now: NOW });
    now = hoursLater(1.5);
    const mark = { gameId, bookingId, actorId: admin.id, from: null, to: "CheckedIn" as const };
    await markAttendance(app.db, { ...mark, now });
    expect(await open()).toMatchObject({
      next: [{ gameId: later }],
      earlier: [{ gameId, attendance: { text: "Came" } }],
    });
  });

  test("that an organiser ended is one that was removed, and nobody came", async () => {
    const { gameId, bookingId, removeSeat } = await aPaidSeat();
    const mark = { gameId, bookingId, actorId: admin.id, from: null, now: NOW };
    await markAttendance(app.db, { ...mark, to: "CheckedIn" });
    await removeSeat();
    expect((await open()).earlier).toMatchObject([{ attendance: null, isRemoved: true }]);
    const page = await read();
    expect(page).toContain("|Removed|");
    expect(page).not.toContain("|Came|");
    expect(page).not.toContain("|Cancelled|");
  });
});

test("bookings and the statement come first, also of who is suspended", async () => {
  const { db, jobs } = app;
  await joinGame(db, jobs, { gameId: await aGame(db), playerId, now: NOW });
  await sendMessage(db, jobs, { userId: playerId, subject: "Shoes", message: "Lost" }, NOW);
  const titlesOf = (text: string) => text.split("|").filter((each) => ORDER.includes(each));
  const ORDER = [
    ...["Upcoming bookings", "Earlier bookings", "Statement", "Messages"],
    ...["Correct the balance", "Suspend", "Lift the suspension", "Admin role"],
  ];
  // After the links to what is far below.
  const contentOf = (text: string) => text.slice(text.indexOf("|Upcoming bookings|"));
  const onlyOnce = async () => [...new Set(titlesOf(contentOf(await read())))];
  expect(await onlyOnce()).toEqual(ORDER.filter((title) => title !== "Lift the suspension"));
  const suspended = await suspendAccount(
    ...([db, jobs, { reason: "Test", actor: admin.id, userId: playerId }, NOW] as const),
  );
  expect(suspended.ok).toBe(true);
  expect(await onlyOnce()).toEqual(ORDER.filter((title) => !/^(Suspend|Admin role)$/.test(title)));
});
