import type { App } from "#app/routes/context.server.ts";
import type { TestDatabase } from "./db.ts";
import { aGame, aPlayer } from "./fixtures.ts";
import { holdsOf } from "./holds.ts";
import { textOf } from "./screen.tsx";
import { waitlistOf } from "./waitlist.ts";
import { barOf, waitlistPages } from "./waitlist-pages.ts";

type Wish = Parameters<typeof aGame>[1];

/** What tests of held spots do and look at on pages. */
export function friendPages(app: App, database: TestDatabase) {
  const pages = waitlistPages(app);

  /** Aino in a game with one spot left. */
  async function aHost(wish: Wish = {}) {
    const gameId = await aGame(app.db, { spots: 2, ...wish });
    const host = await pages.signedIn(aPlayer(app.db, { name: "Aino", credits: 100 }));
    await waitlistOf(database).join(gameId, host.id);
    return { gameId, host, path: `/events/${gameId}` };
  }

  async function aHold(wish: Wish = {}) {
    const game = await aHost(wish);
    const token = await holdsOf(database).hold(game.gameId, game.host.id);
    return { ...game, token, query: `?hold=${token}` };
  }

  return { ...pages, aHost, aHold };
}

/** What is read in the bar that joins, and in the section of friends. */
export const readBar = (html: string) => barOf(html.replaceAll(/<script[\s\S]*?<\/script>/g, ""));
export const friendsOf = (html: string) =>
  textOf(html.split('id="friends"')[1]?.split("</section>", 1)[0] ?? "");
