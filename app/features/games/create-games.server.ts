import { randomUUID } from "node:crypto";
import { recordAudits } from "#app/platform/audit.server.ts";
import { type Db, insertRows, type Tx } from "#app/platform/db.server.ts";
import { lockAndCheckVenue } from "#app/features/venues/venues.server.ts";
import { type Ask, type Confirmed, isConfirmed, keyOf, listAsks } from "./asks.server.ts";
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
  status: "Draft" | "Published";
  actorId: string;
  confirmed?: Confirmed;
  formKey?: string | undefined;
  now: Date;
}

type CreateGamesResult =
  | { ok: true; gameIds: string[] }
  | { ok: false; reason: "no-venue" }
  | { ok: false; reason: "asks"; asks: Ask[]; key: string }
  /** The form has already created other games, such as before going back in the browser. */
  | { ok: false; reason: "form-used" }
  | ({ ok: false } & PlanProblem);

export async function createGames(db: Db, games: NewGames): Promise<CreateGamesResult> {
  const { plan, weeks, formKey = randomUUID(), now } = games;
  const plans = weeklySlots(plan, weeks).map((slot) => ({ ...plan, ...slot }));
  const problem = plans.map((one) => planProblem(one, now)).find((found) => found !== null);
  if (problem) return { ok: false, ...problem };
  return db.transaction().execute(async (tx) => {
    if (!(await lockAndCheckVenue(tx, plan.venueId))) return { ok: false, reason: "no-venue" };
    const made = await tx.selectFrom("games").select("id").where("id", "=", formKey).execute();
    if (made.length > 0) return repeatedResult(tx, formKey, games);
    const seriesId = weeks > 1 ? randomUUID() : null;
    const gameIds = [formKey, ...plans.slice(1).map(() => randomUUID())];
    const planned = gameIds.map((id, index) => ({ id, plan: plans[index]! }));
    const asks = await listAsks(tx, planned, now);
    const key = keyOf({ plan, weeks, status: games.status, asks });
    if (asks.length > 0 && !isConfirmed(games.confirmed, key)) {
      return { ok: false, reason: "asks", asks, key };
    }
    // The first has the form's key: where it is there already, the others are not added.
    const [first, ...others] = planned;
    const isNew = (await addGames(tx, games, [first!], seriesId)) === 1;
    if (!isNew) return repeatedResult(tx, formKey, games);
    await addGames(tx, games, others, seriesId);
    return { ok: true, gameIds };
  });
}

/** How many are new; only the same form can have created one of these ids before. */
async function addGames(
  tx: Tx,
  { status, actorId: actor }: NewGames,
  games: { id: string; plan: GamePlan }[],
  seriesId: string | null,
): Promise<number> {
  if (games.length === 0) return 0;
  const rows = games.map(({ id, plan }) => {
    return { id, ...planColumns(plan), status, series_id: seriesId };
  });
  const added = await insertRows(tx, "games", rows)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .execute();
  if (added.length < games.length) return added.length;
  const entries = games.map(({ id: subject, plan }) => {
    const details = { before: null, after: { ...plan, status, seriesId } };
    return { actor, action: "game.create" as const, subject, details };
  });
  await recordAudits(tx, entries);
  return added.length;
}

async function repeatedResult(
  tx: Tx,
  id: string,
  { plan, weeks, status }: NewGames,
): Promise<CreateGamesResult> {
  const first = tx.selectFrom("games").selectAll().where("id", "=", id);
  const made = await first.executeTakeFirstOrThrow();
  const series = await listSeries(tx, made.series_id);
  const gameIds = made.series_id ? series.map((game) => game.id) : [id];
  const isSame =
    changedFields(planOf(made), plan).length === 0 &&
    gameIds.length === weeks &&
    made.status === status;
  return isSame ? { ok: true, gameIds } : { ok: false, reason: "form-used" };
}
