import { editGame, type EditGameResult } from "#app/features/organise/edit-game.server.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import { planInput, weeksInput } from "#app/features/games/input.ts";
import { playersText } from "#app/features/games/rules.ts";
import type { GamePlan, PlanProblem } from "#app/features/games/plan.ts";
import { findVenueNames } from "#app/features/venues/venues.server.ts";
import { fail, formAction, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { FieldErrors, FormResult } from "#app/forms/form-result.ts";
import { NOTHING_SAVED, PROCESS_FAILED } from "#app/forms/messages.ts";
import { weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { creditsText, euros } from "#app/platform/money.ts";
import { adminOf, fieldDiff, versionOf } from "#app/routes/admin/admin-action.server.ts";
import { heldText } from "#app/routes/admin/games/held-view.ts";
import type { Route as EditRoute } from "./+types/edit";
import type { Route as NewRoute } from "./+types/new";
import { type AsksView, toAsksView, toEditAsksView } from "./warnings-view.server.ts";
import { formatDay } from "#app/routes/admin/games/game-view.server.ts";

const KEPT = [...Object.keys(planInput.in.shape), "weeks", "scope", "version"];
const CREATE = { failed: "Failed to create game", formError: NOTHING_SAVED, keep: KEPT };
const EDIT = { failed: "Failed to save game", formError: NOTHING_SAVED, keep: KEPT };

export const createAction = formAction(CREATE, create);

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
  const { confirmed } = fields;
  // The confirming button has another name: `asked` is what was to be done.
  const intent = confirmed ? fields.asked : fields.intent;
  if (intent !== "publish" && intent !== "draft") return fail<PlanResult>(400, UNKNOWN_BUTTON);
  const { weeks, ...plan } = parseForm(planInput.and(weeksInput), fields);
  const status = intent === "publish" ? "Published" : "Draft";
  const form = { formKey: formKeyOf(fields.formKey), confirmed };
  const result = await createGames(db, { plan, weeks, status, actorId, ...form, now: now() });
  if (result.ok) {
    const count = result.gameIds.length;
    const title = count > 1 ? `${count} games created` : "Game created";
    const isPublished = status === "Published";
    const description = isPublished ? "Players can join now." : "Only organisers see a draft.";
    return done(`/admin/games/${result.gameIds[0]}`, title, description);
  }
  if (result.reason === "form-used") return fail<PlanResult>(409, { fieldErrors: FORM_USED });
  if (result.reason === "asks") {
    const button = intent === "publish" ? "Publish anyway" : "Save as draft anyway";
    const asks = toAsksView(result.asks, result.key, button);
    return fail<PlanResult>(200, { asks, asked: intent });
  }
  return fail<PlanResult>(422, {
    fieldErrors: result.reason === "no-venue" ? NO_VENUE : planErrors(result),
  });
}

const UNKNOWN_BUTTON = { formError: PROCESS_FAILED.description };
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

/** With `asks` if it must be confirmed first; `asked` is the button of a new game. */
export type PlanResult = FormResult & { asks?: AsksView; asked?: string };
type EditError = Extract<EditGameResult, { ok: false }>;

async function edit(args: EditRoute.ActionArgs & Posted) {
  const { db, jobs, now, actor: actorId, done } = adminOf(args);
  const { fields, params } = args;
  const { gameId } = params;
  const plan = parseForm(planInput, fields);
  const version = versionOf(fields);
  const withFollowing = fields.scope === "following";
  const result = await editGame(db, jobs, {
    ...{ gameId, actorId, version, plan, withFollowing, now: now() },
    confirmed: fields.confirmed,
    formKey: formKeyOf(fields.formKey),
  });
  if (!result.ok) return failEdit(db, result, plan, !!fields.confirmed);
  const { games, notified } = result;
  const title = games > 1 ? `${games} games saved` : "Game saved";
  const emailed = notified > 0 ? `${playersText(notified)} notified by email.` : undefined;
  return done(`/admin/games/${gameId}`, title, games === 0 ? "Nothing was changed." : emailed);
}

async function failEdit(db: Db, error: EditError, plan: GamePlan, isAgain: boolean) {
  switch (error.reason) {
    case "not-found":
      return fail<PlanResult>(404, { formError: "This game was not found." });
    case "closed":
    case "started":
      return fail<PlanResult>(409, { formError: "This game can no longer be changed." });
    case "changed": {
      const differences = await planDifferences(db, error.current, plan);
      return fail<PlanResult>(409, { conflict: { version: error.version, differences } });
    }
    case "asks":
      return fail<PlanResult>(200, { asks: await toEditAsksView(db, { ...error, isAgain }) });
    case "no-venue":
      return fail<PlanResult>(422, { fieldErrors: NO_VENUE });
    case "too-few-seats": {
      const heldFor = heldText(error.held);
      const held = heldFor && `, and ${heldFor},`;
      const taken = `${playersText(error.players)} already in${held} on ${formatDay(error.date)}`;
      const maxPlayers = `${taken}: the game cannot be smaller.`;
      return fail<PlanResult>(422, { fieldErrors: { maxPlayers } });
    }
    case "cannot-shift": {
      const game = `The game on ${formatDay(error.date)}`;
      const startTime = `${game} has another length and cannot shift by as much.`;
      return fail<PlanResult>(422, { fieldErrors: { startTime } });
    }
    default:
      return fail<PlanResult>(422, { fieldErrors: planErrors(error) });
  }
}

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
