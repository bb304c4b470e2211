import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { WAITS_MAX } from "#app/features/waitlist/rules.ts";
import type { App } from "#app/routes/context.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import {
  ada,
  aGame,
  aPlayer,
  balanceCents,
  ben,
  everything,
  hoursLater,
  NOW,
} from "#test/fixtures.ts";
import { buttonsOf, linksOf, textOf } from "#test/screen.tsx";
import { toastAfter } from "#test/visit.ts";
import { barOf, waitlistPages } from "#test/waitlist-pages.ts";

const database = useDatabase();
let app: App;
let site: ReturnType<typeof waitlistPages>;
beforeAll(() => {
  app = testApp(database, () => NOW);
  site = waitlistPages(app);
});

const WAIT = { intent: "wait", mode: "auto", until: "3", priceShown: "10" };

describe("joining the waitlist", () => {
  test("stores what was agreed to, and takes nothing", async () => {
    const { gameId } = await site.aFullGame();
    const player = await site.signedIn(ada(app.db));
    const { status, headers } = await site.post(gameId, player.cookie, WAIT);
    expect([status, headers.get("Location")]).toEqual([302, `/events/${gameId}`]);
    expect(await toastAfter(app, headers)).toMatchObject({ title: "You're on the waitlist" });
    expect(await site.entriesOf(gameId)).toMatchObject([
      {
        ...{ user_id: player.id, mode: "auto", status: "Waiting", max_price_eur: "10.00" },
        ...{ until_hours: 3, not_after: hoursLater(45), agreed_version: 2, agreed_at: NOW },
        agreed_text: expect.stringMatching(
          /10 credits are taken\. Waiting until 3 hours before, Mon 09:00\. /,
        ),
      },
    ]);
    expect(await balanceCents(app.db, player.id)).toBe(10_000);
  });

  test.each([
    ["auto", "Nothing is taken until a spot opens."],
    ["ask", "When a spot opens we ask you first. Nothing is taken until you agree."],
  ])("confirms what the chosen mode does: %s", async (mode, description) => {
    const { gameId } = await site.aFullGame();
    const { cookie } = await site.signedIn(ada(app.db));
    const { headers } = await site.post(gameId, cookie, { ...WAIT, mode });
    expect(await toastAfter(app, headers)).toMatchObject({ description });
  });

  test.each(["auto", "ask"])("stores what is shown, word for word: %s", async (mode) => {
    const { gameId } = await site.aFullGame();
    const { cookie } = await site.signedIn(ada(app.db));
    const shown = barOf(await site.pageOf(gameId, cookie)).split("|");
    await site.post(gameId, cookie, { ...WAIT, mode });
    const [entry] = await site.entriesOf(gameId);
    let rest = entry!.agreed_text;
    for (const text of shown) rest = text ? rest.replace(text, "") : rest;
    // What joins the parts of a choice to a sentence.
    expect(rest.replaceAll(/[\s:,.]/g, "")).toBe("");
  });

  test("shows the rules of the mode that is chosen, folded, without JavaScript too", async () => {
    const { gameId } = await site.aFullGame();
    const { cookie } = await site.signedIn(ada(app.db));
    const html = await site.pageOf(gameId, cookie);
    const [, rules = ""] = html.split("How the waitlist works");
    expect(rules).toMatch(
      /^<\/summary><div[^>]*><p class="group-has-\[\[value=ask\]:checked\]\/wait:hidden">The spot is yours at once/,
    );
    expect(rules).toMatch(/<p class="hidden [^"]*block">We hold the spot and ask you by email\./);
  });

  test("needs no form key and no price, and a form that is sent twice waits once", async () => {
    const { gameId } = await site.aFullGame();
    const [first, second] = [await site.signedIn(ada(app.db)), await site.signedIn(ben(app.db))];
    const bare = { intent: "wait", mode: "ask", until: "0" };
    expect((await site.post(gameId, first.cookie, bare)).status).toBe(302);
    const body = { ...WAIT, formKey: crypto.randomUUID() };
    for (const sent of [body, body])
      expect((await site.post(gameId, second.cookie, sent)).status).toBe(302);
    expect(await site.entriesOf(gameId)).toHaveLength(2);
  });

  test("a visitor is sent to sign in, and back", async () => {
    const { gameId } = await site.aFullGame();
    const { status, headers } = await site.post(gameId, "", { intent: "wait" });
    const back = encodeURIComponent(`/events/${gameId}`);
    expect([status, headers.get("Location")]).toEqual([302, `/auth?redirectTo=${back}`]);
    expect(buttonsOf(await site.pageOf(gameId))).toContain("Join waitlist");
  });

  test("each reason to fail has its status and message", async () => {
    const { gameId: full, holder } = await site.aFullGame();
    const { gameId: soon } = await site.aFullGame({ startsIn: 2 });
    const { gameId: begun } = await site.aFullGame();
    const player = await site.signedIn(ada(app.db));
    const waiting = await site.signedIn(ada(app.db));
    await site.wait(full, waiting.id);
    const restless = await site.signedIn(ada(app.db));
    for (let n = 0; n < WAITS_MAX; n += 1) {
      await site.wait(full, restless.id);
      await site.post(full, restless.cookie, { intent: "leave-waitlist" });
    }
    const late = { ...app, now: () => hoursLater(49) };
    const failures: [string, string, Record<string, string>, number, RegExp, App?][] = [
      [full, holder.cookie, WAIT, 409, /already in/],
      [full, waiting.cookie, WAIT, 409, /on the waitlist already/],
      [full, restless.cookie, WAIT, 409, /on this waitlist 10 times/],
      [await aGame(app.db), player.cookie, WAIT, 409, /has spots left/],
      [begun, player.cookie, WAIT, 409, /has started/, late],
      [full, player.cookie, { ...WAIT, priceShown: "0" }, 409, /The price is now 10 credits/],
      [soon, player.cookie, WAIT, 409, /time has passed/],
      [full, player.cookie, { ...WAIT, mode: "both" }, 422, /book the spot or ask/],
      [full, player.cookie, { ...WAIT, until: "2" }, 422, /until when/],
      [full, player.cookie, { intent: "wait" }, 422, /book the spot or ask/],
      [full, player.cookie, { ...WAIT, priceShown: "ten" }, 400, /not complete/],
      [await aGame(app.db, { status: "Draft" }), player.cookie, WAIT, 404, /not open/],
      [crypto.randomUUID(), player.cookie, WAIT, 404, /not found/],
      ["no-id", player.cookie, WAIT, 404, /not found/],
    ];
    const before = await everything(app.db);
    for (const [gameId, cookie, body, status, words, at] of failures) {
      const { formError, fieldErrors = {}, ...failed } = await site.post(gameId, cookie, body, at);
      expect([failed.status, formError ?? Object.values(fieldErrors).join()]).toEqual([
        status,
        expect.stringMatching(words),
      ]);
    }
    expect(await everything(app.db)).toEqual(before);
  });

  test("the dialog keeps what was chosen where it fails", async () => {
    const { gameId } = await site.aFullGame();
    const { cookie } = await site.signedIn(ada(app.db));
    const body = { ...WAIT, mode: "ask", until: "12", priceShown: "9" };
    const html = await site.submit(gameId, cookie, body);
    expect(html).toMatch(/<dialog[^>]* open=""/);
    expect(html).toMatch(/<input[^>]*checked=""[^>]*value="ask"|value="ask"[^>]*checked=""/);
    expect(html).toMatch(/<option[^>]*value="12"[^>]* selected=""|selected=""[^>]* value="12"/);
    const seen = html.replaceAll(/<script.*?<\/script>/gs, "");
    expect(seen.match(/The price is now 10 credits/g)).toHaveLength(1);
  });

  test("an unexpected error is shown, and nobody waits", async () => {
    const { gameId } = await site.aFullGame();
    const { cookie } = await site.signedIn(ada(app.db));
    await sql`alter table waitlist_entries rename column agreed_text to away`.execute(app.db);
    const { status, title } = await site.post(gameId, cookie, WAIT);
    await sql`alter table waitlist_entries rename column away to agreed_text`.execute(app.db);
    expect([status, title]).toEqual([500, "Failed to join the waitlist"]);
    expect(await site.entriesOf(gameId)).toEqual([]);
  });
});

