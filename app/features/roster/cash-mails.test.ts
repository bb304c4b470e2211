import { beforeEach, describe, expect, test } from "vitest";
import { mailJobs, markSent } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { signIn, visit } from "#test/visit.ts";
import { waitlistOf } from "#test/waitlist.ts";
import { openSite } from "#test/whole-site.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import type { CashMethod } from "#app/platform/schema.ts";
import { loader as myGames } from "#app/routes/bookings/list.tsx";
import { addPlayer } from "./add-player.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { decideGame } from "#app/features/organise/decide-games.server.ts";
import { removePlayer } from "./roster.server.ts";
import { setKept } from "./cash-decisions.server.ts";

// What players who paid by hand read once they are no longer in.
const database = useDatabase();
const sent: Mail[] = [];
beforeEach(() => void sent.splice(0));
const app = () => testApp(database, () => NOW);
const jobs = () => mailJobs({ ...app(), mailer: async (mail) => void sent.push(mail) });

async function aPaidSeat(method: CashMethod = "Cash", game: Parameters<typeof aGame>[1] = {}) {
  const { db } = database;
  const [gameId, playerId, actorId] = [await aGame(db, game), await ada(db), await ben(db)];
  const payment = { by: "cash", amountCents: 800, method } as const;
  const added = await addPlayer(db, database.jobs, {
    ...{ gameId, playerId, actorId, payment, now: NOW },
  });
  if (!added.ok) throw new Error(added.reason);
  return { gameId, playerId, actorId, bookingId: added.bookingId, now: NOW };
}
type Seat = Awaited<ReturnType<typeof aPaidSeat>>;

const BACK = "You paid 8.00\u00a0€ in cash: the organiser gives it back.";
const LATE =
  "You paid 8.00\u00a0€ in cash: whether it comes back is between you and the organiser.";

test.each<
  [
    string,
    "booking-cancelled" | "game-cancelled" | "removed-from-game",
    (seat: Seat) => Promise<unknown>,
    string,
  ]
>([
  [
    "cancels in time",
    "booking-cancelled",
    (seat) => cancelBooking(database.db, database.jobs, seat),
    BACK,
  ],
  [
    "cancels late",
    "booking-cancelled",
    (seat) => cancelBooking(database.db, database.jobs, { ...seat, now: hoursLater(30) }),
    LATE,
  ],
  [
    "is removed",
    "removed-from-game",
    (seat) => removePlayer(database.db, database.jobs, { ...seat, withRefund: true }),
    BACK,
  ],
  [
    "was in a game that is cancelled",
    "game-cancelled",
    (seat) => cancelGame(database.db, database.jobs, { ...seat, now: hoursLater(47) }),
    BACK,
  ],
])("who %s reads in the email what was paid by hand", async (_, name, end, words) => {
  const seat = await aPaidSeat();
  await end(seat);
  await jobs()[name]({ bookingId: seat.bookingId });
  expect(sent[0]?.text).toContain(words);
  expect(sent[0]?.text).not.toMatch(/No credits/);
});

describe("who gave the spot up late, once the game is called off", () => {
  async function mailsOf({ gameId, bookingId }: Seat, off: (gameId: string) => Promise<unknown>) {
    await off(gameId);
    return waitlistOf(database).mailsTo(bookingId);
  }
  const callOff = (gameId: string) =>
    cancelGame(database.db, database.jobs, { gameId, now: hoursLater(31) });
  async function leaveLate() {
    const seat = await aPaidSeat();
    await cancelBooking(database.db, database.jobs, { ...seat, now: hoursLater(30) });
    return seat;
  }
  async function paymentOf({ bookingId }: Seat): Promise<string> {
    const query = "select id from cash_payments where booking_id = $1";
    return (await database.pool.query(query, [bookingId])).rows[0].id;
  }

  test("a player is notified once that the organiser gives the cash back", async () => {
    const seat = await leaveLate();
    const mails = await mailsOf(seat, callOff);
    expect(mails).toEqual(["added-to-game", "booking-cancelled", "late-refund"]);
    await markSent(database, "booking-cancelled");
    await jobs()["late-refund"](seat);
    expect(sent[0]?.subject).toMatch(/^Game cancelled: /);
    expect(sent[0]?.text).toContain(`You cancelled late, and the game was called off. ${BACK}`);
  });

  test("a player is notified too where the game is called off by itself", async () => {
    const seat = await leaveLate();
    const games = database.db.updateTable("games").set({ min_players: 4, decides_hours: 3 });
    await games.where("id", "=", seat.gameId).execute();
    const decide = (gameId: string) =>
      decideGame(database.db, database.jobs, { gameId, now: hoursLater(45) });
    expect(await mailsOf(seat, decide)).toContain("late-refund");
  });

  test("a player is not notified of cash that the organiser has kept, then or meanwhile", async () => {
    const [kept, later] = [await leaveLate(), await leaveLate()];
    const keep = async (seat: Seat) =>
      setKept(database.db, { ...seat, cashPaymentId: await paymentOf(seat), isKept: true });
    await keep(kept);
    expect(await mailsOf(kept, callOff)).not.toContain("late-refund");
    expect(await mailsOf(later, callOff)).toContain("late-refund");
    await keep(later);
    await markSent(database, "booking-cancelled");
    await jobs()["late-refund"](later);
    expect(sent).toEqual([]);
  });
});

