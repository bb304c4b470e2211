import { beforeAll, beforeEach, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aFailedMail } from "#test/failed-mails.ts";
import { ada, aGame, aVenue, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { textOf } from "#test/screen.tsx";
import { signIn, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { markAttendance, removePlayer } from "#app/features/roster/roster.server.ts";
import { sendMessage } from "#app/features/support/tickets.server.ts";
import { listPurchases } from "#app/features/support/withdrawals.server.ts";
import { withdrawPurchase } from "#app/features/support/withdraw-purchase.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader as overview } from "./overview.tsx";

const database = useDatabase();
let app: App;
let now = NOW;
let admin: Awaited<ReturnType<typeof anAdmin>>;
let venueId: string;
beforeAll(async () => {
  app = testApp(database, () => now);
  await somePacks(app.db);
  admin = await anAdmin(app);
  venueId = await aVenue(app.db, { name: "Töölö Cage" });
});
beforeEach(() => {
  now = NOW;
});

/** Anew each time: an admin's session ends after hours. */
const enter = () => signIn(app, admin.id);

async function open() {
  const { data } = await visit(app, overview, { path: "/admin", cookie: await enter() });
  return { ...data, toDo: data.toDo! };
}
/** What is read on a page; the script that carries its data aside. */
async function read(path: string, session?: string) {
  const cookie = session ?? (await enter());
  const site = await openSite(app);
  const html = await (await site(path, { cookie })).text();
  return { html, text: textOf(html.replaceAll(/<script\b.*?<\/script>/gs, "")) };
}

async function aSeat(gameId: string) {
  const playerId = await ada(app.db);
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now: hoursLater(-30) });
  if (!joined.ok) throw new Error(joined.reason);
  return { gameId, bookingId: joined.bookingId, actorId: admin.id };
}

test("where nothing waits the page says so, and no mark is shown", async () => {
  expect((await open()).toDo).toMatchObject({ count: 0, games: null, entries: [] });
  const { text } = await read("/admin");
  expect(text).toContain("|To do|Nothing is due.|");
  expect(text).not.toContain("Next game");
  expect(text).toContain("|Admin|");
});

test("the next game, then today's with how many have come, lead to their rosters", async () => {
  const gameId = await aGame(app.db, { startsIn: 26, spots: 8, venue_id: venueId });
  const seat = await aSeat(gameId);
  await aSeat(gameId);
  expect(await open()).toMatchObject({
    today: [],
    next: [{ id: gameId, day: "Tomorrow", time: "14:00–15:30", seats: "2/8", checkedIn: null }],
  });
  now = hoursLater(25.5);
  await markAttendance(app.db, { ...seat, from: null, to: "CheckedIn", now });
  expect(await open()).toMatchObject({
    today: [{ id: gameId, day: null, venueName: "Töölö Cage", checkedIn: "1 of 2 checked in" }],
    next: [],
  });
  const { html, text } = await read("/admin");
  expect(text).toContain("|Today|14:00–15:30| |Töölö Cage|, |Indoor futsal|");
  expect(html).toContain(`href="/admin/games/${gameId}"`);
});

test("a new game is offered where the plan ends first, not where nobody plays any more", async () => {
  const { db } = app;
  const aVenueOf = async (name: string, startsIn: number, is_hidden = false) => {
    const id = await aVenue(db, { name, is_hidden });
    await aGame(db, { startsIn, venue_id: id });
    return { id, name };
  };
  const later = await aVenueOf("Later", 24 * 20);
  const over = await aVenueOf("Over", -24 * 20);
  await aVenueOf("Long ago", -24 * 29);
  await aVenueOf("Hidden", -24 * 5, true);
  await aVenue(db, { name: "Never" });
  const { recentVenues } = await open();
  const names = recentVenues.map(({ name }) => name);
  expect(names.filter((name) => name !== "Töölö Cage").slice(0, 2)).toEqual(["Over", "Later"]);
  expect(names).not.toContain("Long ago");
  expect(names).not.toContain("Hidden");
  const { html } = await read("/admin");
  for (const { id } of [over, later]) expect(html).toContain(`/admin/games/new?venue=${id}`);
  const hide = db.updateTable("venues").set({ is_hidden: true });
  await hide.where("id", "in", [over.id, later.id]).execute();
});

