import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import {
  ada,
  aGame,
  balanceCents,
  bookingsOf,
  everything,
  hoursLater,
  NOW,
} from "#test/fixtures.ts";
import { signIn, visit } from "#test/visit.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { addPack, DEFAULT_PACKS } from "#app/features/wallet/packs.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { takeToast } from "#app/forms/toast.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { action, loader } from "./list.tsx";

type Tickets = Extract<Awaited<ReturnType<typeof loader>>, { next: unknown }>;

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

async function player() {
  const id = await ada(app.db);
  return { id, cookie: await signIn(app, id) };
}
async function booked(playerId: string, wish: Parameters<typeof aGame>[1] = {}) {
  const gameId = await aGame(app.db, wish);
  const now = hoursLater(Math.min(0, (wish.startsIn ?? 0) - 30));
  const answer = await joinGame(app.db, app.jobs, { gameId, playerId, now });
  if (!answer.ok) throw new Error(answer.reason);
  return { gameId, bookingId: answer.bookingId };
}
async function open(cookie: string, { as = app, query = "" } = {}): Promise<Tickets> {
  return (await visit(as, loader, { path: `/bookings${query}`, cookie })).data as Tickets;
}
async function post(cookie: string, body: BodyInit | Record<string, string>, as = app) {
  const { status, data, headers } = await visit(as, action, { path: "/bookings", cookie, body });
  return { status, result: data as FormResult | null, headers };
}
const cancel = (bookingId: string, reason?: string) => ({
  intent: "cancel",
  bookingId,
  ...(reason !== undefined && { reason }),
});

describe("my games", () => {
  // spec: 6.5
  test("a visitor gets the page without any", async () => {
    expect((await visit(app, loader, { path: "/bookings" })).data).toEqual({ viewer: null });
  });

  // spec: 2.24, 7.20
  test("next games soonest first, earlier ones newest first", async () => {
    const { id, cookie } = await player();
    const later = await booked(id, { startsIn: 60 });
    const soon = await booked(id, { startsIn: 30 });
    const running = await booked(id, { startsIn: -1 });
    const past = await booked(id, { startsIn: -50 });
    const justOver = await booked(id, { startsIn: -1.5 });
    const calledOff = await booked(id, { startsIn: 40 });
    await cancelGame(app.db, app.jobs, { gameId: calledOff.gameId, now: NOW });
    const given = await booked(id, { startsIn: 20 });
    await post(cookie, cancel(given.bookingId));
    // A player who has left before does not read that the organiser cancelled.
    await cancelGame(app.db, app.jobs, { gameId: given.gameId, now: NOW });
    const { next, earlier, viewer, pages } = await open(cookie);
    expect(next.map((ticket) => ticket.id)).toEqual(
      [running, soon, later].map(({ bookingId }) => bookingId),
    );
    expect(earlier.map((ticket) => ticket.id)).toEqual(
      [calledOff, given, justOver, past].map(({ bookingId }) => bookingId),
    );
    expect(earlier.map(({ paymentStatus }) => paymentStatus)).toEqual([
      "Refunded",
      "Refunded",
      "Paid",
      "Paid",
    ]);
    expect(earlier.map(({ isCalledOff }) => isCalledOff)).toEqual([true, false, false, false]);
    expect(viewer?.credits).toBe("50");
    expect(pages).toEqual({ first: null, next: null });
  });

  // spec: 3.18
  test("a ticket, with the quote that a cancellation will keep", async () => {
    const { id, cookie } = await player();
    const { bookingId } = await booked(id, { startsIn: 30 });
    expect((await open(cookie)).next[0]).toMatchObject({
      id: bookingId,
      venueName: "Campus Hall",
      city: "Espoo",
      weekday: "SUNDAY",
      monthDayYear: "Nov 22, 2026",
      start: "18:00",
      end: "19:30",
      price: "10 credits",
      countdown: "in 30 h",
      terms: "Cancel by Sat 18:00 to get 9.01 credits back",
      quote: "You'll get 9.01 credits back.",
    });
    const late = { ...app, now: () => hoursLater(29.5) };
    expect((await open(cookie, { as: late })).next[0]).toMatchObject({
      countdown: "in 30 min",
      terms: "Cancel, and 9.01 credits come back once somebody takes your spot",
      quote:
        "Nothing comes back now. 9.01 credits come back if somebody takes your spot before " +
        "kick-off. Nobody is waiting yet.",
    });
    expect((await open(cookie, { as: late })).saved).toBe("Sun, Nov 22, 17:30");
    const begun = { ...app, now: () => hoursLater(30) };
    expect((await open(cookie, { as: begun })).next[0]).toMatchObject({
      countdown: "now",
      terms: null,
      quote: null,
    });
  });

  test("earlier ones fill pages of twenty, each once, to the very first", async () => {
    const { id, cookie } = await player();
    const gameId = await aGame(app.db, { startsIn: -50 });
    await database.pool.query(
      `insert into bookings (user_id, game_id, payment_status)
       select $1, $2, 'Cancelled' from generate_series(1, 225)`,
      [id, gameId],
    );
    await booked(id, { startsIn: -200 });
    const seen = [];
    let path: string | null = "/bookings";
    while (path) {
      const page: Tickets = await open(cookie, { query: path.slice("/bookings".length) });
      seen.push(page.earlier);
      path = page.pages.next;
    }
    expect(seen.map(({ length }) => length)).toEqual([...Array(11).fill(20), 6]);
    expect(new Set(seen.flat().map((ticket) => ticket.id)).size).toBe(226);
    expect(seen.at(-1)?.at(-1)?.paymentStatus).toBe("Paid");
  });

  test("a page after a booking that is none or not one's own", async () => {
    const [one, other] = [await player(), await player()];
    const { bookingId } = await booked(one.id, { startsIn: -50 });
    await booked(other.id, { startsIn: -70 });
    const after = (cookie: string, id: string) => open(cookie, { query: `?after=${id}` });
    const first = "/bookings#earlier-games";
    for (const id of [bookingId, crypto.randomUUID()]) {
      expect(await after(other.cookie, id)).toMatchObject({ earlier: [], pages: { first } });
    }
    expect((await after(other.cookie, "7")).earlier).toHaveLength(1);
  });

  // spec: 6.5
  test("players see only their own", async () => {
    const [one, other] = [await player(), await player()];
    await booked(one.id, { startsIn: 30 });
    expect(await open(other.cookie)).toMatchObject({ next: [], earlier: [] });
  });
});

