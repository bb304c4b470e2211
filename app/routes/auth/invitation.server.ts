import { gameIdAt } from "#app/features/accounts/rules.ts";
import { holdTokenAt } from "#app/features/friends/rules.ts";
import { findHeldSpot } from "#app/features/friends/friends.server.ts";
import { findInvitation } from "#app/features/friends/invitations.server.ts";
import { timeText } from "#app/platform/clock.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";

/** The game that somebody is on the way to; null for other paths, or if it cannot be read. */
export async function loadInvitation(
  { db, now }: App,
  redirectTo: string | null,
  isFromEmail = false,
) {
  try {
    const [found, held] = await Promise.all([
      findInvitation(db, redirectTo, now()),
      findHeldState({ db, now }, redirectTo),
    ]);
    if (!found) return null;
    // The reader may be in the game, or have a spot held.
    if (isFromEmail) return found.game;
    return [found.game, found.price, held ?? found.state].filter(Boolean).join(" · ");
  } catch (error) {
    log.error({ err: error }, "loading the game of an invitation");
    return null;
  }
}

/** Invitation of a chat's link; like the game's own page it names games that everybody may see. */
export async function loadChatInvitation(app: App, redirectTo: string | null) {
  const [, game = null] =
    /^(\/events\/[0-9a-f-]{36})\/chat(?=[?#]|$)/i.exec(redirectTo ?? "") ?? [];
  const named = game && (await loadInvitation(app, game, true));
  return named && `the chat of ${named}`;
}

/** The state of a held spot, whose link is not for everybody else. */
async function findHeldState({ db, now }: Pick<App, "db" | "now">, path: string | null) {
  const [gameId, token] = [gameIdAt(path), holdTokenAt(path)];
  const spot = gameId && token ? await findHeldSpot(db, { gameId, token, now: now() }) : null;
  if (spot?.status !== "Held") return null;
  return `${spot.holderName} holds a spot for you until ${timeText(spot.until, now())}`;
}
