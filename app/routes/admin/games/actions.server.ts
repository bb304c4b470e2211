import { cancelInput } from "#app/features/organise/input.ts";
import { cancelGameAsShown } from "#app/features/organise/cancel-games.server.ts";
import { playAnyway } from "#app/features/organise/play-anyway.server.ts";
import { publishGame, unpublishGame } from "#app/features/games/games.server.ts";
import { fail, formActions, parseForm } from "#app/forms/form-action.server.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { versionOf } from "#app/routes/admin/admin-action.server.ts";
import { addForms } from "#app/routes/admin/games/roster/add-actions.server.ts";
import { type AsksView, toAsksView } from "#app/routes/admin/games/plan/warnings-view.server.ts";
import { gamesText, notifiedText } from "#app/routes/admin/games/cancel/view.server.ts";
import { cashForms } from "#app/routes/admin/games/roster/cash-actions.server.ts";
import {
  type GameArgs,
  gameOf,
  rosterForms,
  type RosterResult,
} from "#app/routes/admin/games/roster/roster-actions.server.ts";
import { organiserForms } from "#app/routes/admin/games/waitlist/actions.server.ts";

const PUBLISH = { failed: "Failed to publish game", run: publish };
const UNPUBLISH = { failed: "Failed to unpublish game", run: unpublish };

export const gameAction = formActions({
  publish: PUBLISH,
  "publish-following": PUBLISH,
  unpublish: UNPUBLISH,
  "unpublish-following": UNPUBLISH,
  cancel: { failed: "Failed to cancel game", keep: ["message"], run: cancel },
  "play-anyway": { failed: "Failed to save the decision", run: decideToPlay },
  ...rosterForms,
  ...addForms,
  ...cashForms,
  ...organiserForms,
});

/** A failed form of the page; with `asks` if publishing must be confirmed first. */
export type GameResult = RosterResult & { asks?: AsksView };

async function publish(args: GameArgs) {
  const { app, gameId, actorId, done } = gameOf(args);
  const { intent, confirmed } = args.fields;
  const withFollowing = intent === "publish-following";
  const scope = { gameId, withFollowing, now: app.now() };
  const result = await publishGame(app.db, { ...scope, actorId, confirmed });
  if (result.ok) {
    const title = result.published > 1 ? `${result.published} games published` : "Published";
    return done(title, "Players can join now.");
  }
  if (result.reason !== "asks") return failGame(PUBLISH_ERRORS[result.reason]);
  const asks = toAsksView(result.asks, result.key, "Publish anyway");
  return fail<GameResult>(200, { asks });
}

async function unpublish(args: GameArgs) {
  const { app, gameId, actorId, path } = gameOf(args);
  const withFollowing = args.fields.intent === "unpublish-following";
  const scope = { gameId, withFollowing, now: app.now() };
  const result = await unpublishGame(app.db, { ...scope, actorId });
  if (!result.ok) return failGame(UNPUBLISH_ERRORS[result.reason]);
  const { unpublished, kept, waiting } = result;
  const isSeries = withFollowing && unpublished > 0;
  return redirectWithToast(app.env, path, {
    title: isSeries ? `${gamesText(unpublished)} back in the drafts` : "Back in the drafts",
    description: [
      kept > 0 ? keptText(kept) : `Only organisers see ${unpublished > 1 ? "them" : "it"}.`,
      waiting > 0 && waitingText(waiting),
    ]
      .filter(Boolean)
      .join(" "),
    isLasting: kept > 0 || waiting > 0,
  });
}

function waitingText(players: number): string {
  const lose = players === 1 ? "1 player loses their" : `${players} players lose their`;
  return `${lose} place on the waitlist and ${players === 1 ? "is" : "are"} notified by email.`;
}

function keptText(games: number): string {
  const stay = games === 1 ? "1 game stays" : `${games} games stay`;
  return `${stay} published, because players are in. Cancel what is not to be played.`;
}

async function cancel(args: GameArgs) {
  const { app, gameId, actorId: actor, done } = gameOf(args);
  const { message } = parseForm(cancelInput, args.fields);
  const { formKey, shown } = args.fields;
  const form = { actor, message, shown, formKey: formKeyOf(formKey), now: app.now() };
  const result = await cancelGameAsShown(app.db, app.jobs, { gameId, ...form });
  if (result.ok) return done("Game cancelled", notifiedText(result.players));
  const { reason } = result;
  if (reason === "changed") return fail<GameResult>(409, CANCEL_CHANGED);
  return failGame(CANCEL_ERRORS[reason]);
}

async function decideToPlay(args: GameArgs) {
  const { app, gameId, actorId, done } = gameOf(args);
  const version = versionOf(args.fields);
  const result = await playAnyway(app.db, app.jobs, { gameId, actorId, version, now: app.now() });
  if (!result.ok) return failGame(PLAY_ANYWAY_ERRORS[result.reason]);
  const { notified } = result;
  const also = notified > 0 ? ` ${notifiedText(notified)}` : "";
  return done("The game is on", `It is played with however many come.${also}`);
}

const NOT_FOUND = "This game was not found.";
const PUBLISH_ERRORS = {
  "not-found": NOT_FOUND,
  "not-draft": "It was cancelled or completed.",
  started: "Its kick-off is over. Duplicate it for another day.",
  "decision-over":
    "The time at which its minimum is decided is over, so it would be called off at once. Edit it first.",
};
const UNPUBLISH_ERRORS = {
  "not-found": NOT_FOUND,
  "not-published": "It was cancelled or completed.",
  started: "Its kick-off is over, so it stays as it was.",
  "has-players":
    "Players are in. Cancel the game instead: everyone gets the full price or the free session " +
    "back, and an email.",
};

const CANCEL_CHANGED = {
  title: "Please check again",
  formError:
    "Nothing was cancelled: players have joined or left meanwhile, or the game has changed. It is " +
    "shown as it is now.",
};
const CANCEL_ERRORS = {
  closed: "It was cancelled already, or is completed.",
  played:
    "It was played: it has a result or check-ins. Take back the result and undo the check-ins first.",
};

const PLAY_ANYWAY_ERRORS = {
  "not-found": NOT_FOUND,
  "not-published": "It is a draft, or was cancelled or completed.",
  started: "Its kick-off is over.",
  "no-minimum": "It has no minimum, so it is played anyway.",
  changed: "Somebody has changed the game meanwhile. Look at it again.",
};

function failGame(formError: string) {
  return fail<GameResult>(formError === NOT_FOUND ? 404 : 409, { formError });
}
