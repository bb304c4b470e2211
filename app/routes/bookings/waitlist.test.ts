import { beforeAll, describe, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { promoteWaiting } from "#app/features/waitlist/promote-waiting.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import type { App } from "#app/routes/context.server.ts";
import Games, { loader as list } from "#app/routes/games/list/list.tsx";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, hoursLater, NOW } from "#test/fixtures.ts";
import { buttonsOf, headingsOf, linksOf, renderPage, textOf } from "#test/screen.tsx";
import { signIn, toastAfter, visit } from "#test/visit.ts";
import { waitlistPages } from "#test/waitlist-pages.ts";
import MyGames, { action, loader } from "./list.tsx";

const database = useDatabase();
let app: App;
let site: ReturnType<typeof waitlistPages>;
beforeAll(() => {
  app = testApp(database, () => NOW);
  site = waitlistPages(app);
});

async function myGames(cookie: string, now = NOW) {
  const { data } = await visit({ ...app, now: () => now }, loader, { path: "/bookings", cookie });
  return renderPage(MyGames, { loaderData: data });
}

async function post(cookie: string, body: Record<string, string>) {
  const { status, headers, data } = await visit(app, action, { path: "/bookings", cookie, body });
  return { status, headers, result: data as FormResult | null };
}

const listOf = async (cookie: string) =>
  renderPage(Games, { loaderData: (await visit(app, list, { path: "/events", cookie })).data });

describe("the waitlist under My Games", () => {
  test("shows the position and until when, apart from the bookings", async () => {
    const { gameId } = await site.aFullGame();
    await site.wait(gameId, await ada(app.db));
    const { id, cookie } = await site.signedIn(ada(app.db));
    expect(headingsOf(await myGames(cookie), 2)).not.toContain("Waitlist");
    await site.wait(gameId, id);
    const html = await myGames(cookie);
    expect(headingsOf(html, 2).slice(0, 2)).toEqual(["NEXT GAMES", "Waitlist"]);
    expect(textOf(html)).toContain("|You are not attending any game yet.|");
    expect(textOf(html)).toContain("|You are 2nd of 2|");
    expect(textOf(html)).toContain(
      "|Until Mon 09:00 a spot that opens is yours, and 10 credits are taken.|",
    );
    expect(html).not.toContain("<article");
  });

  test("a place can be left there, once", async () => {
    const { gameId } = await site.aFullGame();
    const { id, cookie } = await site.signedIn(ada(app.db));
    await site.wait(gameId, id);
    expect(buttonsOf(await myGames(cookie))).toContain("Leave waitlist Campus Hall, MONDAY");
    const body = { intent: "leave-waitlist", gameId };
    const { status, headers } = await post(cookie, body);
    expect([status, headers.get("Location")]).toEqual([302, "/bookings"]);
    expect(await toastAfter(app, headers)).toMatchObject({ title: "You left the waitlist" });
    const again = await post(cookie, body);
    expect([again.status, again.result?.formError]).toEqual([
      409,
      "You are not on this waitlist any more.",
    ]);
    expect((await post(cookie, { intent: "leave-waitlist" })).status).toBe(404);
  });

  test("an offer and a changed game lead to the game's page", async () => {
    const { gameId, asked } = await site.anOffer();
    const offered = await myGames(asked.cookie);
    expect(headingsOf(offered, 2)[0]).toBe("Waitlist");
    expect(textOf(offered)).toContain("|Spot held for you| until 14:00|");
    expect(linksOf(offered)).toContain(
      `Take the spot · 10 credits Campus Hall, MONDAY → /events/${gameId}?offer=1`,
    );
    const { gameId: moved } = await site.aFullGame();
    const { id, cookie } = await site.signedIn(ada(app.db));
    await site.wait(moved, id);
    const changed = app.db.updateTable("waitlist_entries").set({ needs_consent: true });
    await changed.where("user_id", "=", id).execute();
    const html = await myGames(cookie);
    expect(textOf(html)).toContain("|The game has changed. Still want a spot?|");
    expect(linksOf(html)).toContain(`Look and agree Campus Hall, MONDAY → /events/${moved}#join`);
    const unanswered = app.db.updateTable("waitlist_entries").set({ unanswered_offers: 2 });
    await unanswered.where("user_id", "=", id).execute();
    const stopped = await myGames(cookie);
    expect(textOf(stopped)).toContain("|Two offers went unanswered. Still want a spot?|");
    expect(linksOf(stopped)).toContain(
      `Look and answer Campus Hall, MONDAY → /events/${moved}#join`,
    );
  });

  test("the card of a full game says so to who waits, and to nobody else", async () => {
    const { gameId } = await site.aFullGame();
    const { id, cookie } = await site.signedIn(ada(app.db));
    await site.wait(gameId, id);
    const cardIn = (html: string) =>
      textOf(new RegExp(`<a[^>]* href="/events/${gameId}".*?</a>`, "s").exec(html)?.[0] ?? "");
    expect(cardIn(await listOf(cookie))).toContain("|0 spots left|On the waitlist|");
    const other = await site.signedIn(ada(app.db));
    expect(cardIn(await listOf(other.cookie))).toMatch(/\|0 spots left\|$/);
  });
});

