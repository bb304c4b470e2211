import { randomUUID } from "node:crypto";
import { giveBackHold, holdSpot } from "#app/features/friends/holds.server.ts";
import { HOLDS_AT_ONCE_MAX } from "#app/features/friends/rules.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { BELONGS_TO_WAITLIST, TOO_MANY } from "./view.server.ts";
import { gameRow } from "#app/routes/games/game-row.server.ts";

const TOO_MANY_GAMES = `You hold spots in ${HOLDS_AT_ONCE_MAX} other games already. Hold one here once a friend has taken one of them, or give one back.`;

export const friendForms = {
  /** Takes an optional `formKey`. The page then shows the link. */
  hold: gameRow({
    failed: "Failed to hold a spot",
    run: ({ db, jobs, change, formKey = randomUUID(), fields }) =>
      holdSpot(db, jobs, { ...change, formKey, shown: readShown(fields.shown) }),
    errors: {
      "not-found": ["missing", "Game not found"],
      "not-published": ["missing", "This game is not open for joining."],
      suspended: ["forbidden", "Your account is suspended."],
      "not-in": ["forbidden", "Join this game first, then hold a spot for a friend."],
      "held-already": "You hold a spot in this game already.",
      "too-many": TOO_MANY,
      "too-many-games": TOO_MANY_GAMES,
      "too-late": "It is too late to hold a spot in this game.",
      "somebody-waits": BELONGS_TO_WAITLIST,
      full: "This game is full. Someone took the last spot.",
      "form-used": "This form was sent before. Send it again to hold a spot.",
      changed: ({ newFacts }) => `${newFacts} No spot was held: look again.`,
    },
    done: (_, { path }) => ({ to: `${path}#friends` }),
  }),
  "give-back": gameRow({
    failed: "Failed to give the spot back",
    run: ({ db, jobs, change, fields }) =>
      giveBackHold(db, jobs, { ...change, shown: readShown(fields.shown) }),
    errors: {
      "not-found": ["missing", "Game not found"],
      "not-held": "You no longer hold a spot in this game.",
    },
    done: (_, { path }) => ({
      to: `${path}#friends`,
      title: "Spot given back",
      description: "The link no longer works.",
    }),
  }),
};
