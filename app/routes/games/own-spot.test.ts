import { beforeAll, describe, expect, test } from "vitest";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, balanceCents, bookingsOf, NOW } from "#test/fixtures.ts";
import { formsOf } from "#test/page-forms.ts";
import { readPage } from "#test/html-checker.ts";
import { linksOf, textOf } from "#test/screen.tsx";
import { signIn, toastAfter } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";

const database = useDatabase();
let app: App;
let ask: AskSite;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ask = await openSite(app);
});

async function aSpot(game: Parameters<typeof aGame>[1] = {}) {
  const gameId = await aGame(app.db, game);
  const playerId = await ada(app.db);
  await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  return { gameId, playerId, cookie: await signIn(app, playerId) };
}

const read = async (path: string, cookie: string) => (await ask(path, { cookie })).text();
const dialogIn = (html: string) => /<dialog[^>]*id="own-spot".*?<\/dialog>/s.exec(html)?.[0] ?? "";

/** The form that cancels, as it stands in the page. */
async function cancelOn(path: string, cookie: string) {
  const forms = formsOf(readPage(await read(path, cookie)), path);
  const form = forms.find(({ fields }) => fields.some(({ value }) => value === "cancel"))!;
  const fields = form.fields.map(({ name, value }): [string, string] => [name, value]);
  return { to: form.path, body: new URLSearchParams(fields) };
}

describe("the game's page", () => {
  test("says what cancelling gives back in the words of My Games", async () => {
    const { gameId, cookie } = await aSpot();
    const dialog = textOf(dialogIn(await read(`/events/${gameId}`, cookie)));
    const words =
      "|Cancel this booking?|You'll get 9.01 credits back.|" +
      "Your spot opens up for someone else right away.|Keep my spot|Cancel booking|";
    expect(dialog).toContain(words);
    expect(textOf(await read("/bookings", cookie))).toContain("|You'll get 9.01 credits back.|");
    expect(linksOf(dialogIn(await read(`/events/${gameId}`, cookie)))).toEqual([
      `Add to calendar → /events/${gameId}.ics`,
      "My Games → /bookings",
    ]);
  });

  test("cancels on the page itself, and offers to join again", async () => {
    const { gameId, playerId, cookie } = await aSpot();
    const { to, body } = await cancelOn(`/events/${gameId}`, cookie);
    expect(to).toBe(`/events/${gameId}`);
    const { status, headers } = await ask(to, { cookie, body });
    expect([status, headers.get("Location")]).toEqual([302, `/events/${gameId}`]);
    expect(await toastAfter(app, headers)).toMatchObject({
      title: "Booking cancelled",
      description: "Your booking has been successfully cancelled. 9.01 credits are back.",
    });
    expect(await balanceCents(app.db, playerId)).toBe(9_901);
    expect(await read(to, cookie)).toContain("Join game");
  });

  test("says in its dialog why a cancellation failed, and cancels nothing", async () => {
    const { gameId, cookie } = await aSpot();
    const { to, body } = await cancelOn(`/events/${gameId}`, cookie);
    await database.pool.query("update games set date = date + 1 where id = $1", [gameId]);
    const response = await ask(to, { cookie, body });
    expect(response.status).toBe(409);
    const dialog = dialogIn(await response.text());
    expect(dialog).toMatch(/^<dialog[^>]* open=""/);
    expect(textOf(dialog)).toContain("Nothing was cancelled: look again and cancel");
    expect(await bookingsOf(app.db, gameId)).toMatchObject([{ payment_status: "Paid" }]);
  });

  test("cancels nobody else's booking", async () => {
    const { gameId, cookie } = await aSpot();
    const other = await signIn(app, await ada(app.db));
    const { to, body } = await cancelOn(`/events/${gameId}`, cookie);
    body.delete("account");
    expect((await ask(to, { cookie: other, body })).status).toBe(404);
    expect(await bookingsOf(app.db, gameId)).toMatchObject([{ payment_status: "Paid" }]);
  });

  test("says of a booking that is gone already that it is", async () => {
    const { gameId, playerId, cookie } = await aSpot();
    const { to, body } = await cancelOn(`/events/${gameId}`, cookie);
    const [booking] = await bookingsOf(app.db, gameId);
    await cancelBooking(app.db, app.jobs, { bookingId: booking!.id, playerId, now: NOW });
    // The form's key is another one.
    const response = await ask(to, { cookie, body });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("This booking is already cancelled.");
  });

  test("has no button to cancel what no credits paid for, nor once the game runs", async () => {
    const [unpaid, running] = [await aSpot(), await aSpot()];
    const change = (sql: string, id: string) => database.pool.query(sql, [id]);
    await change("update bookings set payment_status = 'Unpaid' where game_id = $1", unpaid.gameId);
    await change("update games set date = '2026-11-21' where id = $1", running.gameId);
    for (const { gameId, cookie } of [unpaid, running]) {
      expect(textOf(await read(`/events/${gameId}`, cookie))).not.toContain("Cancel booking");
    }
  });
});
