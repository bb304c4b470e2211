import { echoOf } from "#app/forms/form-fields.server.ts";
import { gameMessageInput } from "#app/features/organise/input.ts";
import { findLiveCash } from "#app/features/roster/cash-payments.server.ts";
import { messagePlayers } from "#app/features/organise/message-players.server.ts";
import {
  recordResult,
  removeResult,
  setKeepsResult,
  type Result,
} from "#app/features/teams/record-result.server.ts";
import { checkInRest, listRoster, removePlayer } from "#app/features/roster/roster.server.ts";
import { FieldError, type Posted } from "#app/forms/form-action.server.ts";
import type { Difference, FormResult } from "#app/forms/form-result.ts";
import { type Answer, formRows } from "#app/forms/form-rows.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import type { QrCode } from "#app/routes/responses/qr-code.server.ts";
import type { Confirmation } from "#app/routes/admin/confirmation.tsx";
import { adminOf, versionOf } from "#app/routes/admin/admin-action.server.ts";
import { type ConfirmationView } from "#app/routes/admin/games/plan/confirmation.server.ts";
import type { Route } from "../+types/show";
import { scoresOf } from "#app/features/teams/result-rules.ts";
import { isResultField, readResult } from "#app/features/teams/result-input.ts";

export type GameArgs = Route.ActionArgs & Posted;

/** A failed form of the page; with `choices` if several players match, `signUp` for who has no account. */
export type RosterResult = FormResult & {
  choices?: Choice[];
  unconfirmed?: Unconfirmed;
  overMax?: OverMax;
  signUp?: SignUpLink;
  /** Publishing must be confirmed first. */
  confirmation?: ConfirmationView;
  /** What was paid by hand is far from the usual, and nothing is noted yet. */
  unusualCash?: Confirmation;
  /** What the answer to a question also notes as paid by hand. */
  paidByHand?: string;
};
/** Where somebody without an account signs up and is led back to the game. */
export type SignUpLink = { address: string; qrCode: QrCode };
/** Player who is added, and whose spot that is: the confirming button sends both. */
export type Unconfirmed = Record<"player" | "next", { playerId: string; name: string }>;
/** Player who is added to a game that is full, and how many it then has room for. */
export type OverMax = { player: Unconfirmed["player"]; raisedTo: number };
export interface Choice {
  playerId: string;
  name: string;
  email: string;
  pictureUrl: string | null;
}

export function gameOf(args: GameArgs) {
  const { gameId } = args.params;
  const app = adminOf(args);
  return {
    ...{ ...app, gameId, path: `/admin/games/${gameId}` },
    change: { gameId, actorId: app.actor, now: app.now() },
    formKey: formKeyOf(args.fields.formKey),
  };
}

export const gameRow = formRows<GameArgs, ReturnType<typeof gameOf>, RosterResult>(gameOf);

export const ERRORS = {
  "not-found": ["missing", "This booking is not there any more."],
  "refund-changed": "What comes back has changed. Nobody was removed: look again.",
  "form-used": "This form has been used before. Send it again.",
  "noted-before":
    "Not saved: this form has noted the payment before, and it was marked unpaid since. Send it " +
    "again to note it once more.",
  "still-in": "This player is in the game. Mark the booking unpaid instead.",
  "not-unpaid": "This player has paid already.",
  "given-back": "Already marked as given back.",
  "never-paid": "Already marked as never paid.",
  "not-on": "This game does not take place, so nothing can be marked.",
  "too-early": "Players can be marked from an hour before kick-off.",
  gone: "This player is no longer in the game. Nothing was changed.",
  "no-player": "No player has this name or email address.",
  suspended: "This player's account is suspended.",
  "already-in": "This player is in the game already.",
  "added-before": "This form has added the player before. Send it again to add them once more.",
  full: "This game is full.",
  nobody: "Nobody is in the game, so nobody would get it.",
  "sent-before": "Not sent: this form has sent another message already. Send it again.",
  "not-started": "This can be recorded from kick-off.",
  "too-many-goals": ["invalid", "The players' goals are more than both scores together."],
  "too-many-goals-of-team": [
    "invalid",
    "A team's players have more goals than its score. Own goals count for the other team's score, " +
      "and for no player.",
  ],
  "winners-of-a-draw": ["invalid", "Nobody wins a draw: change the score, or take the ticks away."],
  "too-many-winners": [
    "invalid",
    "One of two teams has won, so at most two in three can. Take ticks away, or make teams: then " +
      "the score says who has won.",
  ],
  "teams-changed": {
    formError:
      "Not saved: the teams have changed. The form shows them as they are now; check the scores.",
    isOutdated: true,
  },
} as const satisfies Record<string, Answer>;

