import { beforeAll, describe, expect, test } from "vitest";
import { emailLink } from "#app/features/accounts/email-link.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { promoteWaiting } from "#app/features/waitlist/promote-waiting.server.ts";
import type { App } from "#app/routes/context.server.ts";
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
import { buttonsOf, linksOf, textOf } from "#test/screen.tsx";
import { toastAfter, visit } from "#test/visit.ts";
import { barOf, waitlistPages } from "#test/waitlist-pages.ts";
import { openSite } from "#test/whole-site.ts";
import { loader } from "#app/routes/games/show.tsx";

const database = useDatabase();
let app: App;
let site: ReturnType<typeof waitlistPages>;
beforeAll(() => {
  app = testApp(database, () => NOW);
  site = waitlistPages(app);
});

describe("an offer", () => {
  test("is shown until when it holds, and in a dialog for who comes from the email", async () => {
    const { gameId, asked } = await site.anOffer();
    const html = await site.pageOf(gameId, asked.cookie);
    expect(barOf(html)).toContain("|A spot is held for you| until 14:00|");
    expect(buttonsOf(html)).toEqual(
      expect.arrayContaining(["No thanks", "Take the spot · 10 credits"]),
    );
    expect(html).not.toContain('id="offer"');
    const fromMail = await site.pageOf(gameId, asked.cookie, "?offer=1");
    expect(fromMail).toMatch(/<dialog[^>]*id="offer"[^>]* open=""/);
    const stranger = await site.pageOf(gameId, "", "?offer=1");
    const back = encodeURIComponent(`/events/${gameId}?offer=1`);
    expect(linksOf(stranger)).toContain(`Sign in → /auth?from=email&redirectTo=${back}`);
    expect(barOf(stranger)).toContain("|Have you been offered a spot?|");
    expect(buttonsOf(stranger)).not.toContain("GAME FULL");
  });

  test("is reached from its email by who is signed out, after signing in", async () => {
    const { gameId, asked } = await site.anOffer();
    const ask = await openSite(app);
    const path = `/events/${gameId}?offer=1#join`;
    const { pathname, search } = new URL(emailLink(app.env, path));
    const signedIn = await ask(pathname + search, { cookie: asked.cookie });
    expect([signedIn.status, signedIn.headers.get("Location")]).toEqual([302, path]);
    const html = await (await ask(pathname + search, {})).text();
    expect(html).toMatch(/id="sign-in-tab" role="tab" aria-selected="true"/);
    expect(html).toContain(`name="redirectTo" value="${path}"`);
    expect(textOf(html)).toMatch(/\|Sign in to open Campus Hall, [^·|]*\|/);
  });

  test("opening its address books nothing; taking it does, once", async () => {
    const { gameId, asked } = await site.anOffer();
    const path = `/events/${gameId}?offer=1`;
    const before = await everything(app.db);
    await visit(app, loader, { path, cookie: asked.cookie });
    expect(await everything(app.db)).toEqual(before);
    const take = { intent: "take-offer", priceShown: "10", formKey: crypto.randomUUID() };
    for (const body of [take, take]) {
      const { status, headers } = await site.post(gameId, asked.cookie, body);
      expect([status, headers.get("Location")]).toEqual([302, `/events/${gameId}/joined`]);
      expect(await toastAfter(app, headers)).toMatchObject({ title: "Successfully joined!" });
    }
    expect(await balanceCents(app.db, asked.id)).toBe(9_000);
    expect(await site.entriesOf(gameId)).toMatchObject([{ status: "Promoted" }]);
  });

  test("that has lapsed cannot be taken, and its holder keeps waiting", async () => {
    const { gameId, asked } = await site.anOffer();
    const late = { ...app, now: () => hoursLater(2.1) };
    const { status, formError } = await site.post(
      gameId,
      asked.cookie,
      { intent: "take-offer" },
      late,
    );
    expect([status, formError]).toEqual([409, expect.stringMatching(/offer is over/)]);
    await promoteWaiting(app.db, app.jobs, { gameId, now: hoursLater(2.1) });
    const again = await site.entriesOf(gameId);
    expect(again).toMatchObject([{ status: "Offered", missed_offers: 1 }]);
  });

  test("costs credits: without them it answers 402 and stays", async () => {
    const { gameId, asked } = await site.anOffer();
    const empty = app.db.updateTable("profiles").set({ wallet_debt_eur: "5" });
    await empty.where("user_id", "=", asked.id).execute();
    const { status, plans } = await site.post(gameId, asked.cookie, { intent: "take-offer" });
    expect([status, Boolean(plans)]).toEqual([402, true]);
    expect(await site.entriesOf(gameId)).toMatchObject([{ status: "Offered" }]);
  });

  test("cannot be taken by who has none", async () => {
    const gameId = await aGame(app.db);
    const { cookie } = await site.signedIn(ada(app.db));
    const { status, reason } = await site.post(gameId, cookie, { intent: "take-offer" });
    expect([status, reason]).toEqual([409, "no-offer"]);
    expect(await bookingsOf(app.db, gameId)).toEqual([]);
  });
});

