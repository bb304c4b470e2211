import { redirect } from "react-router";
import { echoOf } from "#app/forms/form-fields.server.ts";
import { gameMessageInput } from "#app/features/organise/input.ts";
import { findLiveCash } from "#app/features/roster/cash-payments.server.ts";
import { messagePlayers } from "#app/features/organise/message-players.server.ts";
import {
  recordResult,
  removeResult,
  type Result,
} from "#app/features/teams/record-result.server.ts";
import {
  checkInRest,
  listRoster,
  markAttendance,
  removePlayer,
} from "#app/features/roster/roster.server.ts";
import { fail, FieldError, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { Difference, FormResult } from "#app/forms/form-result.ts";
import { OUTCOME_UNKNOWN } from "#app/forms/messages.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import { OutcomeUnknownError } from "#app/platform/postgres/commit-outcome.server.ts";
import type { Attendance } from "#app/platform/schema.ts";
import type { QrCode } from "#app/routes/responses/qr-code.server.ts";
import { adminOf, versionOf } from "#app/routes/admin/admin-action.server.ts";
import type { App } from "#app/routes/context.server.ts";
import type { Route } from "../+types/show";
import { NOT_SAVED, type TapResult } from "./tap-queue.ts";
import { scoresOf } from "#app/features/teams/result-rules.ts";
import { isResultField, readResult } from "#app/features/teams/result-input.ts";

export type GameArgs = Route.ActionArgs & Posted;

/** A failed form of the roster; with `choices` if several players match, `signUp` for who has no account. */
export type RosterResult = FormResult & {
  choices?: Choice[];
  unconfirmed?: Unconfirmed;
  overMax?: OverMax;
  signUp?: SignUpLink;
  /** What the answer to a question also notes as paid by hand. */
  paidByHand?: string;
};
/** Where somebody without an account signs up and is led back to the game. */
export type SignUpLink = { address: string; qrCode: QrCode };
/** Who is added, and whose spot that is: the confirming button sends both. */
export type Unconfirmed = Record<"player" | "next", { playerId: string; name: string }>;
/** Who is added to a game that is full, and how many it then has room for. */
export type OverMax = { player: Unconfirmed["player"]; raisedTo: number };
export interface Choice {
  playerId: string;
  name: string;
  email: string;
  pictureUrl: string | null;
}

export const rosterForms = {
  attendance: { failed: "Failed to save attendance", formError: NOT_SAVED, run: tap },
  "check-in-rest": { failed: "Failed to save attendance", run: checkIn },
  remove: { failed: "Failed to remove player", keep: ["bookingId", "refund"], run: remove },
  message: {
    failed: "Failed to send message",
    keep: ["subject", "message", "isPinned"],
    run: message,
  },
  result: { failed: "Failed to save result", keep: resultFields, run: record },
  "remove-result": { failed: "Failed to take back result", run: takeResultBack },
};

// Two for the score, and two for each player.
function resultFields({ fields }: Posted) {
  return echoOf(fields, [...Object.keys(fields).filter(isResultField), "withRest"]);
}

export function gameOf(args: GameArgs) {
  const { gameId } = args.params;
  const app = adminOf(args);
  const path = `/admin/games/${gameId}`;
  const done = (title: string, description?: string) => app.done(path, title, description);
  return { app, gameId, actorId: app.actor, path, done };
}

export const ERRORS = {
  "not-found": "This booking is not there any more.",
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
  "result-changed": "Somebody has changed the result meanwhile. Look at it again.",
  "not-started": "This can be recorded from kick-off.",
  "too-many-goals": "The players' goals are more than both scores together.",
  "too-many-goals-of-team":
    "A team's players have more goals than its score. Own goals count for the other team's score, " +
    "and for no player.",
  "winners-of-a-draw": "Nobody wins a draw: change the score, or take the ticks away.",
  "too-many-winners":
    "One of two teams has won, so at most two in three can. Take ticks away, or make teams: then " +
    "the score says who has won.",
  "teams-changed":
    "Not saved: the teams have changed. The form shows them as they are now; check the scores.",
};

type Reason = keyof typeof ERRORS;
const STATUSES: Partial<Record<Reason, number>> = {
  "not-found": 404,
  "too-many-goals": 422,
  "too-many-goals-of-team": 422,
  "winners-of-a-draw": 422,
  "too-many-winners": 422,
};

export function failRoster(reason: Reason) {
  const isOutdated = reason === "teams-changed";
  const result = { formError: ERRORS[reason], ...(isOutdated && { isOutdated }) };
  return fail<RosterResult>(STATUSES[reason] ?? 409, result);
}

async function remove(args: GameArgs) {
  const { app, gameId, actorId, done } = gameOf(args);
  const { bookingId = "", refund = "", formKey } = args.fields;
  if (refund !== "full" && refund !== "none") {
    return fail<RosterResult>(422, { formError: "Choose whether anything is given back." });
  }
  const result = await removePlayer(app.db, app.jobs, {
    ...{ gameId, bookingId, actorId, withRefund: refund === "full", now: app.now() },
    formKey: formKeyOf(formKey),
    shown: readShown(args.fields.shown),
  });
  if (!result.ok) return failRoster(result.reason);
  const { creditsBackCents, isFreeSessionBack } = result;
  const cash = (await findLiveCash(app.db, bookingId))?.amountCents ?? 0;
  const nothing = isFreeSessionBack ? "Free session" : "Nothing";
  const given = creditsBackCents > 0 ? creditsCount(creditsBackCents) : nothing;
  const back =
    cash > 0 ? `No credits to return. Give ${euros(cash)} back.` : `${given} given back.`;
  return done("Player removed", `${back} The player is notified by email.`);
}

async function message(args: GameArgs) {
  const { app, gameId, actorId, path } = gameOf(args);
  const { messageId = "" } = args.fields;
  const text = parseForm(gameMessageInput, args.fields);
  const sent = { ...text, messageId, gameId, actorId, now: app.now() };
  const result = await messagePlayers(app.db, app.jobs, sent);
  if (!result.ok) return failRoster(result.reason);
  const who = result.players === 1 ? "1 player gets" : `${result.players} players get`;
  const toast = {
    title: "Message sent",
    description: `${who} it by email, and it is in the chat.`,
    isLasting: true,
  };
  return redirectWithToast(app.env, path, toast);
}

async function record(args: GameArgs) {
  const { app, gameId, actorId, done } = gameOf(args);
  const { fields } = args;
  const read = readResult(fields);
  if (!read.ok) throw new FieldError(read.errors);
  const version = versionOf(fields);
  const teamsVersion = versionOf({ version: fields.teamsVersion ?? "" });
  const rest = fields.withRest === "1" ? restOf(fields) : undefined;
  const recording = { ...read.input, gameId, actorId, version, teamsVersion, rest, now: app.now() };
  const result = await recordResult(app.db, recording);
  if (result.ok) {
    const { checkedIn } = result;
    const also = checkedIn === undefined ? "" : ` ${checkedInText(checkedIn)}.`;
    return done("Result saved", `The player cards show it.${also}`);
  }
  if (result.reason !== "changed") return failRoster(result.reason);
  const hasTicks = teamsVersion === 0;
  const differences = await resultDifferences(
    app,
    { gameId, hasTicks },
    result.current,
    read.input,
  );
  return fail<RosterResult>(409, { conflict: { version: result.version, differences } });
}

async function takeResultBack(args: GameArgs) {
  const { app, gameId, actorId, done } = gameOf(args);
  const version = versionOf(args.fields);
  const result = await removeResult(app.db, { gameId, actorId, version });
  if (result.ok) return done("Result taken back", "The player cards no longer show it.");
  return failRoster(result.reason === "changed" ? "result-changed" : result.reason);
}

/** As in the form: with teams it has no ticks, since the score says who has won. */
async function resultDifferences(
  { db, now }: App,
  { gameId, hasTicks }: { gameId: string; hasTicks: boolean },
  theirs: Result,
  yours: Result,
) {
  const differences: Difference[] = [];
  const compare = (label: string, format: (result: Result) => string) => {
    const [one, other] = [format(theirs), format(yours)];
    if (one !== other) differences.push({ label, theirs: one, yours: other });
  };
  compare("Score", (result) => scoresOf(result).join("–"));
  for (const { bookingId, firstName, lastName } of await listRoster(db, { gameId, now: now() })) {
    compare(`${firstName} ${lastName}`, ({ players }) => {
      const player = players.find((each) => each.bookingId === bookingId);
      if (!player) return "not in it";
      const goals = player.goals === 1 ? "1 goal" : `${player.goals} goals`;
      return hasTicks ? `${goals}, ${player.hasWon ? "won" : "did not win"}` : goals;
    });
  }
  return differences;
}

async function checkIn(args: GameArgs) {
  const { app, gameId, actorId, done } = gameOf(args);
  const rest = { ...restOf(args.fields), gameId, actorId, now: app.now() };
  const result = await checkInRest(app.db, rest);
  if (!result.ok) return failRoster(result.reason);
  return done(checkedInText(result.players));
}

const restOf = ({ bookingIds = "", formKey }: Posted["fields"]) => ({
  bookingIds: bookingIds.split(","),
  formKey: formKeyOf(formKey),
});

function checkedInText(players: number): string {
  if (players === 0) return "Nobody was left to check in";
  return players === 1 ? "1 player checked in" : `${players} players checked in`;
}

async function tap(args: GameArgs) {
  const { app, path, gameId, actorId } = gameOf(args);
  const { result, status } = await save(app, { gameId, actorId, fields: args.fields });
  if (!result.ok) return fail<RosterResult>(status, { formError: result.problem });
  return redirect(`${path}#seat-${args.fields.bookingId}`);
}

type Tap = { gameId: string; actorId: string; fields: Posted["fields"] };
type SavedTap = { result: TapResult; status: number };

/** A repeated tap succeeds without a change. */
export async function saveTap(app: App, tapped: Tap): Promise<SavedTap> {
  try {
    return await save(app, tapped);
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return notSaved(OUTCOME_UNKNOWN.title, 503);
    log.error({ err: error }, "Failed to save a tap");
    return notSaved(NOT_SAVED, 500);
  }
}

async function save(app: App, { gameId, actorId, fields }: Tap): Promise<SavedTap> {
  const { intent, bookingId = "", tapId, account = actorId } = fields;
  const [from, to] = [readMark(fields.from), readMark(fields.to)];
  if (intent !== "attendance" || from === undefined || to === undefined)
    return notSaved(NOT_SAVED, 400);
  // The browser kept the tap for somebody else.
  if (account !== actorId) return notSaved("Not saved: another admin is signed in here now.", 403);
  const version = /^\d{1,9}$/.test(fields.version ?? "") ? Number(fields.version) : undefined;
  const mark = { gameId, actorId, bookingId, formKey: formKeyOf(tapId), from, to, version };
  const result = await markAttendance(app.db, { ...mark, now: app.now() });
  if (result.ok) return { result, status: 200 };
  if (result.reason !== "changed") {
    return notSaved(`Not saved: ${ERRORS[result.reason]}`, STATUSES[result.reason] ?? 409);
  }
  const { current, version: markVersion } = result;
  const how = current === from ? "meanwhile" : `to "${MARKS[current ?? ""]}"`;
  const problem = `Not saved: somebody else has changed it ${how}.`;
  return { result: { ok: false, problem, current, version: markVersion }, status: 409 };
}

function readMark(text = ""): Attendance | null | undefined {
  if (text === "") return null;
  return text === "CheckedIn" || text === "NoShow" ? text : undefined;
}

const MARKS = { CheckedIn: "Checked in", NoShow: "No-show", "": "not marked" };

function notSaved(problem: string, status: number): SavedTap {
  return { result: { ok: false, problem }, status };
}
