import { createHash } from "node:crypto";
import {
  describeChange,
  editGame,
  type EditGameResult,
  type Effect,
} from "#app/features/bookings/edit-game.server.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import { planInput, weeksInput } from "#app/features/games/input.ts";
import type { GamePlan, PlanProblem } from "#app/features/games/plan.ts";
import { findVenueNames } from "#app/features/venues/venues.server.ts";
import {
  fail,
  formAction,
  formActions,
  parseForm,
  type Posted,
} from "#app/forms/form-action.server.ts";
import type { FieldErrors, FormResult } from "#app/forms/form-result.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { creditsText, euros } from "#app/platform/money.ts";
import { adminOf, fieldDiff, versionOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route as EditRoute } from "./+types/edit";
import type { Route as NewRoute } from "./+types/new";
import { formatDay } from "./game-view.server.ts";

const KEPT = [...Object.keys(planInput.in.shape), "weeks", "scope", "version"];
const CREATE = { failed: "Failed to create game", formError: NOTHING_SAVED, keep: KEPT };
const EDIT = { failed: "Failed to save game", formError: NOTHING_SAVED, keep: KEPT };

export const createAction = formActions({
  publish: { ...CREATE, run: create },
  draft: { ...CREATE, run: create },
});

export const editAction = formAction(EDIT, edit);

export function planValues(plan: GamePlan): Record<string, string> {
  const { isOutdoor, priceCents, ...rest } = plan;
  return {
    ...rest,
    maxPlayers: String(plan.maxPlayers),
    surroundings: isOutdoor ? "outdoor" : "indoor",
    priceEur: creditsText(priceCents),
    isFirstSessionFree: plan.isFirstSessionFree ? "on" : "",
    level: plan.level ?? "",
    minPlayers: String(plan.minPlayers ?? ""),
    decidesHours: String(plan.decidesHours),
  };
}

async function create(args: NewRoute.ActionArgs & Posted) {
  const { db, now, actor: actorId, done } = adminOf(args);
  const { fields } = args;
  const { weeks, ...plan } = parseForm(planInput.and(weeksInput), fields);
  const status = fields.intent === "publish" ? "Published" : "Draft";
  const formKey = formKeyOf(fields.formKey);
  const result = await createGames(db, { plan, weeks, formKey, status, actorId, now: now() });
  if (result.ok) {
    const count = result.gameIds.length;
    const title = count > 1 ? `${count} games created` : "Game created";
    const isPublished = status === "Published";
    const description = isPublished ? "Players can join now." : "Only organisers see a draft.";
    return done(`/admin/games/${result.gameIds[0]}`, title, description);
  }
  if (result.reason === "form-used") return fail(409, { fieldErrors: FORM_USED });
  return fail(422, { fieldErrors: result.reason === "no-venue" ? NO_VENUE : planErrors(result) });
}

const FORM_USED = {
  title: "This form has created another game before. Send it again for one more.",
};
const NO_VENUE = { venueId: "Choose a venue" };

function planErrors(problem: PlanProblem): FieldErrors {
  if (problem.reason === "past") {
    return { date: `${formatDay(problem.date)}: a game must start in the future.` };
  }
  if (problem.reason === "decision-over") {
    const over = `${weekdayAndTime(problem.at)} is over.`;
    const instead = "Choose fewer hours, so that it is decided in the future.";
    return { decidesHours: `${over} ${instead}` };
  }
  if (problem.reason === "minimum-too-high") {
    const most = `The game on ${formatDay(problem.date)} has ${problem.maxPlayers} spots`;
    return { minPlayers: `${most}: the minimum cannot be higher.` };
  }
  return {
    startTime:
      `${problem.time} does not exist on ${formatDay(problem.date)}: ` +
      "the clocks go forward that night. Choose another time.",
  };
}

/** With `effects` if the edit has to be confirmed first. */
export type EditResult = FormResult & { effects?: EffectsView };
type EditError = Extract<EditGameResult, { ok: false }>;

async function edit(args: EditRoute.ActionArgs & Posted) {
  const { db, jobs, now, actor: actorId, done } = adminOf(args);
  const { fields, params } = args;
  const { gameId } = params;
  const plan = parseForm(planInput, fields);
  const version = versionOf(fields);
  const withFollowing = fields.scope === "following";
  const key = confirmationOf(plan, version, withFollowing);
  const result = await editGame(db, jobs, {
    ...{ gameId, actorId, version, plan, withFollowing, now: now() },
    isConfirmed: fields.confirmed === key,
    formKey: formKeyOf(fields.formKey),
  });
  if (!result.ok) return failEdit(db, result, { plan, key });
  const { games, notified } = result;
  const title = games > 1 ? `${games} games saved` : "Game saved";
  const emailed = notified > 0 ? `${countPlayers(notified)} notified by email.` : undefined;
  return done(`/admin/games/${gameId}`, title, games === 0 ? "Nothing was changed." : emailed);
}

