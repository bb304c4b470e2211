import { data, redirect } from "react-router";
import { cancelGame } from "#app/features/bookings/cancel-game.server.ts";
import { publishGame, unpublishGame } from "#app/features/games/games.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import type { App } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { PROCESS_FAILED } from "#app/forms/messages.ts";

interface Deed {
  /** `intent` is `publish`, `publish-following`, `unpublish` or `cancel`. */
  fields: Record<string, string>;
  gameId: string;
  actorId: string;
}

/** Does what a button on the game's page asks for. */
export async function doToGame(app: App, { fields, ...deed }: Deed) {
  switch (fields.intent) {
    case "publish":
      return publish(app, deed, false);
    case "publish-following":
      return publish(app, deed, true);
    case "unpublish":
      return unpublish(app, deed);
    case "cancel":
      return cancel(app, deed, formKeyOf(fields.formKey));
    default:
      return data(PROCESS_FAILED, 400);
  }
}

type OnGame = Omit<Deed, "fields">;

async function publish(app: App, deed: OnGame, withFollowing: boolean) {
  const answer = await publishGame(app.db, { ...deed, withFollowing, now: app.now() });
  if (answer.ok) {
    const title = answer.published > 1 ? `${answer.published} games published` : "Published";
    return done(app, deed, title, "Players can join now.");
  }
  if (answer.reason === "not-found") return data(GONE, 404);
  return refuse(
    answer.reason === "started"
      ? "Its kick-off is over. Duplicate it for another day."
      : "It was cancelled or completed.",
  );
}

async function unpublish(app: App, deed: OnGame) {
  const answer = await unpublishGame(app.db, { ...deed, now: app.now() });
  if (answer.ok) return done(app, deed, "Back in the drafts", "Only organisers see it.");
  if (answer.reason === "not-found") return data(GONE, 404);
  return refuse(KEPT[answer.reason]);
}

const KEPT = {
  "not-published": "It was cancelled or completed.",
  started: "Its kick-off is over, so it stays as it was.",
  "has-players":
    "Players are in. Cancel the game instead: everyone gets the full price back and a mail.",
};

async function cancel(app: App, deed: OnGame, formKey: string | undefined) {
  const { gameId, actorId: actor } = deed;
  const count = await cancelGame(app.db, app.jobs, { gameId, actor, formKey, now: app.now() });
  if (count === null) return refuse("It was cancelled already, or is completed.");
  const who = count === 1 ? "1 player is" : `${count} players are`;
  const told = count > 0 ? `${who} told by mail.` : "Nobody was in it.";
  return done(app, deed, "Game cancelled", told);
}

const GONE = { title: "Game not found", description: "It is not there any more." };

function refuse(description: string) {
  return data({ title: "Nothing was changed", description }, 409);
}

async function done({ env }: App, { gameId }: OnGame, title: string, description: string) {
  const cookie = await toastCookie(env, { title, description });
  return redirect(`/admin/games/${gameId}`, { headers: { "Set-Cookie": cookie } });
}
