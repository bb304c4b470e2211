import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aVenue, hoursLater, NOW } from "#test/fixtures.ts";
import { aPlayedGame } from "#test/games.ts";
import { signIn, visit } from "#test/visit.ts";
import { listEarlierTickets, listNextTickets } from "#app/features/bookings/bookings.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader } from "./list.tsx";
import { toTicketView } from "./ticket-view.ts";

type Tickets = Extract<Awaited<ReturnType<typeof loader>>, { next: unknown }>;

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

async function join(playerId: string, wish: Parameters<typeof aGame>[1]) {
  const gameId = await aGame(app.db, { startsIn: 30, ...wish });
  const result = await joinGame(app.db, app.jobs, { gameId, playerId, now: hoursLater(-1) });
  if (!result.ok) throw new Error(result.reason);
}

async function myGames(playerId: string): Promise<Tickets> {
  const cookie = await signIn(app, playerId);
  return (await visit(app, loader, { path: "/bookings", cookie })).data as Tickets;
}

test("a free session is named beside the payment, once", async () => {
  const playerId = await ada(app.db);
  await join(playerId, { is_first_session_free: true });
  const { next } = await myGames(playerId);
  expect(next[0]).toMatchObject({ paymentStatus: "Paid", price: "with your free session" });
});

test("the organiser's notes are read with games to come only", async () => {
  const playerId = await ada(app.db);
  const venue_id = await aVenue(app.db, { player_notes: "Ring twice" });
  await join(playerId, { venue_id, player_notes: "Gate code 1234" });
  await aPlayedGame(app.db, { playerId, game: { player_notes: "Gate code 9876" } });
  const tickets = await myGames(playerId);
  expect(tickets.next[0]?.notes).toBe("Gate code 1234\n\nRing twice");
  expect(tickets.earlier).toHaveLength(1);
  expect(JSON.stringify(tickets)).not.toContain("9876");
});

test.each(["CheckedIn", "NoShow", null] as const)(
  "attendance %s is shown once a paid game is over",
  async (attendance) => {
    const playerId = await ada(app.db);
    await join(playerId, {});
    await aPlayedGame(app.db, { playerId });
    const endedAt = hoursLater(-24);
    await aPlayedGame(app.db, { playerId, endedAt, paymentStatus: "Unpaid" });
    const bookings = app.db.updateTable("bookings").where("user_id", "=", playerId);
    await bookings.set({ attendance }).execute();
    const { next, earlier } = await myGames(playerId);
    expect(next.map((ticket) => ticket.attendance)).toEqual([null]);
    expect(earlier.map((ticket) => ticket.attendance)).toEqual([attendance, null]);
  },
);

test("a spot that was given back late is open until kick-off, unless the game is called off", async () => {
  const playerId = await ada(app.db);
  await join(playerId, { startsIn: 5 });
  const read = async () => (await listEarlierTickets(app.db, { playerId, now: NOW, limit: 1 }))[0]!;
  const { id: bookingId } = (await listNextTickets(app.db, { playerId, now: NOW }))[0]!;
  await cancelBooking(app.db, app.jobs, { bookingId, playerId, now: NOW });
  const openAt = async (hours: number) => toTicketView(await read(), hoursLater(hours)).openSpot;
  expect([await openAt(0), await openAt(5)]).toEqual([expect.stringContaining("come back"), null]);
  await app.db.updateTable("games").set({ status: "Cancelled" }).execute();
  expect(await openAt(0)).toBeNull();
});