/** What the button sends that says yes to a question. */
const answerIn = (html: string) => /name="overlap" value="([\w-]{22})"/.exec(html)![1]!;

describe("two games at once", () => {
  test("the second is asked for by name, and joined where that is confirmed", async () => {
    const player = await site.signedIn(ada(app.db));
    const [first, second] = [await aGame(app.db), await aGame(app.db, { startsIn: 49 })];
    const join = { intent: "join", priceShown: "10", overlap: "ask" };
    expect((await site.post(first, player.cookie, join)).status).toBe(302);
    const { status, headers: _, ...failed } = await site.post(second, player.cookie, join);
    expect([status, failed.reason, failed.formError]).toEqual([
      409,
      "plays-meanwhile",
      "You are in another game at that time: Campus Hall, Nov 23, 12:00 – 13:30.",
    ]);
    const html = await site.submit(second, player.cookie, join);
    expect(barOf(html)).toContain("|Two games at once?|");
    expect(buttonsOf(html)).toContain("Join anyway");
    expect(await bookingsOf(app.db, second)).toEqual([]);
    const yes = { ...join, overlap: answerIn(html) };
    expect((await site.post(second, player.cookie, yes)).status).toBe(302);
  });

  test("a yes is for the games that were named: another one since is asked about too", async () => {
    const player = await site.signedIn(ada(app.db));
    const join = { intent: "join", priceShown: "10", overlap: "ask" };
    const [first, second, third] = [
      await aGame(app.db),
      await aGame(app.db, { startsIn: 49 }),
      await aGame(app.db, { startsIn: 49.25 }),
    ];
    expect((await site.post(first, player.cookie, join)).status).toBe(302);
    const yes = { ...join, overlap: answerIn(await site.submit(third, player.cookie, join)) };
    // In another tab, or by a waitlist.
    expect((await site.post(second, player.cookie, { intent: "join" })).status).toBe(302);
    const before = await everything(app.db);
    const html = await site.submit(third, player.cookie, yes);
    expect(barOf(html)).toContain(
      "You are in other games at that time: Campus Hall, Nov 23, 12:00 – 13:30; " +
        "Campus Hall, Nov 23, 13:00 – 14:30.",
    );
    expect(await everything(app.db)).toEqual(before);
    const again = { ...join, overlap: answerIn(html) };
    expect((await site.post(third, player.cookie, again)).status).toBe(302);
  });

  test("an offer is asked for by name too, and taken where that is confirmed", async () => {
    const { gameId, asked } = await site.anOffer();
    const other = await aGame(app.db, { startsIn: 49 });
    expect((await site.post(other, asked.cookie, { intent: "join" })).status).toBe(302);
    expect(await site.pageOf(gameId, asked.cookie)).toContain('name="overlap" value="ask"');
    const take = { intent: "take-offer", priceShown: "10", overlap: "ask" };
    const html = await site.submit(gameId, asked.cookie, take, "?offer=1");
    expect(barOf(html)).toContain("You are in another game at that time: Campus Hall, Nov 23,");
    expect(buttonsOf(html)).toContain("Take it anyway");
    expect(buttonsOf(html)).not.toContain("Take it");
    expect(await bookingsOf(app.db, gameId)).toMatchObject([{ payment_status: "Refunded" }]);
    const taken = await site.post(gameId, asked.cookie, { ...take, overlap: answerIn(html) });
    expect(taken.status).toBe(302);
    expect(await site.entriesOf(gameId)).toMatchObject([{ status: "Promoted" }]);
  });

  test("a game that ends as the next begins does not overlap, nor one that was left", async () => {
    const player = await site.signedIn(ada(app.db));
    const join = { intent: "join", priceShown: "10", overlap: "ask" };
    const games = [await aGame(app.db), await aGame(app.db, { startsIn: 49.5 })];
    for (const gameId of games) {
      expect((await site.post(gameId, player.cookie, join)).status).toBe(302);
    }
    const [booking] = await bookingsOf(app.db, games[0]!);
    const leave = { bookingId: booking!.id, playerId: player.id, now: NOW };
    await cancelBooking(app.db, app.jobs, leave);
    const meanwhile = await aGame(app.db);
    expect((await site.post(meanwhile, player.cookie, join)).status).toBe(302);
  });
});