describe("the page of a full game", () => {
  test("says how many wait, and what joining the list means", async () => {
    const { gameId } = await site.aFullGame();
    const { cookie } = await site.signedIn(ada(app.db));
    expect(barOf(await site.pageOf(gameId, cookie))).toContain("Nobody is waiting yet.");
    await site.wait(gameId, await ada(app.db));
    const html = await site.pageOf(gameId, cookie);
    expect(html).toMatch(/<button[^>]* disabled=""[^>]*>GAME FULL<\/button>/);
    expect(buttonsOf(html)).toContain("Join waitlist");
    expect(barOf(html)).toContain("1 person is waiting.");
    expect(barOf(html)).toMatch(/Book it for me[| ]+10 credits are taken\|/);
    expect(barOf(html)).toMatch(/Ask me first[| ]+nothing is taken by itself\|/);
    expect(barOf(html)).toContain("|Waiting until 3 hours before, Mon 09:00|Change|");
    expect(barOf(html)).toContain("You would be 2nd.");
    expect(barOf(html)).toContain("Leave the list at any time, for free");
    expect(textOf(html)).toContain("|0 spots left|");
  });

  test.each([
    [48, ["0", "1", "3", "6", "12", "24"], "3"],
    [7, ["0", "1", "3", "6"], "3"],
    [2.5, ["0", "1"], "1"],
    [0.5, ["0"], "0"],
  ])("%f hours before, latest times that are past are not offered", async (hours, all, preset) => {
    const { gameId } = await site.aFullGame({ startsIn: hours });
    const { cookie } = await site.signedIn(ada(app.db));
    const html = await site.pageOf(gameId, cookie);
    const options = [...html.matchAll(/<option([^>]*)>/g)].map(([, attributes = ""]) => attributes);
    expect(options.map((option) => /value="(\d+)"/.exec(option)?.[1])).toEqual(all);
    expect(options.find((option) => option.includes("selected"))).toContain(`"${preset}"`);
  });

  test("a player with too few credits reads what is missing", async () => {
    const { gameId } = await site.aFullGame();
    const { cookie } = await site.signedIn(aPlayer(app.db, { credits: 4 }));
    const html = await site.pageOf(gameId, cookie);
    expect(barOf(html)).toContain("You need 6 more credits by then");
    expect(linksOf(html)).toContain("Your wallet → /wallet");
  });

  test("who waits sees the position, and may leave", async () => {
    const { gameId } = await site.aFullGame();
    const players = await Promise.all([site.signedIn(ada(app.db)), site.signedIn(ada(app.db))]);
    for (const { id } of players) await site.wait(gameId, id);
    const { cookie } = players[1];
    const html = await site.pageOf(gameId, cookie);
    expect(barOf(html)).toContain("|You are 2nd of 2| on the waitlist|");
    expect(buttonsOf(html)).toEqual(expect.arrayContaining(["Manage", "Leave waitlist"]));
    for (const gone of ["Join waitlist", "GAME FULL"]) expect(buttonsOf(html)).not.toContain(gone);
    const { status, headers } = await site.post(gameId, cookie, { intent: "leave-waitlist" });
    expect([status, headers.get("Location")]).toEqual([302, `/events/${gameId}`]);
    expect(await toastAfter(app, headers)).toMatchObject({ title: "You left the waitlist" });
    expect((await site.post(gameId, cookie, { intent: "leave-waitlist" })).status).toBe(409);
    expect(buttonsOf(await site.pageOf(gameId, cookie))).toContain("Join waitlist");
    expect(barOf(await site.pageOf(gameId, players[0].cookie))).toContain("|You are 1st of 1|");
  });

  test("leaving answers 404 without a game, and sends a visitor to sign in", async () => {
    const { cookie } = await site.signedIn(ada(app.db));
    const leave = { intent: "leave-waitlist" };
    expect((await site.post(crypto.randomUUID(), cookie, leave)).status).toBe(404);
    expect((await site.post(crypto.randomUUID(), "", leave)).headers.get("Location")).toMatch(
      /^\/auth/,
    );
  });

  test("after a change of the game the place has to be agreed to again", async () => {
    const { gameId } = await site.aFullGame();
    const { id, cookie } = await site.signedIn(ada(app.db));
    await site.wait(gameId, id);
    const changed = app.db.updateTable("waitlist_entries").set({ needs_consent: true });
    await changed.where("game_id", "=", gameId).execute();
    const html = await site.pageOf(gameId, cookie);
    expect(barOf(html)).toContain("|The game has changed. Still want a spot?|");
    expect(buttonsOf(html)).toContain("Look and agree");
    expect((await site.post(gameId, cookie, WAIT)).status).toBe(302);
    expect(await site.entriesOf(gameId)).toMatchObject([{ needs_consent: false }]);
    expect(barOf(await site.pageOf(gameId, cookie))).toContain("|You are 1st of 1|");
  });

  test("after two unanswered offers one tap, with what was agreed to before, is enough", async () => {
    const { gameId } = await site.aFullGame();
    const { id, cookie } = await site.signedIn(ada(app.db));
    await site.wait(gameId, id, "ask");
    const stopped = { needs_consent: true, unanswered_offers: 2 };
    const entries = app.db.updateTable("waitlist_entries").where("game_id", "=", gameId);
    await entries.set(stopped).execute();
    const html = await site.pageOf(gameId, cookie);
    expect(barOf(html)).toContain("|Two offers went unanswered. Still want a spot?|");
    expect(buttonsOf(html)).toContain("Ask me again");
    expect(html).not.toContain('<dialog id="waitlist"');
    const again = html.slice(html.indexOf("Ask me again") - 1_500, html.indexOf("Ask me again"));
    expect(again).toMatch(/name="mode" value="ask".*name="until" value="3"/s);
    const tap = { intent: "wait", mode: "ask", until: "3", priceShown: "10" };
    expect((await site.post(gameId, cookie, tap)).status).toBe(302);
    expect(await site.entriesOf(gameId)).toMatchObject([
      { needs_consent: false, unanswered_offers: 0, mode: "ask", until_hours: 3 },
    ]);
    expect(barOf(await site.pageOf(gameId, cookie))).toContain("|You are 1st of 1|");
  });

  test("so has it where the free session was used in another game meanwhile", async () => {
    const { gameId } = await site.aFullGame({ is_first_session_free: true });
    const { id, cookie } = await site.signedIn(aPlayer(app.db, { credits: 20 }));
    await site.wait(gameId, id);
    expect(barOf(await site.pageOf(gameId, cookie))).toContain("is yours, and it is free.");
    const other = await aGame(app.db, { is_first_session_free: true, startsIn: 72 });
    await site.post(other, cookie, { intent: "join" });
    const html = await site.pageOf(gameId, cookie);
    expect(barOf(html)).toContain("|The price for you has changed. Still want a spot?|");
    expect(barOf(html).split("©")[0]).not.toContain("it is free");
    expect((await site.post(gameId, cookie, WAIT)).status).toBe(302);
    expect(barOf(await site.pageOf(gameId, cookie))).toContain(
      "is yours, and 10 credits are taken.",
    );
  });

  test("a free spot that belongs to who waits is none for others", async () => {
    const { gameId, holder, bookingId } = await site.aFullGame();
    await site.wait(gameId, await ada(app.db));
    await cancelBooking(app.db, app.jobs, { bookingId, playerId: holder.id, now: NOW });
    const { cookie } = await site.signedIn(ada(app.db));
    const html = await site.pageOf(gameId, cookie);
    expect(buttonsOf(html)).toContain("Join waitlist");
    expect(textOf(html)).toContain("|0 spots left|");
    const join = { intent: "join", priceShown: "10" };
    const { status, reason } = await site.post(gameId, cookie, join);
    expect([status, reason]).toEqual([409, "belongs-to-waitlist"]);
    expect((await site.post(gameId, cookie, WAIT)).status).toBe(302);
  });
});