export const rosterForms = {
  "check-in-rest": gameRow({
    failed: "Failed to save attendance",
    run: ({ db, change, fields }) => checkInRest(db, { ...change, ...restOf(fields) }),
    errors: ERRORS,
    done: ({ players }) => ({ title: checkedInText(players) }),
  }),
  remove: gameRow({
    failed: "Failed to remove player",
    keep: ["bookingId", "refund"],
    run: async ({ db, jobs, change, formKey, fields: { bookingId = "", refund = "", shown } }) => {
      if (refund !== "full" && refund !== "none") return NO_REFUND_CHOSEN;
      const withRefund = refund === "full";
      const removal = { ...change, bookingId, withRefund, formKey, shown: readShown(shown) };
      return removePlayer(db, jobs, removal);
    },
    errors: { ...ERRORS, "no-choice": ["invalid", "Choose whether anything is given back."] },
    done: async ({ creditsBackCents, isFreeSessionBack }, { db, fields }) => {
      const cash = (await findLiveCash(db, fields.bookingId ?? ""))?.amountCents ?? 0;
      const nothing = isFreeSessionBack ? "Free session" : "Nothing";
      const given = creditsBackCents > 0 ? creditsCount(creditsBackCents) : nothing;
      const back =
        cash > 0 ? `No credits to return. Give ${euros(cash)} back.` : `${given} given back.`;
      return { title: "Player removed", description: `${back} The player is notified by email.` };
    },
  }),
  message: gameRow({
    failed: "Failed to send message",
    keep: ["subject", "message", "isPinned"],
    input: gameMessageInput,
    run: ({ db, jobs, change, input, fields: { messageId = "" } }) =>
      messagePlayers(db, jobs, { ...change, ...input, messageId }),
    errors: ERRORS,
    done: ({ players }) => {
      const who = players === 1 ? "1 player gets" : `${players} players get`;
      const description = `${who} it by email, and it is in the chat.`;
      return { title: "Message sent", description, isLasting: true };
    },
  }),
  result: gameRow({
    failed: "Failed to save result",
    keep: resultFields,
    input: resultOf,
    run: ({ db, change, input, fields }) =>
      recordResult(db, {
        ...{ ...input, ...change, ...versionsOf(fields) },
        rest: fields.withRest === "1" ? restOf(fields) : undefined,
      }),
    errors: {
      ...ERRORS,
      changed: async ({ current, version }, { db, change, input, fields }) => {
        const hasTicks = versionsOf(fields).teamsVersion === 0;
        const differences = await resultDifferences(db, { ...change, hasTicks }, current, input);
        return { conflict: { version, differences } };
      },
    },
    done: ({ checkedIn }) => {
      const also = checkedIn === undefined ? "" : ` ${checkedInText(checkedIn)}.`;
      return { title: "Result saved", description: `The player cards show it.${also}` };
    },
  }),
  "keeps-result": gameRow({
    failed: "Failed to save",
    run: ({ db, change, fields }) => setKeepsResult(db, { ...change, keeps: fields.keeps === "1" }),
    errors: ERRORS,
    done: (_, { fields }) => ({
      title: fields.keeps === "1" ? "A result can be recorded" : "Done: no result was kept",
    }),
  }),
  "remove-result": gameRow({
    failed: "Failed to take back result",
    run: ({ db, change, fields }) => removeResult(db, { ...change, version: versionOf(fields) }),
    errors: {
      ...ERRORS,
      changed: "Somebody has changed the result meanwhile. Look at it again.",
    },
    done: { title: "Result taken back", description: "The player cards no longer show it." },
  }),
};

const NO_REFUND_CHOSEN = { ok: false, reason: "no-choice" } as const;

// Two for the score, and two for each player.
function resultFields({ fields }: Posted) {
  return echoOf(fields, Object.keys(fields).filter(isResultField));
}

function resultOf({ fields }: Posted): Result {
  const read = readResult(fields);
  if (!read.ok) throw new FieldError(read.errors);
  return read.input;
}

const versionsOf = (fields: Posted["fields"]) => ({
  version: versionOf(fields),
  teamsVersion: versionOf({ version: fields.teamsVersion ?? "" }),
});

/** Compares like the form: with teams it has no ticks, since the score says who has won. */
async function resultDifferences(
  db: Db,
  { hasTicks, ...game }: { gameId: string; now: Date; hasTicks: boolean },
  theirs: Result,
  yours: Result,
) {
  const differences: Difference[] = [];
  const compare = (label: string, format: (result: Result) => string) => {
    const [one, other] = [format(theirs), format(yours)];
    if (one !== other) differences.push({ label, theirs: one, yours: other });
  };
  compare("Score", (result) => scoresOf(result).join("–"));
  for (const { bookingId, firstName, lastName } of await listRoster(db, game)) {
    compare(`${firstName} ${lastName}`, ({ players }) => {
      const player = players.find((each) => each.bookingId === bookingId);
      if (!player) return "not in it";
      const goals = player.goals === 1 ? "1 goal" : `${player.goals} goals`;
      return hasTicks ? `${goals}, ${player.hasWon ? "won" : "did not win"}` : goals;
    });
  }
  return differences;
}

const restOf = ({ bookingIds = "", formKey }: Posted["fields"]) => ({
  bookingIds: bookingIds.split(","),
  formKey: formKeyOf(formKey),
});

function checkedInText(players: number): string {
  if (players === 0) return "Nobody was left to check in";
  return players === 1 ? "1 player checked in" : `${players} players checked in`;
}
