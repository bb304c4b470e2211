import { expect } from "vitest";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { joinWaitlist } from "#app/features/waitlist/join-waitlist.server.ts";
import { promoteWaiting } from "#app/features/waitlist/promote-waiting.server.ts";
import type { WaitMode } from "#app/platform/schema.ts";
import type { App } from "#app/routes/context.server.ts";
import type { FailedJoin } from "#app/routes/games/game-row.server.ts";
import { action } from "#app/routes/games/show.tsx";
import { ada, aGame, NOW } from "./fixtures.ts";
import { textOf } from "./screen.tsx";
import { signIn, visit } from "./visit.ts";
import { openSite } from "./whole-site.ts";

/** What tests of the waitlist's pages do and look at. */
export function waitlistPages(app: App) {
  async function signedIn(playerId: Promise<string>) {
    const id = await playerId;
    return { id, cookie: await signIn(app, id) };
  }

  /** A game with one spot, which is taken. */
  async function aFullGame(wish: Parameters<typeof aGame>[1] = {}) {
    const gameId = await aGame(app.db, { spots: 1, ...wish });
    const holder = await signedIn(ada(app.db));
    const joined = await joinGame(app.db, app.jobs, { gameId, playerId: holder.id, now: NOW });
    if (!joined.ok) throw new Error(joined.reason);
    return { gameId, holder, bookingId: joined.bookingId };
  }

  let waiting = 0;
  /** Each after the one before. */
  async function wait(gameId: string, playerId: string, mode: WaitMode = "auto") {
    const now = new Date(NOW.getTime() + (waiting += 1));
    const form = { mode, untilHours: 3 as const, formKey: crypto.randomUUID() };
    expect(await joinWaitlist(app.db, app.jobs, { gameId, playerId, ...form, now })).toEqual({
      ok: true,
    });
  }

  /** A player to whom a spot is offered, after somebody has cancelled. */
  async function anOffer() {
    const { gameId, holder, bookingId } = await aFullGame();
    const asked = await signedIn(ada(app.db));
    await wait(gameId, asked.id, "ask");
    await cancelBooking(app.db, app.jobs, { bookingId, playerId: holder.id, now: NOW });
    expect(await promoteWaiting(app.db, app.jobs, { gameId, now: NOW })).toBe(1);
    return { gameId, asked };
  }

  async function post(
    gameId: string,
    cookie: string,
    body: Record<string, string>,
    at = app,
    query = "",
  ) {
    const path = `/events/${gameId}${query}`;
    const { status, data, headers } = await visit(at, action, { path, cookie, body });
    return { status, headers, ...((data ?? {}) as FailedJoin) };
  }

  /** Renders HTML like the server: with what is loaded later. */
  const pageOf = (gameId: string, cookie = "", query = "") =>
    read(`/events/${gameId}${query}`, cookie);

  async function read(path: string, cookie: string) {
    const ask = await openSite(app);
    return (await ask(path, { cookie })).text();
  }

  /** The page that a form leads to without JavaScript. */
  async function submit(
    gameId: string,
    cookie: string,
    fields: Record<string, string>,
    query = "",
  ) {
    const ask = await openSite(app);
    const response = await ask(`/events/${gameId}${query}`, {
      cookie,
      body: new URLSearchParams(fields),
    });
    return response.text();
  }

  const entriesOf = (gameId: string) =>
    app.db.selectFrom("waitlist_entries").selectAll().where("game_id", "=", gameId).execute();

  return { signedIn, aFullGame, wait, anOffer, post, pageOf, read, submit, entriesOf };
}

/** What is read in the bar that joins, and above it of the viewer's place in the game. */
export const barOf = (html: string) => {
  const details = html.split('id="spot"')[1]?.split("</header>", 1)[0] ?? "";
  return textOf(details) + textOf(html.split('id="join"')[1] ?? "");
};
