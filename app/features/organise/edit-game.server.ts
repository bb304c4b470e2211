import { sql } from "kysely";
import { type Db, isOneOf, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import {
  type Warning,
  type Confirmed,
  isConfirmed,
  confirmationKey,
  listWarnings,
  type Planned,
} from "#app/features/games/warnings.server.ts";
import { type GameToEdit, updateGame } from "#app/features/games/games.server.ts";
import { isOpen } from "#app/features/games/rules.ts";
import {
  changedFields,
  type GamePlan,
  changesSlot,
  AGREED_FIELDS,
  planAlike,
  type PlanProblem,
  planProblem,
  touchesPlayers,
} from "#app/features/games/plan.ts";
import { quietSeconds } from "#app/features/notifications/rules.ts";
import { lockVenues } from "#app/features/venues/venues.server.ts";
import { countHeld, type HeldSpots, listHeldSpots } from "#app/features/friends/friends.server.ts";
import { lapseHolds } from "#app/features/seats/hold-ends.server.ts";
import { NOT_EXCUSED } from "#app/features/roster/no-shows.server.ts";
import { LIVE, WAIVED_COLUMNS } from "#app/features/seats/rules.ts";
import { askForConsentAgain, countWaiting } from "#app/features/waitlist/entries.server.ts";
import type { QueuedNotice } from "#app/features/games/after-change.server.ts";
import { changeSeries, type GameEvent } from "#app/features/games/change-game.server.ts";
import type { MailedPlan } from "#app/features/games/describe-change.server.ts";
import { canMark } from "#app/features/roster/rules.ts";

interface Edit {
  gameId: string;
  actorId: string;
  version: number;
  plan: GamePlan;
  withFollowing: boolean;
  confirmed?: Confirmed;
  /** When the question that is confirmed was asked. */
  askedAt?: Date | null;
  formKey?: string | undefined;
  /** Only what saving would ask; nothing is saved. */
  isPreview?: boolean;
  now: Date;
}

export interface Effect {
  gameId: string;
  players: number;
  waiting: number;
  from: GamePlan;
  to: GamePlan;
}

export type EditGameResult =
  | { ok: true; games: number; notified: number }
  | { ok: false; reason: "not-found" | "closed" | "started" | "no-venue" | "no-question" }
  | { ok: false; reason: "changed"; current: GamePlan; version: number }
  | { ok: false; reason: "too-few-seats"; date: string; players: number; held: HeldSpots }
  | { ok: false; reason: "cannot-shift"; date: string }
  | ({ ok: false; reason: "unconfirmed" } & Question)
  | ({ ok: false } & PlanProblem);

interface Question {
  warnings: Warning[];
  effects: Effect[];
  games: Planned[];
  key: string;
  joined: string[];
}

/** All games or none. "unconfirmed" lists whom it affects too; once confirmed, players may leave for free. */
export function editGame(db: Db, jobs: Jobs, edit: Edit): Promise<EditGameResult> {
  const { actorId, formKey } = edit;
  const change = { actorId, formKey, action: "game.edit", jobs, scope: edit } as const;
  return changeSeries<EditGameResult>(db, change, async (tx, target, { games, earlier }) => {
    const error = editError(target, edit);
    if (error) return editedBefore(target, edit, earlier) ?? error;
    const steps = planSteps(games, target, edit.plan);
    if (!Array.isArray(steps)) return steps;
    if (!(await isVenueOpen(tx, target, steps, edit.plan))) return "no-venue";
    for (const step of steps) {
      const problem = await problemOf(tx, step, edit.now);
      if (problem) return problem;
    }
    const question = await findQuestion(tx, steps, edit);
    if (question) return question;
    if (edit.isPreview) return "no-question";
    const [event, notices]: [GameEvent[], QueuedNotice[]] = [[], []];
    for (const step of steps) {
      const [changed, notice] = await save(tx, jobs, step, edit);
      event.push(changed);
      if (notice) notices.push(notice);
    }
    const promote = steps.map(({ game }) => game.id);
    return {
      ok: true,
      games: steps.length,
      notified: sumNotified(event.map((one) => one.details)),
      event,
      promote,
      notices,
    };
  });
}

const sumNotified = (events: GameEvent["details"][]) =>
  events.reduce((sum, { notified }) => sum + Number(notified ?? 0), 0);

/** Locks all venues at once, in their order. A game may stay at a hidden one. */
async function isVenueOpen(tx: Tx, target: GameToEdit, steps: Step[], { venueId }: GamePlan) {
  const moved = steps.filter(({ game, to }) => changesSlot(game.plan, to));
  const hidden = await lockVenues(tx, [...new Set(moved.map(({ to }) => to.venueId))]);
  return venueId === target.plan.venueId || hidden.get(venueId) === false;
}

async function findQuestion(tx: Tx, steps: Step[], edit: Edit): Promise<EditGameResult | null> {
  const { plan, version, withFollowing, confirmed, now } = edit;
  const moved = steps.filter(({ game, to }) => changesSlot(game.plan, to));
  const warnings = await listWarnings(tx, moved.map(toPlanned), now);
  const effects = (await Promise.all(steps.map((step) => toEffect(tx, step)))).filter(
    ({ players, waiting }) => players > 0 || waiting > 0,
  );
  const key = confirmationKey({ plan, version, withFollowing, warnings, effects });
  if ((warnings.length === 0 && effects.length === 0) || isConfirmed(confirmed, key)) return null;
  const joined = await listJoinedSince(tx, effects, edit.askedAt);
  return {
    ok: false,
    reason: "unconfirmed",
    warnings,
    effects,
    games: steps.map(toPlanned),
    key,
    joined,
  };
}

async function listJoinedSince(tx: Tx, effects: Effect[], since: Date | null | undefined) {
  const gameIds = effects.map(({ gameId }) => gameId);
  if (!since || gameIds.length === 0) return [];
  const joined = await tx
    .selectFrom("bookings")
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .select(sql<string>`first_name || ' ' || last_name`.as("name"))
    .where(isOneOf("game_id", gameIds))
    .where("payment_status", "in", LIVE)
    .where("bookings.created_at", ">=", since)
    .groupBy(["profiles.user_id", "first_name", "last_name"])
    .orderBy(sql`min(bookings.created_at)`)
    .execute();
  return joined.map(({ name }) => name);
}

function editError(target: GameToEdit, { version, now }: Edit): EditGameResult | null {
  if (!isOpen(target)) return { ok: false, reason: "closed" };
  if (target.startsAt <= now) return { ok: false, reason: "started" };
  if (target.version === version) return null;
  return { ok: false, reason: "changed", current: target.plan, version: target.version };
}

function editedBefore(
  target: GameToEdit,
  { plan }: Edit,
  earlier: GameEvent["details"][],
): EditGameResult | null {
  if (earlier.length === 0 || changedFields(target.plan, plan).length > 0) return null;
  return { ok: true, games: earlier.length, notified: sumNotified(earlier) };
}

interface Step {
  game: GameToEdit;
  to: GamePlan;
}

function planSteps(
  games: GameToEdit[],
  target: GameToEdit,
  plan: GamePlan,
): Step[] | EditGameResult {
  const steps: Step[] = [];
  for (const game of games) {
    const change = { from: target.plan, to: plan };
    const to = game.id === target.id ? plan : planAlike(game.plan, change);
    if (!to) return { ok: false, reason: "cannot-shift", date: game.plan.date };
    if (changedFields(game.plan, to).length > 0) steps.push({ game, to });
  }
  return steps;
}

async function problemOf(
  tx: Tx,
  { game, to }: Step,
  now: Date,
): Promise<Extract<EditGameResult, { ok: false }> | null> {
  const problem = planProblem(to, now, game.plan);
  if (problem) return { ok: false, ...problem };
  const { id: gameId, joinedCount: players, heldCount } = game;
  if (to.maxPlayers >= players + heldCount) return null;
  const held = await listHeldSpots(tx, { gameId, now });
  if (to.maxPlayers >= players + countHeld(held)) return null;
  return { ok: false, reason: "too-few-seats", date: to.date, players, held };
}

const affectsPlayers = ({ game, to }: Step) =>
  game.joinedCount > 0 && touchesPlayers(game.plan, to);

async function toEffect(tx: Tx, step: Step): Promise<Effect> {
  const { game, to } = step;
  const waiting = needsNewAgreement(step) ? await countWaiting(tx, game.id) : 0;
  const players = affectsPlayers(step) ? game.joinedCount : 0;
  return { gameId: game.id, players, waiting, from: game.plan, to };
}

const toPlanned = ({ game, to }: Step): Planned => ({ id: game.id, plan: to });

const needsNewAgreement = ({ game, to }: Step) =>
  changedFields(game.plan, to).some((field) => AGREED_FIELDS.includes(field));

async function save(
  tx: Tx,
  jobs: Jobs,
  step: Step,
  { now }: Edit,
): Promise<[GameEvent, QueuedNotice | null]> {
  const { game, to } = step;
  if (game.heldCount > 0) await lapseHolds(tx, { gameId: game.id, now });
  const updated = await updateGame(tx, game.id, to);
  if (!canMark(updated, now)) await clearMarks(tx, game.id);
  // Another time, place or price has to be agreed to again.
  if (needsNewAgreement(step)) await askForConsentAgain(tx, jobs, game.id);
  const fields = changedFields(game.plan, to);
  const only = (plan: GamePlan) => Object.fromEntries(fields.map((name) => [name, plan[name]]));
  const delaySeconds = quietSeconds(now, [game, updated]);
  const notice = affectsPlayers(step)
    ? await waiveTermsAndNotify(tx, step, { version: updated.version, delaySeconds })
    : null;
  const details = { before: only(game.plan), after: only(to), notified: notice?.[1].length };
  return [{ subject: game.id, details }, notice];
}

/** Check-ins of an hour that the game was moved away from: it is not played yet. */
async function clearMarks(tx: Tx, gameId: string): Promise<void> {
  const marked = tx.updateTable("bookings").set({ attendance: null, ...NOT_EXCUSED });
  await marked.where("game_id", "=", gameId).where("attendance", "is not", null).execute();
}

/** `version` is the game's after the change: each change is mailed once. */
async function waiveTermsAndNotify(
  tx: Tx,
  { game, to }: Step,
  { version, delaySeconds }: { version: number; delaySeconds: number },
): Promise<QueuedNotice> {
  const bookings = await tx
    .updateTable("bookings")
    .set(WAIVED_COLUMNS)
    .where("game_id", "=", game.id)
    .where("payment_status", "in", LIVE)
    .returning(["id", "user_id as userId"])
    .execute();
  const facts = { version, before: factsOf(game.plan), after: factsOf(to) };
  const mails = bookings.map(({ id }) => ({ bookingId: id, ...facts }));
  const pushes = bookings.map(({ id, userId }) => {
    return { userId, subjectId: id, version: String(version) };
  });
  return ["game-changed", mails, { delaySeconds, pushes }];
}

function factsOf(plan: MailedPlan): MailedPlan {
  const { date, startTime, endTime, venueId, maxPlayers, isFirstSessionFree } = plan;
  return { date, startTime, endTime, venueId, maxPlayers, isFirstSessionFree };
}
