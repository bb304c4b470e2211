import { sql } from "kysely";
import { listAuditEntriesOfForm, recordAudit } from "#app/platform/audit.server.ts";
import { type Db, isOneOf, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import {
  type Ask,
  type Confirmed,
  isConfirmed,
  keyOf,
  listAsks,
  type Planned,
} from "#app/features/games/asks.server.ts";
import { type GameToEdit, lockGamesToEdit, updateGame } from "#app/features/games/games.server.ts";
import {
  changedFields,
  type GamePlan,
  movesGame,
  planAlike,
  type PlanProblem,
  planProblem,
  touchesPlayers,
} from "#app/features/games/plan.ts";
import { enqueuePushes } from "#app/features/notifications/notify.server.ts";
import { quietSeconds } from "#app/features/notifications/rules.ts";
import { lockVenues } from "#app/features/venues/venues.server.ts";
import { type HeldSpots, listHeldSpots } from "#app/features/friends/friends.server.ts";
import { lapseHolds } from "#app/features/seats/hold-ends.server.ts";
import { NOT_EXCUSED } from "#app/features/roster/no-shows.server.ts";
import { LIVE, WAIVED_COLUMNS } from "#app/features/seats/rules.ts";
import { askForConsentAgain, countWaiting } from "#app/features/waitlist/entries.server.ts";
import { queuePromotions } from "#app/features/games/after-change.server.ts";
import type { GameFacts } from "#app/features/games/describe-change.server.ts";
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
  | { ok: false; reason: "not-found" | "closed" | "started" | "no-venue" }
  | { ok: false; reason: "changed"; current: GamePlan; version: number }
  | { ok: false; reason: "too-few-seats"; date: string; players: number; held: HeldSpots }
  | { ok: false; reason: "cannot-shift"; date: string }
  | ({ ok: false; reason: "asks" } & Question)
  | ({ ok: false } & PlanProblem);

interface Question {
  asks: Ask[];
  effects: Effect[];
  /** All that change, those of `effects` included. */
  games: Planned[];
  key: string;
  /** The names of who has joined since `askedAt`. */
  joined: string[];
}

/** All games or none. "asks" lists whom it affects too; confirmed, they may leave for free. */
export async function editGame(db: Db, jobs: Jobs, edit: Edit): Promise<EditGameResult> {
  if (!isId(edit.gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const games = await lockGamesToEdit(tx, edit);
    const target = games.find(({ id }) => id === edit.gameId);
    const error = editError(target, edit);
    if (error) return (await findEdited(tx, target, edit)) ?? error;
    const steps = planSteps(games, target!, edit.plan);
    if (!Array.isArray(steps)) return steps;
    if (!(await isVenueOpen(tx, target!, steps, edit.plan)))
      return { ok: false, reason: "no-venue" };
    for (const step of steps) {
      const problem = await problemOf(tx, step, edit.now);
      if (problem) return problem;
    }
    const question = await askAbout(tx, steps, edit);
    if (question) return question;
    let notified = 0;
    for (const step of steps) notified += await change(tx, jobs, step, edit);
    return { ok: true, games: steps.length, notified };
  });
}

/** Locks all venues at once, in their order. A game may stay at a hidden one. */
async function isVenueOpen(tx: Tx, target: GameToEdit, steps: Step[], { venueId }: GamePlan) {
  const moved = steps.filter(({ game, to }) => movesGame(game.plan, to));
  const hidden = await lockVenues(tx, [...new Set(moved.map(({ to }) => to.venueId))]);
  return venueId === target.plan.venueId || hidden.get(venueId) === false;
}

async function askAbout(tx: Tx, steps: Step[], edit: Edit): Promise<EditGameResult | null> {
  const { plan, version, withFollowing, confirmed, now } = edit;
  const moved = steps.filter(({ game, to }) => movesGame(game.plan, to));
  const asks = await listAsks(tx, moved.map(toPlanned), now);
  const effects = (await Promise.all(steps.map((step) => toEffect(tx, step)))).filter(
    ({ players, waiting }) => players > 0 || waiting > 0,
  );
  const key = keyOf({ plan, version, withFollowing, asks, effects });
  if ((asks.length === 0 && effects.length === 0) || isConfirmed(confirmed, key)) return null;
  const joined = await listJoinedSince(tx, effects, edit.askedAt);
  return { ok: false, reason: "asks", asks, effects, games: steps.map(toPlanned), key, joined };
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

function editError(target: GameToEdit | undefined, { version, now }: Edit): EditGameResult | null {
  if (!target) return { ok: false, reason: "not-found" };
  if (target.status !== "Draft" && target.status !== "Published") {
    return { ok: false, reason: "closed" };
  }
  if (target.startsAt <= now) return { ok: false, reason: "started" };
  if (target.version === version) return null;
  return { ok: false, reason: "changed", current: target.plan, version: target.version };
}

async function findEdited(
  tx: Tx,
  target: GameToEdit | undefined,
  { plan, formKey }: Edit,
): Promise<EditGameResult | null> {
  if (!target || changedFields(target.plan, plan).length > 0) return null;
  const entries = await listAuditEntriesOfForm(tx, { action: "game.edit", formKey });
  if (entries.length === 0) return null;
  const notified = entries.reduce((sum, details) => sum + Number(details.notified ?? 0), 0);
  return { ok: true, games: entries.length, notified };
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
  if (to.maxPlayers >= players + held.offered + held.forFriends.length) return null;
  return { ok: false, reason: "too-few-seats", date: to.date, players, held };
}

const affectsPlayers = ({ game, to }: Step) =>
  game.joinedCount > 0 && touchesPlayers(game.plan, to);

async function toEffect(tx: Tx, step: Step): Promise<Effect> {
  const { game, to } = step;
  const waiting = isAgreedAgain(step) ? await countWaiting(tx, game.id) : 0;
  const players = affectsPlayers(step) ? game.joinedCount : 0;
  return { gameId: game.id, players, waiting, from: game.plan, to };
}

const toPlanned = ({ game, to }: Step): Planned => ({ id: game.id, plan: to });

const isAgreedAgain = ({ game, to }: Step) =>
  changedFields(game.plan, to).some((field) => AGREED_FIELDS.includes(field));

async function change(tx: Tx, jobs: Jobs, step: Step, edit: Edit): Promise<number> {
  const { game, to } = step;
  const { actorId: actor, formKey } = edit;
  if (game.heldCount > 0) await lapseHolds(tx, { gameId: game.id, now: edit.now });
  const updated = await updateGame(tx, game.id, to);
  if (!canMark(updated, edit.now)) await clearMarks(tx, game.id);
  await waitlistAfterEdit(tx, jobs, step);
  const delaySeconds = quietSeconds(edit.now, [game, updated]);
  const fields = changedFields(game.plan, to);
  const only = (plan: GamePlan) => Object.fromEntries(fields.map((name) => [name, plan[name]]));
  const notified = affectsPlayers(step)
    ? await waiveTermsAndNotify(tx, jobs, step, { version: updated.version, delaySeconds })
    : undefined;
  const details = { before: only(game.plan), after: only(to), formKey, notified };
  await recordAudit(tx, { actor, action: "game.edit", subject: game.id, details });
  return notified ?? 0;
}

/** Check-ins of an hour that the game was moved away from: it is not played yet. */
async function clearMarks(tx: Tx, gameId: string): Promise<void> {
  const marked = tx.updateTable("bookings").set({ attendance: null, ...NOT_EXCUSED });
  await marked.where("game_id", "=", gameId).where("attendance", "is not", null).execute();
}

/** Another time, place or price has to be agreed to again; more spots go to those who wait. */
async function waitlistAfterEdit(tx: Tx, jobs: Jobs, { game, to }: Step) {
  if (isAgreedAgain({ game, to })) {
    await askForConsentAgain(tx, jobs, game.id);
  }
  await queuePromotions(tx, jobs, [game.id]);
}

const AGREED_FIELDS: (keyof GamePlan)[] = [
  "date",
  "startTime",
  "endTime",
  "venueId",
  "isFirstSessionFree",
];

/** `version` is the game's after the change: each change is mailed once. */
async function waiveTermsAndNotify(
  tx: Tx,
  jobs: Jobs,
  { game, to }: Step,
  { version, delaySeconds }: { version: number; delaySeconds: number },
) {
  const bookings = await tx
    .updateTable("bookings")
    .set(WAIVED_COLUMNS)
    .where("game_id", "=", game.id)
    .where("payment_status", "in", LIVE)
    .returning(["id", "user_id"])
    .execute();
  const facts = { version, before: factsOf(game.plan), after: factsOf(to) };
  const mails = bookings.map(({ id }) => ({ bookingId: id, ...facts }));
  await jobs.enqueueEmails(tx, "game-changed", mails, { delaySeconds });
  const notices = bookings.map(({ id, user_id }) => ({
    ...{ userId: user_id, subjectId: id },
    version: String(version),
  }));
  await enqueuePushes(tx, jobs, "game-changed", notices, { delaySeconds });
  return bookings.length;
}

function factsOf(plan: GameFacts): GameFacts {
  const { date, startTime, endTime, venueId, maxPlayers, isFirstSessionFree } = plan;
  return { date, startTime, endTime, venueId, maxPlayers, isFirstSessionFree };
}
