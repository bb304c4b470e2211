import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import {
  ada,
  aGame,
  aPlayer,
  aVenue,
  balanceCents,
  ben,
  bookingsOf,
  everything,
  hoursLater,
  NOW,
} from "#test/fixtures.ts";
import { signIn, toastAfter, visit } from "#test/visit.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import type { PlanOffer } from "#app/routes/credits/plans.server.ts";
import type { FailedJoin } from "./game-row.server.ts";
import type { GamePage } from "./game-page.server.ts";
import { action, loader } from "./show.tsx";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

const pathOf = (gameId: string) => `/events/${encodeURIComponent(gameId)}`;
const at = (gameId: string) => ({ path: pathOf(gameId), params: { gameId } });
async function open(gameId: string, cookie = "") {
  const { status, data } = await visit(app, loader, { ...at(gameId), cookie });
  return { status, game: (data as { game: GamePage | null }).game };
}
async function post(gameId: string, cookie: string, body: BodyInit | Record<string, string>) {
  const { status, data, headers } = await visit(app, action, { ...at(gameId), cookie, body });
  const { reason, formError, plans } = (data ?? {}) as FailedJoin;
  return { status, reason, formError, plans, headers };
}
const JOIN = { intent: "join", priceShown: "10" };
async function signedIn(playerId: Promise<string>) {
  const id = await playerId;
  return { id, cookie: await signIn(app, id) };
}

describe("the page of a game", () => {
  // spec: 2.21, 3.14
  test("a visitor sees how many play, and no names", async () => {
    const gameId = await aGame(app.db, { spots: 10 });
    for (const [hour, name] of ["Wilhelmina", "Thaddeus"].entries()) {
      const playerId = await aPlayer(app.db, { name, credits: 10 });
      await joinGame(app.db, app.jobs, { gameId, playerId, now: hoursLater(hour) });
    }
    const visitor = await open(gameId);
    expect(visitor.status).toBe(200);
    expect(visitor.game).toMatchObject({ joinedCount: 2, spots: 8, players: [], isIn: false });
    const json = JSON.stringify(visitor);
    expect(json).not.toMatch(/Wilhelmina|Thaddeus|Numberi|uni\.example/);
    const people = await app.db.selectFrom("profiles").select("user_id").execute();
    for (const { user_id } of people) expect(json).not.toContain(user_id);

    const { cookie } = await signedIn(ada(app.db));
    const { game } = await open(gameId, cookie);
    expect(game?.players.map(({ name }) => name.split(" ")[0])).toEqual(["Wilhelmina", "Thaddeus"]);
    expect(JSON.stringify(game)).not.toMatch(/uni\.example|2001-05-17/);
  });

  test("at a hidden venue it can be joined as before, without a link to the venue", async () => {
    const venue_id = await aVenue(app.db);
    const gameId = await aGame(app.db, { venue_id });
    expect((await open(gameId)).game?.venue.page).toBe(`/venues/${venue_id}`);
    await app.db
      .updateTable("venues")
      .set({ is_hidden: true })
      .where("id", "=", venue_id)
      .execute();
    const { status, game } = await open(gameId);
    expect([status, game?.venue.name, game?.venue.page]).toEqual([200, "Campus Hall", null]);
    const { cookie } = await signedIn(ada(app.db));
    expect((await post(gameId, cookie, JOIN)).status).toBe(302);
  });

  // spec: 2.75
  test("says what it costs and the balance after", async () => {
    const gameId = await aGame(app.db);
    const [rich, poor] = [await signedIn(ada(app.db)), await signedIn(ben(app.db))];
    expect((await open(gameId)).game).toMatchObject({
      price: { credits: "10", text: "10 credits (10.00\u00a0€)", note: null },
      balance: null,
    });
    expect((await open(gameId, rich.cookie)).game).toMatchObject({
      price: { text: "10 credits", note: null },
      balance: "Balance after: 90 credits",
    });
    expect((await open(gameId, poor.cookie)).game).toMatchObject({
      price: { text: "10 credits (10.00\u00a0€)", note: null },
      balance: "You need 10 more credits",
    });
    const odd = await signedIn(aPlayer(app.db, { name: "Odd", credits: 98.02 }));
    expect((await open(gameId, odd.cookie)).game?.balance).toBe("Balance after: 88 credits");
    const free = await aGame(app.db, { is_first_session_free: true });
    expect((await open(free)).game).toMatchObject({
      price: { text: "10 credits (10.00\u00a0€)", note: "Free if it's your first session" },
    });
    expect((await open(free, poor.cookie)).game).toMatchObject({
      price: { credits: "0", text: "Free", note: null },
      balance: null,
    });
  });

  // spec: 2.68, 9.9, 9.31
  test("without further details: indoor, 5v5, without players", async () => {
    expect((await open(await aGame(app.db, { spots: 4 }))).game).toMatchObject({
      surroundings: "Indoor",
      format: "5v5",
      joinedCount: 0,
      spots: 4,
    });
  });

  // spec: 7.16
  test.each(["1", "x".repeat(3_000), "../etc", `${crypto.randomUUID()}\0`, crypto.randomUUID()])(
    "an id that is none answers 404 (%#)",
    async (gameId) => {
      expect(await open(gameId)).toEqual({ status: 404, game: null });
    },
  );

  // spec: 4.13
  test("a draft is there for admins alone", async () => {
    const gameId = await aGame(app.db, { status: "Draft" });
    const admin = await signedIn(ada(app.db));
    const profile = app.db.selectFrom("profiles").select("email").where("user_id", "=", admin.id);
    await makeAdmin(app.db, (await profile.executeTakeFirstOrThrow()).email, "command");
    const player = await signedIn(ada(app.db));
    expect((await open(gameId)).status).toBe(404);
    expect((await open(gameId, player.cookie)).status).toBe(404);
    expect((await open(gameId, admin.cookie)).game).toMatchObject({ isDraft: true });
  });

  // spec: 4.13
  test("a cancelled one is shown only to players who were in it", async () => {
    const gameId = await aGame(app.db);
    const [inIt, other] = [await signedIn(ada(app.db)), await signedIn(ada(app.db))];
    await joinGame(app.db, app.jobs, { gameId, playerId: inIt.id, now: NOW });
    await cancelGame(app.db, app.jobs, { gameId, now: NOW });
    const { status, game } = await open(gameId, inIt.cookie);
    expect([status, game?.isCalledOff, game?.isPublic]).toEqual([200, true, false]);
    expect(game?.structuredData).toMatchObject({
      eventStatus: "https://schema.org/EventCancelled",
      offers: undefined,
    });
    expect((await open(gameId, other.cookie)).status).toBe(404);
    expect((await open(gameId)).status).toBe(404);
  });
});