test.each<[CashMethod, string]>([
  ["MobilePay", "You paid 8.00\u00a0€ by MobilePay: the organiser gives it back."],
  ["Other", "You paid 8.00\u00a0€ to the organiser: the organiser gives it back."],
])("the email names what was paid by %s", async (method, words) => {
  const seat = await aPaidSeat(method);
  await cancelGame(database.db, database.jobs, seat);
  await jobs()["game-cancelled"]({ bookingId: seat.bookingId });
  expect(sent[0]?.text).toContain(words);
});

test("an email that waited until the organiser kept the cash promises nothing", async () => {
  const seat = await aPaidSeat();
  await removePlayer(database.db, database.jobs, { ...seat, withRefund: true });
  const { rows } = await database.pool.query("select id from cash_payments where booking_id = $1", [
    seat.bookingId,
  ]);
  await setKept(database.db, { ...seat, cashPaymentId: rows[0].id, isKept: true });
  await jobs()["removed-from-game"]({ bookingId: seat.bookingId });
  expect(sent[0]?.text).toContain("No credits were refunded.");
});

test("a game that is called off by itself names the cash to its players and to the organisers", async () => {
  const game = { startsIn: 3, min_players: 4, decides_hours: 3 };
  const seat = await aPaidSeat("Cash", game);
  await decideGame(database.db, database.jobs, { ...seat, now: NOW });
  await jobs()["game-cancelled"]({ bookingId: seat.bookingId });
  await jobs()["called-off"]({ gameId: seat.gameId, players: 1 });
  const [toPlayer, toOrganisers] = sent;
  expect(toPlayer?.subject).toContain("Game cancelled");
  expect(toPlayer?.text).toContain(BACK);
  expect(toOrganisers?.text).toContain(
    "8.00\u00a0€ that players paid by hand is yours to give back.",
  );
});

test("My Games and the game's page say it, until the organiser has settled it", async () => {
  const seat = await aPaidSeat();
  const cookie = await signIn(app(), seat.playerId);
  const earlier = async () => {
    const { data } = await visit(app(), myGames, { path: "/bookings", cookie });
    return (data as { earlier: { id: string; cashBack: string | null }[] }).earlier;
  };
  const read = async (path: string) => {
    const site = await openSite(app());
    const html = await (await site(path, { cookie })).text();
    return html.replaceAll(/<script\b.*?<\/script>/gs, "");
  };
  const page = () => read(`/events/${seat.gameId}`);
  expect(await earlier()).toEqual([]);
  await cancelGame(database.db, database.jobs, seat);
  expect(await earlier()).toMatchObject([{ id: seat.bookingId, cashBack: BACK }]);
  expect(await page()).toContain(BACK);
  expect(await read("/bookings")).toContain(BACK);
  await database.pool.query(
    `update cash_payments set undone_kind = 'GivenBack', undone_by = $2, undone_at = now()
     where booking_id = $1`,
    [seat.bookingId, seat.actorId],
  );
  expect(await earlier()).toMatchObject([{ id: seat.bookingId, cashBack: null }]);
  expect(await page()).not.toContain(BACK);
});