describe("a late cancellation", () => {
  test("is quoted with how many wait, and its spot stays open until somebody takes it", async () => {
    const { gameId, holder, bookingId } = await site.aFullGame({ startsIn: 5 });
    const { id } = await site.signedIn(ada(app.db));
    await site.wait(gameId, id);
    expect(textOf(await myGames(holder.cookie))).toContain(
      "|Nothing comes back now. 9.01 credits come back if somebody takes your spot before kick-off. " +
        "1 person is waiting.|",
    );
    const { status, headers } = await post(holder.cookie, { intent: "cancel", bookingId });
    expect(status).toBe(302);
    expect(await toastAfter(app, headers)).toMatchObject({
      description:
        "Your booking has been successfully cancelled. Somebody is next in line: " +
        "9.01 credits come back as soon as they have your spot.",
    });
    const open = textOf(await myGames(holder.cookie));
    expect(open).toContain("|Campus Hall|9.01 credits come back if somebody takes it before");
    expect(open).toContain("|Cancelled|");
    // By which an open page finds out that it was taken before it began to follow.
    const { data } = await visit(app, loader, { path: "/bookings", cookie: holder.cookie });
    expect(data).toMatchObject({ earlier: [{ revision: expect.any(String) }] });
    expect(textOf(await myGames(holder.cookie, hoursLater(6)))).not.toContain("Your spot is open");
    expect(await promoteWaiting(app.db, app.jobs, { gameId, now: NOW })).toBe(1);
    const settled = textOf(await myGames(holder.cookie));
    expect(settled).toContain("|Refunded|");
    expect(settled).not.toContain("Your spot is open");
  });

  test("of a spot that came late from the waitlist is free for half an hour", async () => {
    const { gameId, holder, bookingId } = await site.aFullGame({ startsIn: 5 });
    const { id } = await site.signedIn(ada(app.db));
    await site.wait(gameId, id);
    await cancelBooking(app.db, app.jobs, { bookingId, playerId: holder.id, now: NOW });
    await promoteWaiting(app.db, app.jobs, { gameId, now: NOW });
    const cookie = await signIn(app, id);
    const graced = textOf(await myGames(cookie));
    expect(graced).toContain("|Free cancellation until Sat 12:30|");
    expect(graced).toContain("|You'll get 10 credits back.|");
    expect(textOf(await myGames(cookie, hoursLater(0.6)))).toContain("|Nothing comes back now.");
  });

  test("early, or of a game that is called off, leaves no open spot", async () => {
    const { holder, bookingId } = await site.aFullGame();
    expect((await post(holder.cookie, { intent: "cancel", bookingId })).status).toBe(302);
    expect(textOf(await myGames(holder.cookie))).not.toContain("Your spot is open");
  });

  test.each([
    [5, "Nothing comes back now. 9.01 credits come back if somebody takes your spot before"],
    [48, "9.01 credits are back in your wallet."],
  ])("%i hours ahead: the email says what comes back", async (startsIn, words) => {
    const { holder, bookingId } = await site.aFullGame({ startsIn });
    await cancelBooking(app.db, app.jobs, { bookingId, playerId: holder.id, now: NOW });
    const sent: Mail[] = [];
    const mailer = (mail: Mail) => Promise.resolve(void sent.push(mail));
    const jobs = mailJobs({ ...app, mailer });
    await jobs["booking-cancelled"]({ bookingId });
    expect(sent[0]?.text).toContain(words);
  });

  test("a game whose spot is held for somebody is full for all others", async () => {
    const { gameId, asked } = await site.anOffer();
    const other = await site.signedIn(ada(app.db));
    expect(textOf(await listOf(other.cookie))).toContain("|0 spots left|");
    expect(textOf(await site.pageOf(gameId, asked.cookie))).toContain("|0 spots left|");
  });
});