test("all that waits is listed with its number and where it is done", async () => {
  const { db, jobs } = app;
  const gameId = await aGame(db, { startsIn: -20, venue_id: venueId });
  const seat = await aSeat(gameId);
  await aSeat(gameId);
  await markAttendance(db, { ...seat, from: null, to: "NoShow", now });
  const addition = { gameId: await aGame(db), playerId: await ben(db), actorId: admin.id, now };
  await addPlayer(db, jobs, addition);
  await addPlayer(db, jobs, { ...addition, gameId: await aGame(db, { startsIn: -20 * 24 }) });
  const payment = { by: "cash", amountCents: 800, method: "Cash" } as const;
  const paid = await addPlayer(db, jobs, { ...addition, playerId: await ben(db), payment });
  if (!paid.ok) throw new Error(paid.reason);
  await removePlayer(db, jobs, { ...addition, bookingId: paid.bookingId, withRefund: true });
  const userId = await ada(db);
  await deliverEvents({ db, jobs }, singlePurchase(userId).completed);
  const [purchase] = await listPurchases(db, { userId, now });
  const withdrawal = { userId, paymentId: purchase!.paymentId, formKey: crypto.randomUUID() };
  expect(await withdrawPurchase(db, jobs, { ...withdrawal, now })).not.toBeNull();
  for (const subject of ["Shoes", "Socks"]) {
    await sendMessage(db, jobs, { userId, subject, message: "Found some" }, now);
  }
  await deliverEvents({ db, jobs }, singlePurchase(crypto.randomUUID()).completed);
  await aFailedMail(db, {
    ...{ kind: "booking-confirmed", data: { bookingId: seat.bookingId } },
  });

  const { toDo } = await open();
  expect(toDo.games).toEqual({
    text: "1 game to complete",
    list: [
      {
        id: gameId,
        place: "Töölö Cage, Indoor futsal",
        when: "Fri, Nov 20, 16:00",
        lacks: "1 of 2 not marked, no result",
      },
    ],
    links: [
      { text: "Without attendance: 1", to: "/admin/games?when=past&lacks=attendance" },
      { text: "Without a result: 1", to: "/admin/games?when=past&lacks=result" },
    ],
  });
  expect(toDo.entries).toEqual([
    {
      text: "1 withdrawal to refund",
      detail: "due by Sat, Dec 5",
      to: "/admin/inbox?kind=withdrawal",
    },
    { text: "2 open messages", detail: null, to: "/admin/inbox" },
    { text: "1 payment without a player", detail: null, to: "/admin/payments" },
    {
      text: "1 unpaid seat",
      detail: "in 1 played game",
      to: "/admin/games?when=past&pays=unpaid",
    },
    {
      text: "1 payment by hand to give back",
      detail: "8.00\u00a0€ in 1 game",
      to: `/admin/games/${addition.gameId}#seat-${paid.bookingId}`,
    },
    { text: "1 email was not delivered", detail: null, to: "/admin/inbox/mail" },
  ]);
  expect([toDo.count, toDo.openTickets]).toEqual([8, "3"]);
  const site = await openSite(app);
  const roster = await site(`/admin/games/${addition.gameId}`, { cookie: admin.cookie });
  expect(await roster.text()).toContain(`id="seat-${paid.bookingId}"`);
  const second = { ...addition, gameId: await aGame(db), playerId: await ben(db), payment };
  const other = await addPlayer(db, jobs, second);
  if (!other.ok) throw new Error(other.reason);
  await removePlayer(db, jobs, { ...second, bookingId: other.bookingId, withRefund: true });
  expect((await open()).toDo.entries.at(-2)?.to).toBe("/admin/games?when=all&pays=cash-back");
  now = hoursLater(15 * 24);
  expect((await open()).toDo.entries[0]?.detail).toBe("overdue since Sat, Dec 5");
  now = NOW;
});

test("a game whose group keeps no score lacks no result, until one is wanted after all", async () => {
  const { db } = app;
  const gameId = await aGame(db, { startsIn: -21, venue_id: venueId });
  await markAttendance(db, { ...(await aSeat(gameId)), from: null, to: "CheckedIn", now });
  const send = async (keeps: string) => {
    const body = new URLSearchParams({ intent: "keeps-result", keeps });
    const site = await openSite(app);
    expect((await site(`/admin/games/${gameId}`, { cookie: await enter(), body })).status).toBe(
      302,
    );
  };
  const lacking = async () => (await open()).toDo.games?.list.map(({ id }) => id) ?? [];
  expect(await lacking()).toContain(gameId);
  for (let n = 0; n < 2; n += 1) await send("0");
  expect(await lacking()).not.toContain(gameId);
  const { html, text } = await read(`/admin/games/${gameId}`);
  expect(text).toContain("No result was kept.");
  expect(html).toContain("A result was kept after all");
  const log = (await read("/admin/log")).text;
  expect(log.match(/keeps no result/g)).toHaveLength(1);
  await send("1");
  expect(await lacking()).toContain(gameId);
  await send("0");
});

test("an admin has the mark on every page, a player none", async () => {
  const marks = (html: string) => html.match(/aria-description="9 to do"/g)?.length ?? 0;
  for (const path of ["/events", "/venues"]) expect(marks((await read(path)).html)).toBe(2);
  expect((await read("/admin/players")).text).toContain("|Overview|9| |to do|");
  const player = await read("/events", await signIn(app, await ada(app.db)));
  expect(player.html).not.toContain("to do");
  expect(player.html).not.toContain("/admin");
});