describe("cancelling", () => {
  // spec: 8.25, 9.17
  test.each([
    [48, 9_901, "Your booking has been successfully cancelled. 9.01 credits are back."],
    [
      5,
      9_000,
      "Your booking has been successfully cancelled. " +
        "9.01 credits come back if somebody takes your spot.",
    ],
  ])("%i hours ahead", async (startsIn, balance, words) => {
    const { id, cookie } = await player();
    const { bookingId } = await booked(id, { startsIn });
    const { status, headers } = await post(cookie, cancel(bookingId, "Ill"));
    expect([status, headers.get("Location")]).toEqual([302, "/bookings"]);
    const Cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const next = new Request("http://kickabout.test/bookings", { headers: { Cookie } });
    const { toast } = await takeToast(app.env, next);
    expect(toast?.title).toBe("Booking cancelled");
    expect(toast?.description).toBe(words);
    expect(await balanceCents(app.db, id)).toBe(balance);
  });

  test("a visitor is sent to sign in, and back", async () => {
    const { status, headers } = await post("", cancel(crypto.randomUUID()));
    expect([status, headers.get("Location")]).toEqual([302, "/auth?redirectTo=%2Fbookings"]);
  });

  // spec: 4.25, 8.23
  test("not yours, and no longer cancellable", async () => {
    const [one, other] = [await player(), await player()];
    const { bookingId } = await booked(one.id, { startsIn: 30 });
    const before = await everything(app.db);
    expect(await post(other.cookie, cancel(bookingId))).toMatchObject({
      status: 404,
      result: { formError: "This booking does not exist or is not yours." },
    });
    const begun = { ...app, now: () => hoursLater(30) };
    expect(await post(one.cookie, cancel(bookingId), begun)).toMatchObject({
      status: 409,
      result: { formError: "This booking can no longer be cancelled." },
    });
    expect(await everything(app.db)).toEqual(before);
    await post(one.cookie, cancel(bookingId));
    expect(await post(one.cookie, cancel(bookingId))).toMatchObject({
      status: 409,
      result: { formError: "This booking is already cancelled." },
    });
  });

  // spec: 8.24
  test("an unexpected error is shown on the page, and the booking stays", async () => {
    const { id, cookie } = await player();
    const { bookingId } = await booked(id, { startsIn: 30 });
    const before = await everything(app.db);
    const jobs = { ...app.jobs, enqueueEmails: () => Promise.reject(new Error("queue is down")) };
    expect(await post(cookie, cancel(bookingId), { ...app, jobs })).toMatchObject({
      status: 500,
      result: {
        title: "Error",
        formError: "Failed to cancel booking. Please try again.",
      },
    });
    expect(await everything(app.db)).toEqual(before);
  });

  // spec: 7.34
  test.each([
    ["markup stays text", "<b>ill</b> & tired", "<b>ill</b> & tired"],
    ["control characters become spaces", "a\0b\r\n\tc\u0007", "a b c"],
    ["of 600 characters 500 are kept", "x".repeat(600), "x".repeat(500)],
    ["of 600 emoji as many as fit", "⚽️".repeat(300), "⚽️".repeat(250)],
    ["nothing is nothing", " \n ", null],
  ])("a reason: %s", async (_, reason, kept) => {
    const { id, cookie } = await player();
    const { gameId, bookingId } = await booked(id, { startsIn: 30 });
    expect((await post(cookie, cancel(bookingId, reason))).status).toBe(302);
    expect((await bookingsOf(app.db, gameId))[0]?.cancel_reason).toBe(kept);
  });

  const withFile = (name: string) => {
    const form = new FormData();
    for (const [key, value] of Object.entries(cancel(crypto.randomUUID()))) form.set(key, value);
    form.set(name, new File(["x"], "x.txt"));
    return form;
  };
  // spec: 8.23
  test.each<[string, BodyInit | Record<string, string>, number]>([
    ["no fields", {}, 400],
    ["no intent", { bookingId: crypto.randomUUID() }, 400],
    ["no booking", { intent: "cancel" }, 400],
    ["another intent", { ...cancel(crypto.randomUUID()), intent: "join" }, 400],
    ["an intent that is a file", withFile("intent"), 400],
    ["a booking that is a file", withFile("bookingId"), 400],
    ["a reason that is a file", withFile("reason"), 400],
    ["a body that is no form", JSON.stringify(cancel(crypto.randomUUID())), 400],
    ["a broken form", new Blob(["--x"], { type: "multipart/form-data; boundary=x" }), 400],
    ["an empty booking", cancel(""), 404],
    ["a booking of words", cancel("all of them"), 404],
    ["a booking with a NUL", cancel(`${crypto.randomUUID()}\0`), 404],
    ["a booking that is too long", cancel("1".repeat(10_000)), 404],
    ["a booking of SQL", cancel("' or 1=1 --"), 404],
    ["an unknown booking", cancel(crypto.randomUUID()), 404],
  ])("%s: an error, and nothing written", async (_, body, status) => {
    const { id, cookie } = await player();
    await booked(id, { startsIn: 30 });
    const before = await everything(app.db);
    const answer = await post(cookie, body);
    expect([answer.status, answer.result?.title]).toEqual([status, "Error"]);
    expect(await everything(app.db)).toEqual(before);
  });
});

describe("buying credits", () => {
  // spec: 7.17
  test("opens the plans, cheapest first, and leads back here", async () => {
    for (const pack of DEFAULT_PACKS.toReversed()) await addPack(app.db, pack);
    const { cookie } = await player();
    const answer = await post(cookie, { intent: "buy-credits" });
    expect(answer.status).toBe(200);
    expect(answer.result).toMatchObject({
      plans: { packs: { length: 4, 0: { perGame: "9,99 € per game" } }, returnTo: "/bookings" },
    });
  });

  test("a visitor is sent to sign in, and back", async () => {
    const { status, headers } = await post("", { intent: "buy-credits" });
    expect([status, headers.get("Location")]).toEqual([302, "/auth?redirectTo=%2Fbookings"]);
  });
});
