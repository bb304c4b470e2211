import { randomUUID } from "node:crypto";
import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { hasVenue } from "#app/features/venues/venues.server.ts";
import { changedFields } from "./plan-changes.ts";
import { type GamePlan, planColumns, planOf } from "./plan.server.ts";
import { listSeries } from "./planned-games.server.ts";
import { type SlotProblem, slotProblem } from "./slot-problem.ts";
import { weeklySlots } from "./slots.ts";

interface NewGames {
  plan: GamePlan;
  /** How many, a week apart: 1 for a game of its own. */
  weeks: number;
  status: "Draft" | "Published";
  actorId: string;
  /** Made with the form: one that arrives twice makes its games once. The first game has this id. */
  formId?: string;
  now: Date;
}

export type CreateAnswer =
  | { ok: true; gameIds: string[] }
  | { ok: false; reason: "no-venue" }
  /** The form has made other games: one that is gone back to may hold others. */
  | { ok: false; reason: "form-used" }
  | ({ ok: false } & SlotProblem);

/** Adds a game or a weekly series of them, with the deeds, in one transaction: all or none. */
export async function createGames(db: Db, games: NewGames): Promise<CreateAnswer> {
  const { plan, weeks, formId = randomUUID(), now } = games;
  const plans = weeklySlots(plan, weeks).map((slot) => ({ ...plan, ...slot }));
  const problem = plans.map((one) => slotProblem(one, now)).find((found) => found !== null);
  if (problem) return { ok: false, ...problem };
  return db.transaction().execute(async (tx) => {
    if (!(await hasVenue(tx, plan.venueId))) return { ok: false, reason: "no-venue" };
    const seriesId = weeks > 1 ? randomUUID() : null;
    const gameIds = [formId, ...plans.slice(1).map(() => randomUUID())];
    for (const [index, id] of gameIds.entries()) {
      const isNew = await createGame(tx, games, { id, plan: plans[index]!, seriesId });
      if (!isNew) return answerRepeated(tx, id, games);
    }
    return { ok: true, gameIds };
  });
}

/** False where there is a game of this id already: only the form's own can be there. */
async function createGame(
  tx: Tx,
  { status, actorId }: NewGames,
  { id, plan, seriesId }: { id: string; plan: GamePlan; seriesId: string | null },
): Promise<boolean> {
  const made = await tx
    .insertInto("games")
    .values({ id, ...planColumns(plan), status, series_id: seriesId })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!made) return false;
  await recordDeed(tx, {
    actor: actorId,
    action: "game.create",
    subject: id,
    details: { before: null, after: { ...plan, status, seriesId } },
  });
  return true;
}

/** The games that the form has made, if they are what it asks for. */
async function answerRepeated(
  tx: Tx,
  id: string,
  { plan, weeks, status }: NewGames,
): Promise<CreateAnswer> {
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
