import { listAuditOfForm, recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { hasVenue } from "#app/features/venues/venues.server.ts";
import { type GameToEdit, lockGamesToEdit, updateGame } from "#app/features/games/games.server.ts";
import {
  type GamePlan,
  changedFields,
  planAlike,
  touchesPlayers,
} from "#app/features/games/plan.ts";
import { type SlotProblem, slotProblem } from "#app/features/games/time-slots.ts";
import { tellPlayers } from "./tell-players.server.ts";

interface Edit {
  gameId: string;
  actorId: string;
  /** The version that the form was filled from. */
  version: number;
  plan: GamePlan;
  /** The following games of its series too: they take what was changed, and shift as it does. */
  withFollowing: boolean;
  /** Whether the organiser has seen whom it affects. */
  isConfirmed: boolean;
  /** Of the form: one that arrives twice is answered as at first. */
  formKey?: string | undefined;
  now: Date;
}

/** A game whose players the edit affects. */
export interface Effect {
  gameId: string;
  players: number;
  from: GamePlan;
  to: GamePlan;
}

export type EditAnswer =
  /** How many games were changed, and how many players were told. */
  | { ok: true; games: number; told: number }
  | { ok: false; reason: "not-found" | "closed" | "started" | "no-venue" }
  /** Somebody else has saved it meanwhile: what stands there now. */
  | { ok: false; reason: "changed"; current: GamePlan; version: number }
  /** More players are in than would fit. */
  | { ok: false; reason: "too-few-seats"; date: string; players: number }
  /** Another game of the series cannot be moved as much. */
  | { ok: false; reason: "cannot-shift"; date: string }
  | { ok: false; reason: "unconfirmed"; effects: Effect[] }
  | ({ ok: false } & SlotProblem);

/**
 * Changes a game, and the following ones of its series where that is wanted, in one transaction and
 * under their locks: all or none. Where it touches who has joined, the first answer says whom; once
 * confirmed, their bookings can be cancelled for the full price until kick-off, and each is told.
 */
export async function editGame(db: Db, jobs: Jobs, edit: Edit): Promise<EditAnswer> {
  if (!isId(edit.gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const games = await lockGamesToEdit(tx, edit);
    const target = games.find(({ id }) => id === edit.gameId);
    const refusal = refuse(target, edit);
    if (refusal) return (await findEdited(tx, target, edit)) ?? refusal;
    // Where it is it may stay, even if nothing new is put there any more.
    const stays = edit.plan.venueId === target!.plan.venueId;
    if (!stays && !(await hasVenue(tx, edit.plan.venueId))) {
      return { ok: false, reason: "no-venue" };
    }
    const steps = planSteps(games, target!, edit.plan);
    if (!Array.isArray(steps)) return steps;
    const problem = steps.map((step) => problemOf(step, edit.now)).find(Boolean);
    if (problem) return problem;
    const effects = steps.filter(isFelt).map(toEffect);
    if (effects.length > 0 && !edit.isConfirmed) {
      return { ok: false, reason: "unconfirmed", effects };
    }
    let told = 0;
    for (const step of steps) told += await change(tx, jobs, step, edit);
    return { ok: true, games: steps.length, told };
  });
}

function refuse(target: GameToEdit | undefined, { version, now }: Edit): EditAnswer | null {
  if (!target) return { ok: false, reason: "not-found" };
  if (target.status !== "Draft" && target.status !== "Published") {
    return { ok: false, reason: "closed" };
  }
  if (target.startsAt <= now) return { ok: false, reason: "started" };
  if (target.version === version) return null;
  return { ok: false, reason: "changed", current: target.plan, version: target.version };
}

/** What the same form was answered before, while the game is still as it asks for. */
async function findEdited(
  tx: Tx,
  target: GameToEdit | undefined,
  { plan, formKey }: Edit,
): Promise<EditAnswer | null> {
  if (!target || changedFields(target.plan, plan).length > 0) return null;
  const entries = await listAuditOfForm(tx, { action: "game.edit", formKey });
  if (entries.length === 0) return null;
  const told = entries.reduce((sum, details) => sum + Number(details.told ?? 0), 0);
  return { ok: true, games: entries.length, told };
}

interface Step {
  game: GameToEdit;
  to: GamePlan;
}

/** What each of the games becomes; those that stay as they are left out. */
function planSteps(games: GameToEdit[], target: GameToEdit, plan: GamePlan): Step[] | EditAnswer {
  const steps: Step[] = [];
  for (const game of games) {
    const change = { from: target.plan, to: plan };
    const to = game.id === target.id ? plan : planAlike(game.plan, change);
    if (!to) return { ok: false, reason: "cannot-shift", date: game.plan.date };
    if (changedFields(game.plan, to).length > 0) steps.push({ game, to });
  }
  return steps;
}

function problemOf({ game, to }: Step, now: Date): EditAnswer | null {
  const slot = slotProblem(to, now);
  if (slot) return { ok: false, ...slot };
  if (to.maxPlayers >= game.joinedCount) return null;
  return { ok: false, reason: "too-few-seats", date: to.date, players: game.joinedCount };
}

const isFelt = ({ game, to }: Step) => game.joinedCount > 0 && touchesPlayers(game.plan, to);

function toEffect({ game, to }: Step): Effect {
  return { gameId: game.id, players: game.joinedCount, from: game.plan, to };
}

/** Changes one of the games, and answers how many players were told. */
async function change(tx: Tx, jobs: Jobs, step: Step, edit: Edit): Promise<number> {
  const { game, to } = step;
  const { actorId: actor, formKey } = edit;
  const version = await updateGame(tx, game.id, to);
  const fields = changedFields(game.plan, to);
  const only = (plan: GamePlan) => Object.fromEntries(fields.map((name) => [name, plan[name]]));
  const told = isFelt(step)
    ? await tellPlayers(tx, jobs, { gameId: game.id, version, before: game.plan, after: to })
    : undefined;
  const details = { before: only(game.plan), after: only(to), formKey, told };
  await recordDeed(tx, { actor, action: "game.edit", subject: game.id, details });
  return told ?? 0;
}
