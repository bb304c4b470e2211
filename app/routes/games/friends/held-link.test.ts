import { beforeAll, describe, expect, test } from "vitest";
import { openPlans } from "#app/routes/credits/plans.server.ts";
import { loadPaidGame } from "#app/routes/wallet/paid-game.server.ts";
import { nameInvitation } from "#app/features/friends/friends.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aPlayer, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { friendPages, readBar } from "#test/friend-pages.ts";
import { holdsOf } from "#test/holds.ts";
import { buttonsOf, textOf } from "#test/screen.tsx";
import { openSite } from "#test/whole-site.ts";
import { suspend, waitlistOf } from "#test/waitlist.ts";

const database = useDatabase();
const holds = holdsOf(database);
const list = waitlistOf(database);
let app: App;
let site: ReturnType<typeof friendPages>;
beforeAll(() => {
  app = testApp(database, () => NOW);
  site = friendPages(app, database);
});
const aHold: (typeof site)["aHold"] = (wish) => site.aHold(wish);

const HELD = { held: { until: "12:30" }, note: "Once it is paid, you are in." };

describe("the link of a held spot", () => {
  const JOIN = { intent: "join", priceShown: "10" };

  test("says who holds it and until when, to visitors as well, and is no page to index", async () => {
    const { gameId, host, query } = await aHold();
    const html = await site.pageOf(gameId, "", query);
    expect(readBar(html)).toContain("|Aino holds a spot for you until 12:30|");
    expect(readBar(html)).toContain("with a school email by then");
    expect(buttonsOf(html)).toContain("Join game");
    expect(html).toContain('content="noindex"');
    expect(html).toContain(`<link rel="canonical" href="${app.env.appUrl}/events/${gameId}"`);
    const names = app.db.selectFrom("profiles").select("last_name").where("user_id", "=", host.id);
    expect(html).not.toContain((await names.executeTakeFirstOrThrow()).last_name);
  });

  test("previews as who holds it, where and until when, and as the game once it is over", async () => {
    const { gameId, query } = await aHold({ startsIn: 7 });
    const metaOf = (html: string, name: string) =>
      new RegExp(`property="og:${name}" content="([^"]*)"`).exec(html)?.[1] ?? "";
    const words = "Aino holds a spot for you at Campus Hall, Sat 19:00, until 12:30";
    const html = await site.pageOf(gameId, "", query);
    expect(metaOf(html, "title")).toContain(words);
    expect(metaOf(html, "description")).toContain(words);
    expect(metaOf(html, "description")).not.toContain("0 spots left");
    await holds.sweep(hoursLater(0.5));
    const over = await site.pageOf(gameId, "", query);
    expect(metaOf(over, "title")).toMatch(/^Campus Hall/);
    expect(metaOf(over, "description")).toContain("1 spots left");
    expect(over).not.toContain("Aino");
  });

  test("belongs to its game alone", async () => {
    const [held, other] = [await aHold(), await aHold()];
    const html = await site.pageOf(other.gameId, "", held.query);
    expect(readBar(html)).toContain("|This link is not valid|");
    expect(html).not.toContain("Aino");
  });

  test("is followed just after its time by who finds the spot free", async () => {
    const { gameId, token } = await aHold();
    const over = friendPages({ ...app, now: () => hoursLater(0.5) }, database);
    const friend = await over.signedIn(ada(app.db));
    const html = await over.pageOf(gameId, friend.cookie, `?hold=${token}`);
    expect(readBar(html)).toContain(
      "|This spot is no longer held|You can join as long as there are spots.|",
    );
    expect(buttonsOf(html)).toContain("Join game");
    expect(buttonsOf(await over.pageOf(gameId, ""))).not.toContain("GAME FULL");
  });

  test("says the same time where its friend buys credits", async () => {
    const { gameId, token } = await aHold();
    const friend = await site.signedIn(aPlayer(app.db));
    const failed = await site.post(gameId, friend.cookie, { ...JOIN, hold: token });
    expect(failed.plans).toMatchObject({ game: HELD });
  });

  test("says the same time in the email that confirms its friend's address", async () => {
    const { path, query } = await aHold({ startsIn: 7 });
    const name = (at: string, now = NOW) => nameInvitation(app.db, at, now);
    const game = "Campus Hall, Sat 19:00";
    expect(await name(path + query)).toBe(`${game} (a spot is held for you until 12:30)`);
    expect(await name(path)).toBe(game);
    expect(await name(path + query, hoursLater(0.5))).toBe(game);
    expect(await name("/bookings")).toBeNull();
  });

  test("leaves the page of all visitors as it is", async () => {
    const { gameId, query } = await aHold();
    await site.pageOf(gameId, "", query);
    const html = await site.pageOf(gameId, "");
    expect(html).not.toContain("Aino");
    expect(html).not.toContain("noindex");
    expect(buttonsOf(html)).toContain("GAME FULL");
  });

  test("takes the friend in, though the page shows no spots left", async () => {
    const { gameId, host, token, query, path } = await aHold();
    const friend = await site.signedIn(ada(app.db));
    const html = await site.pageOf(gameId, friend.cookie, query);
    const header = html.split("<h2", 1)[0]!;
    expect(textOf(header)).toContain("|Held for you|");
    expect(textOf(header)).not.toContain("spots left");
    const others = await site.pageOf(gameId, friend.cookie);
    expect(textOf(others)).toContain("|0 spots left|");
    expect(html).toMatch(new RegExp(`<input[^>]*name="hold"[^>]*value="${token}"`));
    const form = { ...JOIN, hold: token, formKey: crypto.randomUUID() };
    for (const turn of [1, 2]) {
      const { status, headers } = await site.post(gameId, friend.cookie, form);
      expect([turn, status, headers.get("Location")]).toEqual([turn, 302, `${path}/joined`]);
    }
    const players = (await bookingsOf(app.db, gameId)).map(({ user_id }) => user_id);
    expect(players.toSorted()).toEqual([host.id, friend.id].toSorted());
  });

  test("leads a visitor through signing up or in back to it", async () => {
    const { gameId, query, path, token } = await aHold();
    const visitor = await site.pageOf(gameId, "", query);
    const back = encodeURIComponent(path + query);
    expect(visitor).toContain(`/auth?redirectTo=${back}&amp;tab=sign-in`);
    const { headers } = await site.post(gameId, "", { ...JOIN, hold: token }, app, query);
    expect(headers.get("Location")).toBe(`/auth?redirectTo=${back}`);
  });

  test.each([
    [
      "taken",
      /\|Somebody else took this spot\|You can join as long as there are spots\.\|/,
      "hold-taken",
    ],
    [
      "lapsed",
      /\|This spot is no longer held\|You can join as long as there are spots\.\|/,
      "hold-over",
    ],
    [
      "never made",
      /\|This link is not valid\|You can join as long as there are spots\.\|/,
      "hold-over",
    ],
  ])("says that it is over, once, and the game is joined normally: %s", async (how, words, why) => {
    const { gameId, token } = await aHold({ spots: 3 });
    if (how === "taken") await holds.take(gameId, await ada(app.db), token);
    if (how === "lapsed") await holds.sweep(hoursLater(0.5));
    const sent = how === "never made" ? "x".repeat(22) : token;
    const late = await site.signedIn(ada(app.db));
    const failed = await site.post(gameId, late.cookie, { ...JOIN, hold: sent });
    expect([failed.status, failed.reason]).toEqual([409, why]);
    const broken = await site.post(gameId, late.cookie, { ...JOIN, hold: "\u0000" });
    expect([broken.status, broken.reason]).toEqual([409, "hold-over"]);
    const fields = { ...JOIN, hold: sent };
    const html = await site.submit(gameId, late.cookie, fields, `?hold=${sent}`);
    expect(readBar(html)).toMatch(words);
    expect(readBar(html)).not.toContain("Booking Error");
    expect(html).not.toContain('name="hold"');
    expect((await site.post(gameId, late.cookie, JOIN)).status).toBe(302);
  });

  test("says that nothing is left, and leads to the waitlist", async () => {
    const { gameId, token, query } = await aHold();
    await holds.take(gameId, await ada(app.db), token);
    const late = await site.signedIn(ada(app.db));
    const html = await site.pageOf(gameId, late.cookie, query);
    expect(readBar(html)).toContain("|Somebody else took this spot|The game is full now.|");
    expect(buttonsOf(html)).toContain("Join waitlist");
  });

  test("says that the free spots belong to those who wait", async () => {
    const { gameId, token, query } = await aHold({ spots: 3 });
    await holds.take(gameId, await ada(app.db), token);
    const leaving = await list.join(gameId, await ada(app.db));
    await list.wait(gameId, await aPlayer(app.db, { credits: 10 }));
    await list.cancel(leaving);
    const late = await site.signedIn(ada(app.db));
    const bar = readBar(await site.pageOf(gameId, late.cookie, query));
    const words = "|The free spots belong to those on the waitlist.|";
    expect(bar).toContain(`|Somebody else took this spot${words}`);
  });

  test("says to who took it and left again that it was they", async () => {
    const { gameId, token, query } = await aHold({ spots: 3 });
    const friend = await site.signedIn(aPlayer(app.db, { credits: 20 }));
    const bookingId = await holds.take(gameId, friend.id, token);
    await list.cancel({ bookingId, playerId: friend.id });
    const own = "|You took this spot and have left again|You can join as long as there are spots.|";
    expect(readBar(await site.pageOf(gameId, friend.cookie, query))).toContain(own);
    const form = { ...JOIN, hold: token };
    expect(readBar(await site.submit(gameId, friend.cookie, form, query))).toContain(own);
    const words = "|Somebody else took this spot|";
    expect(readBar(await site.pageOf(gameId, "", query))).toContain(words);
    expect((await site.post(gameId, friend.cookie, JOIN)).status).toBe(302);
  });

  test("the link says to its holder, and to a player who is in, that it is for somebody else", async () => {
    const { gameId, host, query, token } = await aHold({ spots: 5 });
    const own = await site.pageOf(gameId, host.cookie, query);
    expect(readBar(own)).toContain("|This link is for your friend|");
    const player = await site.signedIn(ada(app.db));
    await list.join(gameId, player.id);
    const html = await site.pageOf(gameId, player.cookie, query);
    expect(readBar(html)).toContain("|You are in this game already|");
    expect(readBar(html)).toContain("Aino still holds the spot");
    for (const { cookie } of [host, player]) {
      const failed = await site.post(gameId, cookie, { ...JOIN, hold: token });
      expect([failed.status, failed.reason]).toEqual([409, "already-joined"]);
    }
  });

  test("says nothing of a spot where the game is called off", async () => {
    const { gameId, query } = await aHold();
    const friend = await site.signedIn(ada(app.db));
    const call = app.db.updateTable("games").set({ status: "Cancelled" });
    await call.where("id", "=", gameId).execute();
    await app.db
      .insertInto("bookings")
      .values({ game_id: gameId, user_id: friend.id, payment_status: "Refunded" })
      .execute();
    const bar = readBar(await site.pageOf(gameId, friend.cookie, query));
    expect(bar).toContain("This game was cancelled.");
    expect(bar).not.toContain("Aino");
  });

  test("says that the game was cancelled, where and when, to who was invited", async () => {
    const { gameId, query } = await aHold({ startsIn: 7 });
    const read = async (cookie: string, search = "") => {
      const response = await (await openSite(app))(`/events/${gameId}${search}`, { cookie });
      return [response.status, textOf(await response.text())] as const;
    };
    const call = app.db.updateTable("games").set({ status: "Cancelled" });
    await call.where("id", "=", gameId).execute();
    const { cookie } = await site.signedIn(ada(app.db));
    for (const who of ["", cookie]) {
      const [status, invited] = await read(who, query);
      expect(status).toBe(404);
      expect(invited).toContain(
        "|Game not found|This game was cancelled: Campus Hall, Sat 19:00.|Back to Games|",
      );
      expect((await read(who))[1]).toContain("|Game not found|This game was cancelled.|");
    }
    const draft = app.db.updateTable("games").set({ status: "Draft" });
    await draft.where("id", "=", gameId).execute();
    expect((await read(cookie, query))[1]).toContain("|Game not found|Back to Games|");
  });

  test("is over once its holder is suspended, before any sweep", async () => {
    const { gameId, host, query } = await aHold();
    await suspend(app.db, host.id);
    const bar = readBar(await site.pageOf(gameId, "", query));
    expect(bar).toContain("|This spot is no longer held|");
    expect(bar).not.toContain("Aino");
  });

  test("goes along where the friend has to buy credits first", async () => {
    const { gameId, token, path, query } = await aHold();
    const friend = await site.signedIn(aPlayer(app.db));
    const failed = await site.post(gameId, friend.cookie, { ...JOIN, hold: token });
    expect([failed.status, failed.reason]).toEqual([402, "not-enough-credits"]);
    expect(failed.plans).toMatchObject({
      returnTo: path + query,
      game: { path: path + query, held: { until: "12:30" } },
    });
    expect(failed.formError).toBeUndefined();
    const shown = readBar(
      await site.submit(gameId, friend.cookie, { ...JOIN, hold: token }, query),
    );
    expect(shown.match(/10 more/g)).toHaveLength(1);
    expect(shown).toContain("Aino holds");
    const payer = { userId: friend.id, balanceCents: 1_000, debtCents: 0 };
    const paid = (holdToken: string | null) => loadPaidGame(app, gameId, { ...payer, holdToken });
    expect(await paid(token)).toMatchObject({ state: "open", path: path + query });
    expect(await paid(null)).toMatchObject({ state: "full", path });
    await holds.sweep(hoursLater(0.5));
    expect(await paid(token)).toMatchObject({
      ...{ state: "open", path },
      lost: "The spot that was held for you is over since 12:30.",
    });
    expect(await paid("x".repeat(22))).toMatchObject({ lost: null });
    const returned = { returnTo: path + query };
    const buyer = { ...payer, debtCents: 0 };
    expect(await openPlans(app, buyer, returned)).toMatchObject({
      game: { path, spots: "1 spots left" },
    });
    await list.join(gameId, await ada(app.db));
    expect(await paid(token)).toMatchObject({ state: "full", lost: expect.any(String) });
  });
});