describe("joining", () => {
  // spec: 4.18, 8.19
  test("a success leads to the dialog over the page, with its toast", async () => {
    const [gameId, player] = [await aGame(app.db), await signedIn(ada(app.db))];
    const { status, headers } = await post(gameId, player.cookie, JOIN);
    expect([status, headers.get("Location")]).toEqual([302, `/events/${gameId}/joined`]);
    expect(await toastAfter(app, headers)).toMatchObject({
      title: "Successfully joined!",
      description: "You've joined the game for 10 credits!",
    });
    expect((await open(gameId, player.cookie)).game).toMatchObject({ isIn: true, joinedCount: 1 });
  });

  // spec: 8.20
  test("a free one does not claim that credits were paid", async () => {
    const gameId = await aGame(app.db, { is_first_session_free: true });
    const player = await signedIn(ben(app.db));
    const { headers } = await post(gameId, player.cookie, { intent: "join", priceShown: "0" });
    expect((await toastAfter(app, headers))?.description).toBe("This one's free.");
  });

  // spec: 2.79, 6.3
  test("a visitor is sent to sign in, and back", async () => {
    const gameId = await aGame(app.db);
    const { status, headers } = await post(gameId, "", JOIN);
    const back = encodeURIComponent(`/events/${gameId}`);
    expect([status, headers.get("Location")]).toEqual([302, `/auth?redirectTo=${back}`]);
    expect(headers.getSetCookie()).toEqual([]);
    expect(await bookingsOf(app.db, gameId)).toEqual([]);
  });

  // spec: 8.17
  test("each reason to fail has its status and message", async () => {
    const [rich, poor] = [await signedIn(ada(app.db)), await signedIn(ben(app.db))];
    const open = await aGame(app.db);
    const full = await aGame(app.db, { spots: 1 });
    await post(open, rich.cookie, JOIN);
    await post(full, (await signedIn(ada(app.db))).cookie, JOIN);
    const failures: [string, string, number, string, RegExp][] = [
      [open, rich.cookie, 409, "already-joined", /already in/],
      [open, poor.cookie, 402, "not-enough-credits", /^$/],
      [full, rich.cookie, 409, "full", /full/],
      [await aGame(app.db, { startsIn: -1 }), rich.cookie, 409, "started", /started/],
      [await aGame(app.db, { status: "Draft" }), rich.cookie, 404, "not-published", /not open/],
      [crypto.randomUUID(), rich.cookie, 404, "not-found", /not found/],
      ["no-id\0", rich.cookie, 404, "not-found", /not found/],
    ];
    const before = await everything(app.db);
    for (const [gameId, cookie, status, reason, words] of failures) {
      const answer = await post(gameId, cookie, JOIN);
      expect([answer.status, answer.reason]).toEqual([status, reason]);
      // Too few credits are no error: the plans say what is missing.
      expect(answer.formError ?? "").toMatch(words);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(Boolean(answer.plans)).toBe(status === 402);
    }
    expect(await everything(app.db)).toEqual(before);
  });

  // spec: 8.18
  test("an unexpected error is shown on the page, and nothing is booked", async () => {
    const [gameId, player] = [await aGame(app.db), await signedIn(ada(app.db))];
    const jobs = { ...app.jobs, toEnqueueEmail: () => Promise.reject(new Error("queue is down")) };
    const wish = { ...at(gameId), cookie: player.cookie, body: JOIN };
    const { status, data } = await visit({ ...app, jobs }, action, wish);
    const formError = "Failed to join game. Please try again.";
    expect([status, data]).toMatchObject([500, { title: "Booking Error", formError }]);
    expect(await bookingsOf(app.db, gameId)).toEqual([]);
    expect(await balanceCents(app.db, player.id)).toBe(10_000);
  });

  // spec: 4.21, 8.17
  test("too few credits open the plans, which say how many are missing and lead back", async () => {
    const [gameId, player] = [await aGame(app.db), await signedIn(aPlayer(app.db, { credits: 4 }))];
    const { plans } = await post(gameId, player.cookie, JOIN);
    expect(plans).toMatchObject({
      need: "This game costs 10 credits. You have 4.",
      debt: null,
      returnTo: `/events/${gameId}`,
    });
  });

  test("a player who owes credits sees that they come first", async () => {
    const free = await aGame(app.db, { is_first_session_free: true });
    for (const [gameId, priceShown] of [
      [await aGame(app.db), "10"],
      [free, "0"],
    ] as const) {
      const player = await signedIn(ben(app.db));
      const debt = app.db.updateTable("profiles").set({ wallet_debt_eur: "10" });
      await debt.where("user_id", "=", player.id).execute();
      const answer = await post(gameId, player.cookie, { intent: "join", priceShown });
      expect([answer.status, answer.reason]).toEqual([402, "not-enough-credits"]);
      expect(answer.formError).toMatch(/^You owe 10 credits from a refunded payment\./);
      const plans = answer.plans as PlanOffer;
      expect(plans.need ?? plans.debt).toMatch(/and you owe 10: 20 credits\.$|^You owe 10 credits/);
      const { game } = await open(gameId, player.cookie);
      expect(game?.balance).toBe("10 credits owed");
    }
  });

  test("a price that has changed is shown; without one in the form the current price is charged", async () => {
    const [gameId, player] = [await aGame(app.db), await signedIn(ada(app.db))];
    for (const priceShown of ["0", "9.99", "12"]) {
      const answer = await post(gameId, player.cookie, { intent: "join", priceShown });
      expect([answer.status, answer.reason]).toEqual([409, "changed"]);
      expect(answer.formError).toContain("The price is now 10 credits.");
    }
    expect((await post(gameId, player.cookie, { intent: "join" })).status).toBe(302);
    expect(await balanceCents(app.db, player.id)).toBe(9_000);
  });

  const withFile = (name: string) => {
    const form = new FormData();
    form.set("intent", "join");
    form.set(name, new File(["10"], "price.txt"));
    return form;
  };
  test.each<[string, BodyInit | Record<string, string>]>([
    ["no fields", {}],
    ["no intent", { priceShown: "10" }],
    ["another intent", { intent: "refund" }],
    ["an intent that is a file", withFile("intent")],
    ["a price that is a file", withFile("priceShown")],
    ["a price of words", { ...JOIN, priceShown: "ten" }],
    ["a negative price", { ...JOIN, priceShown: "-10" }],
    ["a price with an exponent", { ...JOIN, priceShown: "1e1" }],
    ["a price beyond reason", { ...JOIN, priceShown: "9".repeat(400) }],
    ["a price with a NUL", { ...JOIN, priceShown: "10\0" }],
    ["a body that is no form", JSON.stringify(JOIN)],
    ["a broken form", new Blob(["--x\r\nbroken"], { type: "multipart/form-data; boundary=x" })],
  ])("%s answers 400 and writes nothing", async (_, body) => {
    const [gameId, player] = [await aGame(app.db), await signedIn(ada(app.db))];
    const before = await everything(app.db);
    const { status, formError } = await post(gameId, player.cookie, body);
    // What was shown is read before any form's own words for a failure.
    const failed = /^400 (Failed to (join game\. Please try|process) |undefined$)/;
    expect(`${status} ${formError}`).toMatch(failed);
    expect(await everything(app.db)).toEqual(before);
  });
});
