import { randomUUID } from "node:crypto";
import { type Db, insertRows, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { NewGame } from "#app/platform/schema.ts";
import { lockAndCheckVenue } from "#app/features/venues/venues.server.ts";
import {
  type Warning,
  type Confirmed,
  isConfirmed,
  confirmationKey,
  listWarnings,
} from "./warnings.server.ts";
import { changeGames } from "./change-game.server.ts";
import { listSeries } from "./admin-games.server.ts";
import {
  changedFields,
  type GamePlan,
  planColumns,
  planOf,
  type PlanProblem,
  planProblem,
} from "./plan.ts";
import { weeklySlots } from "./time-slots.ts";

interface NewGames {
  plan: GamePlan;
  weeks: number;
  /** Dates without a game. */
  leftOut?: string[];
  /** A game whose series goes on with these. */
  continues?: string | undefined;
  status: "Draft" | "Published";
  actorId: string;
  confirmed?: Confirmed;
  formKey?: string | undefined;
  now: Date;
}

type CreateGamesResult =
  | { ok: true; gameIds: string[] }
  | { ok: false; reason: "no-venue" | "no-dates" | "no-series" }
  | { ok: false; reason: "unconfirmed"; warnings: Warning[]; key: string }
  /** The form has already created other games, such as before going back in the browser. */
  | { ok: false; reason: "form-used" }
  | ({ ok: false } & PlanProblem);

export async function createGames(db: Db, games: NewGames): Promise<CreateGamesResult> {
  const { plan, weeks, status, continues, formKey = randomUUID(), now } = games;
  const plans = plansOf(games);
  if (plans.length === 0) return { ok: false, reason: "no-dates" };
  const problem = plans.map((one) => planProblem(one, now)).find((found) => found !== null);
  if (problem) return { ok: false, ...problem };
  const change = { actorId: games.actorId, action: "game.create" } as const;
  const lock = (tx: Tx) => lockAndCheckVenue(tx, plan.venueId);
  return changeGames<CreateGamesResult, boolean>(db, change, lock, async (tx, isVenueOpen) => {
    if (!isVenueOpen) return "no-venue";
    const made = await tx.selectFrom("games").select("id").where("id", "=", formKey).execute();
    if (made.length > 0) return repeatedResult(tx, formKey, games);
    const continued = continues ? await findSeriesId(tx, continues) : null;
    if (continues && !continued) return "no-series";
    const seriesId = continued ?? (plans.length > 1 ? randomUUID() : null);
    const gameIds = [formKey, ...plans.slice(1).map(() => randomUUID())];
    const planned = gameIds.map((id, index) => ({ id, plan: plans[index]! }));
    const warnings = await listWarnings(tx, planned, now);
    const key = confirmationKey({ plans, weeks, status, warnings });
    if (warnings.length > 0 && !isConfirmed(games.confirmed, key)) {
      return { ok: false, reason: "unconfirmed", warnings, key };
    }
    const rows = planned.map((one) => {
      return { id: one.id, ...planColumns(one.plan), status, series_id: seriesId };
    });
    // The first has the form's key: where it is there already, the others are not added.
    if (!(await addGames(tx, rows.slice(0, 1)))) return repeatedResult(tx, formKey, games);
    await addGames(tx, rows.slice(1));
    const event = planned.map(({ id: subject, plan: after }) => {
      return { subject, details: { before: null, after: { ...after, status, seriesId } } };
    });
    return { ok: true, gameIds, event };
  });
}

function plansOf({ plan, weeks, leftOut = [] }: NewGames): GamePlan[] {
  const slots = weeklySlots(plan, weeks).filter(({ date }) => !leftOut.includes(date));
  return slots.map((slot) => ({ ...plan, ...slot }));
}

async function findSeriesId(tx: Tx, gameId: string): Promise<string | null> {
  if (!isId(gameId)) return null;
  const game = tx.selectFrom("games").select("series_id").where("id", "=", gameId);
  return (await game.executeTakeFirst())?.series_id ?? null;
}

/** False where they are there: only the same form can have created one of these ids before. */
async function addGames(tx: Tx, rows: (NewGame & { id: string })[]): Promise<boolean> {
  if (rows.length === 0) return true;
  const added = await insertRows(tx, "games", rows)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .execute();
  return added.length === rows.length;
}

async function repeatedResult(tx: Tx, id: string, games: NewGames): Promise<CreateGamesResult> {
  const plans = plansOf(games);
  const first = tx.selectFrom("games").selectAll().where("id", "=", id);
  const made = await first.executeTakeFirstOrThrow();
  const series = await listSeries(tx, made.series_id);
  // A series that was continued has earlier games too.
  const own = series.filter(({ startsAt }) => startsAt >= made.starts_at);
  const gameIds = made.series_id ? own.map((game) => game.id) : [id];
  const dates = made.series_id ? own.map(({ date }) => date) : [made.date];
  const isSame =
    changedFields(planOf(made), plans[0]!).length === 0 &&
    dates.join() === plans.map(({ date }) => date).join() &&
    made.status === games.status;
  return isSame ? { ok: true, gameIds } : { ok: false, reason: "form-used" };
}
