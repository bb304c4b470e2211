import { findInvitation } from "#app/features/games/invitations.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";

/** The game that somebody is on the way to; null for other paths, or where it cannot be read. */
export async function loadInvitation(
  { db, now }: App,
  redirectTo: string | null,
  isFromEmail = false,
) {
  try {
    const found = await findInvitation(db, redirectTo, now());
    // Its player may be in, or have a spot held.
    return found && (isFromEmail ? found.game : `${found.game} · ${found.state}`);
  } catch (error) {
    log.error({ err: error }, "loading the game of an invitation");
    return null;
  }
}
