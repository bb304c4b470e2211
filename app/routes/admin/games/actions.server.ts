import { gamesText } from "#app/features/games/rules.ts";
import { cancelInput } from "#app/features/organise/input.ts";
import { cancelGameAsShown } from "#app/features/organise/cancel-games.server.ts";
import { playAnyway } from "#app/features/organise/play-anyway.server.ts";
import { publishGame, unpublishGame } from "#app/features/organise/publish-game.server.ts";
import type { GameToEdit } from "#app/features/games/games.server.ts";
import { findVenueNames } from "#app/features/venues/venues.server.ts";
import { readShown } from "#app/platform/as-shown.ts";
import type { Db } from "#app/platform/db.server.ts";
import { euros } from "#app/platform/money.ts";
import { formatDay, formatTimes } from "#app/routes/admin/games/game-view.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import type { Answer } from "#app/forms/form-rows.server.ts";
import { versionOf } from "#app/routes/admin/admin-action.server.ts";
import { addForms } from "#app/routes/admin/games/roster/add-actions.server.ts";
import { DECISION_OVER } from "#app/routes/admin/games/decision-view.server.ts";
import { toConfirmation } from "#app/routes/admin/games/plan/confirmation.server.ts";
import { notifiedText } from "#app/routes/admin/games/cancel/view.server.ts";
import { cashForms } from "#app/routes/admin/games/roster/cash-actions.server.ts";
import { gameRow, rosterForms } from "#app/routes/admin/games/roster/roster-actions.server.ts";
import { tapForms } from "#app/routes/admin/games/roster/tap-actions.server.ts";
import { organiserForms } from "#app/routes/admin/games/waitlist/actions.server.ts";

const NOT_FOUND: Answer = ["missing", "This game was not found."];

const publish = gameRow({
  failed: "Failed to publish game",
  run: ({ db, change, fields: { intent, confirmed, shown } }) => {
    const withFollowing = intent === "publish-following";
    return publishGame(db, { ...change, withFollowing, confirmed, shown });
  },
  errors: {
    unconfirmed: ({ warnings, key }) => [
      "ok",
      { confirmation: toConfirmation(warnings, key, "Publish anyway") },
    ],
    "not-found": NOT_FOUND,
    changed: ({ games }, { db }) => changedAnswer(db, games),
    "not-draft": "It was cancelled or completed.",
    started: "Its kick-off is over. Duplicate it for another day.",
    "decision-over": DECISION_OVER,
  },
  done: ({ published }) => ({
    title: published > 1 ? `${published} games published` : "Published",
    description: "Players can join now.",
  }),
});

const unpublish = gameRow({
  failed: "Failed to unpublish game",
  run: ({ db, change, fields: { intent, shown } }) =>
    unpublishGame(db, { ...change, withFollowing: intent === "unpublish-following", shown }),
  errors: {
    "not-found": NOT_FOUND,
    changed: ({ games }, { db }) => changedAnswer(db, games),
    "not-published": "It was cancelled or completed.",
    started: "Its kick-off is over, so it stays as it was.",
    "has-players":
      "Players are in. Cancel the game instead: everyone gets the full price or the free session " +
      "back, and an email.",
  },
  done: ({ unpublished, kept, waiting }, { fields }) => {
    const isSeries = fields.intent === "unpublish-following" && unpublished > 0;
    return {
      title: isSeries ? `${gamesText(unpublished)} back in the drafts` : "Back in the drafts",
      description: [
        kept > 0 ? keptText(kept) : `Only organisers see ${unpublished > 1 ? "them" : "it"}.`,
        waiting > 0 && waitingText(waiting),
      ]
        .filter(Boolean)
        .join(" "),
      isLasting: kept > 0 || waiting > 0,
    };
  },
});

const cancel = gameRow({
  failed: "Failed to cancel game",
  keep: ["message"],
  input: cancelInput,
  run: ({ db, jobs, change, actor, formKey, input, fields: { shown } }) =>
    cancelGameAsShown(db, jobs, { ...change, actor, ...input, shown, formKey }),
  errors: {
    "not-found": NOT_FOUND,
    closed: "It was cancelled already, or is completed.",
    played:
      "It was played: it has a result or check-ins. Take back the result and undo the check-ins first.",
    changed: {
      title: "Please check again",
      formError:
        "Nothing was cancelled: players have joined or left meanwhile, or the game has changed. " +
        "It is shown as it is now.",
    },
  },
  done: ({ players }) => ({ title: "Game cancelled", description: notifiedText(players) }),
});

const decideToPlay = gameRow({
  failed: "Failed to save the decision",
  run: ({ db, jobs, change, fields }) =>
    playAnyway(db, jobs, {
      ...{ ...change, version: versionOf(fields), shown: readShown(fields.shown) },
    }),
  errors: {
    "not-found": NOT_FOUND,
    "not-published": "It is a draft, or was cancelled or completed.",
    started: "Its kick-off is over.",
    others: "Not saved: others are in by now. Look again whom it affects.",
    "no-minimum": "It has no minimum, so it is played anyway.",
    changed: "Somebody has changed the game meanwhile. Look at it again.",
  },
  done: ({ notified }) => {
    const also = notified > 0 ? ` ${notifiedText(notified)}` : "";
    return {
      title: "The game is on",
      description: `It is played with however many come.${also}`,
    };
  },
});

export const gameAction = formActions({
  publish,
  "publish-following": publish,
  unpublish,
  "unpublish-following": unpublish,
  cancel,
  "play-anyway": decideToPlay,
  ...rosterForms,
  ...tapForms,
  ...addForms,
  ...cashForms,
  ...organiserForms,
});

async function changedAnswer(db: Db, games: GameToEdit[]): Promise<Answer> {
  const venueIds = games.map(({ plan }) => plan.venueId);
  const venues = await findVenueNames(db, venueIds);
  const facts = games.map(({ plan }) => {
    const where = venues.get(plan.venueId) ?? "";
    return `${plan.title}, ${formatDay(plan.date)}, ${formatTimes(plan)} at ${where}, ${euros(plan.priceCents)}`;
  });
  const formError = `Nothing was changed, because what this page showed has. Now: ${facts.join("; ")}.`;
  return { title: "Please check again", formError };
}

function waitingText(players: number): string {
  const lose = players === 1 ? "1 player loses their" : `${players} players lose their`;
  return `${lose} place on the waitlist and ${players === 1 ? "is" : "are"} notified by email.`;
}

function keptText(games: number): string {
  const stay = games === 1 ? "1 game stays" : `${games} games stay`;
  return `${stay} published, because players are in. Cancel what is not to be played.`;
}