/** Identifies this edit, so that a confirmation is not valid for another one. */
function confirmationOf(plan: GamePlan, version: number, withFollowing: boolean): string {
  const text = JSON.stringify([planValues(plan), version, withFollowing]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

async function failEdit(db: Db, error: EditError, { plan, key }: { plan: GamePlan; key: string }) {
  switch (error.reason) {
    case "not-found":
      return fail<EditResult>(404, { formError: "This game was not found." });
    case "closed":
    case "started":
      return fail<EditResult>(409, { formError: "This game can no longer be changed." });
    case "changed": {
      const differences = await planDifferences(db, error.current, plan);
      return fail<EditResult>(409, { conflict: { version: error.version, differences } });
    }
    case "unconfirmed":
      return fail<EditResult>(200, { effects: await toEffectsView(db, error.effects, key) });
    case "no-venue":
      return fail<EditResult>(422, { fieldErrors: NO_VENUE });
    case "too-few-seats": {
      const held = error.held === 0 ? "" : `, and ${heldText(error.held)} for the waitlist,`;
      const taken = `${countPlayers(error.players)} already in${held} on ${formatDay(error.date)}`;
      const maxPlayers = `${taken}: the game cannot be smaller.`;
      return fail<EditResult>(422, { fieldErrors: { maxPlayers } });
    }
    case "cannot-shift": {
      const game = `The game on ${formatDay(error.date)}`;
      const startTime = `${game} has another length and cannot shift by as much.`;
      return fail<EditResult>(422, { fieldErrors: { startTime } });
    }
    default:
      return fail<EditResult>(422, { fieldErrors: planErrors(error) });
  }
}

const heldText = (spots: number) => (spots === 1 ? "1 spot held" : `${spots} spots held`);

const LABELS: Record<keyof GamePlan, string> = {
  title: "Title",
  description: "Description",
  sport: "Sport",
  date: "Date",
  startTime: "Start",
  endTime: "End",
  venueId: "Venue",
  maxPlayers: "Max players",
  gameFormat: "Format",
  isOutdoor: "Surroundings",
  priceCents: "Price",
  isFirstSessionFree: "First session free",
  level: "Level",
  playerNotes: "Notes for players",
  minPlayers: "Minimum players",
  decidesHours: "Decided, hours before",
};

async function planDifferences(db: Db, theirs: GamePlan, yours: GamePlan) {
  const venues = await findVenueNames(db, [theirs.venueId, yours.venueId]);
  const readable = (plan: GamePlan) => ({
    ...plan,
    date: formatDay(plan.date),
    venueId: venues.get(plan.venueId) ?? "",
    maxPlayers: String(plan.maxPlayers),
    isOutdoor: plan.isOutdoor ? "Outdoor" : "Indoor",
    priceCents: euros(plan.priceCents),
    isFirstSessionFree: plan.isFirstSessionFree ? "Yes" : "No",
    level: plan.level ?? "",
    minPlayers: String(plan.minPlayers ?? ""),
    decidesHours: String(plan.decidesHours),
  });
  return fieldDiff(LABELS, readable(theirs), readable(yours));
}

export type EffectsView = Awaited<ReturnType<typeof toEffectsView>>;

/** `key` is what the confirming button sends. */
async function toEffectsView(db: Db, effects: Effect[], key: string) {
  const players = effects.reduce((sum, effect) => sum + effect.players, 0);
  const waiting = effects.reduce((sum, effect) => sum + effect.waiting, 0);
  const games = await Promise.all(
    effects.map(async ({ gameId, from, to, players: joined }) => ({
      id: gameId,
      title: `${formatDay(from.date)}, ${from.startTime}: ${countPlayers(joined)}`,
      changes: await describeChange(db, from, to),
    })),
  );
  return {
    key,
    title: `This changes the game of ${countPlayers(players)}`,
    rights:
      "Each is notified of what changes, unless they have switched that off, and may cancel until kick-off for a full refund. " +
      "A free session that is cancelled stays used. " +
      (waiting > 0 ? `${waiting} on the waitlist must agree again before a spot is theirs. ` : "") +
      "Nothing is saved yet.",
    button: `Save and notify ${countPlayers(players)}`,
    games,
  };
}

const countPlayers = (count: number) => `${count} ${count === 1 ? "player" : "players"}`;
