import { createHash } from "node:crypto";
import {
  describeChange,
  editGame,
  type EditGameResult,
  type Effect,
} from "#app/features/bookings/edit-game.server.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import { planInput, weeksInput } from "#app/features/games/input.ts";
import { changedFields, type GamePlan } from "#app/features/games/plan.ts";
import type { SlotProblem } from "#app/features/games/time-slots.ts";
import { findVenueNames } from "#app/features/venues/venues.server.ts";
import {
  fail,
  formAction,
  formActions,
  parseForm,
  type Posted,
} from "#app/forms/form-action.server.ts";
import type { Difference, FieldErrors, FormResult } from "#app/forms/form-result.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { formKeyOf, isId } from "#app/platform/ids.ts";
import { creditsText, euros } from "#app/platform/money.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
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

/** The values of the form's fields. */
export function planValues(plan: GamePlan): Record<string, string> {
  const { isOutdoor, priceCents, ...rest } = plan;
  return {
    ...rest,
    maxPlayers: String(plan.maxPlayers),
    surroundings: isOutdoor ? "outdoor" : "indoor",
    priceEur: creditsText(priceCents),
    isFirstSessionFree: plan.isFirstSessionFree ? "on" : "",
  };
}

async function create({ context, fields }: NewRoute.ActionArgs & Posted) {
  const { db, env, now } = context.get(appContext);
  const { userId: actorId } = context.get(viewerContext);
  const { weeks, ...plan } = parseForm(planInput.and(weeksInput), fields);
  const status = fields.intent === "publish" ? "Published" : "Draft";
  const form = isId(fields.formId) ? { formId: fields.formId } : {};
  const result = await createGames(db, { plan, weeks, ...form, status, actorId, now: now() });
  if (result.ok) {
    const count = result.gameIds.length;
    return redirectWithToast(env, `/admin/games/${result.gameIds[0]}`, {
      title: count > 1 ? `${count} games created` : "Game created",
      description:
        status === "Published" ? "Players can join now." : "Only organisers see a draft.",
    });
  }
  if (result.reason === "form-used") return fail(409, { fieldErrors: FORM_USED });
  return fail(422, { fieldErrors: result.reason === "no-venue" ? NO_VENUE : slotErrors(result) });
}

const FORM_USED = {
  title: "This form has created another game before. Send it again for one more.",
};
const NO_VENUE = { venueId: "Choose a venue" };

/** Why a game cannot take place then. */
function slotErrors(problem: SlotProblem): FieldErrors {
  if (problem.reason === "past") {
    return { date: `${formatDay(problem.date)}: a game must start in the future.` };
  }
  return {
    startTime:
      `${problem.time} does not exist on ${formatDay(problem.date)}: ` +
      "the clocks go forward that night. Choose another time.",
  };
}

/** An edit that affects players is confirmed first. */
export type EditResult = FormResult & { effects?: EffectsView };
type EditError = Extract<EditGameResult, { ok: false }>;

async function edit({ context, params, fields }: EditRoute.ActionArgs & Posted) {
  const { db, jobs, env, now } = context.get(appContext);
  const { userId: actorId } = context.get(viewerContext);
  const { gameId } = params;
  const plan = parseForm(planInput, fields);
  const version = Number(fields.version) || 0;
  const withFollowing = fields.scope === "following";
  const key = confirmationOf(plan, version, withFollowing);
  const result = await editGame(db, jobs, {
    ...{ gameId, actorId, version, plan, withFollowing, now: now() },
    isConfirmed: fields.confirmed === key,
    formKey: formKeyOf(fields.formKey),
  });
  if (!result.ok) return failEdit(db, result, { plan, key });
  return redirectWithToast(env, `/admin/games/${gameId}`, savedToast(result));
}

/** Names exactly this edit: its confirmation is not one of another edit. */
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
      const differences = await differencesOf(db, error.current, plan);
      return fail<EditResult>(409, { conflict: { version: error.version, differences } });
    }
    case "unconfirmed":
      return fail<EditResult>(200, { effects: await toEffectsView(db, error.effects, key) });
    case "no-venue":
      return fail<EditResult>(422, { fieldErrors: NO_VENUE });
    case "too-few-seats": {
      const taken = `${countPlayers(error.players)} already in on ${formatDay(error.date)}`;
      const maxPlayers = `${taken}: the game cannot be smaller.`;
      return fail<EditResult>(422, { fieldErrors: { maxPlayers } });
    }
    case "cannot-shift": {
      const game = `The game on ${formatDay(error.date)}`;
      const startTime = `${game} has another length and cannot shift by as much.`;
      return fail<EditResult>(422, { fieldErrors: { startTime } });
    }
    default:
      return fail<EditResult>(422, { fieldErrors: slotErrors(error) });
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
};

/** How the stored game and the form differ. */
async function differencesOf(db: Db, theirs: GamePlan, yours: GamePlan): Promise<Difference[]> {
  const venues = await findVenueNames(db, [theirs.venueId, yours.venueId]);
  const format = (plan: GamePlan, field: keyof GamePlan): string => {
    if (field === "date") return formatDay(plan.date);
    if (field === "venueId") return venues.get(plan.venueId) ?? "";
    if (field === "isOutdoor") return plan.isOutdoor ? "Outdoor" : "Indoor";
    if (field === "priceCents") return euros(plan.priceCents);
    if (field === "isFirstSessionFree") return plan.isFirstSessionFree ? "Yes" : "No";
    return String(plan[field]);
  };
  return changedFields(theirs, yours).map((field) => ({
    label: LABELS[field],
    theirs: format(theirs, field),
    yours: format(yours, field),
  }));
}

export type EffectsView = Awaited<ReturnType<typeof toEffectsView>>;

/** Whom an edit affects; `key` is what the confirming button sends. */
async function toEffectsView(db: Db, effects: Effect[], key: string) {
  const players = effects.reduce((sum, effect) => sum + effect.players, 0);
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
      "Each gets an email with what changes, and may cancel until kick-off for a full refund. " +
      "Nothing is saved yet.",
    button: `Save and notify ${countPlayers(players)}`,
    games,
  };
}

function savedToast({ games, notified }: Extract<EditGameResult, { ok: true }>) {
  const title = games > 1 ? `${games} games saved` : "Game saved";
  if (games === 0) return { title, description: "Nothing was changed." };
  return notified > 0
    ? { title, description: `${countPlayers(notified)} notified by email.` }
    : { title };
}

const countPlayers = (count: number) => `${count} ${count === 1 ? "player" : "players"}`;
