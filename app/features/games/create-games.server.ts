import { randomUUID } from "node:crypto";
import { recordDeed } from "../../platform/audit.server.ts";
import type { Db, Tx } from "../../platform/db.server.ts";
import { hasVenue } from "./has-venue.server.ts";
import { type GamePlan, planColumns } from "./plan.server.ts";
import { type SlotProblem, slotProblem } from "./slot-problem.ts";
import { weeklySlots } from "./slots.ts";

interface NewGames {
  plan: GamePlan;
  /** How many, a week apart: 1 for a game of its own. */
  weeks: number;
  status: "Draft" | "Published";
  actorId: string;
  now: Date;
}

export type CreateAnswer =
  | { ok: true; gameIds: string[] }
  | { ok: false; reason: "no-venue" }
  | ({ ok: false } & SlotProblem);

/** Adds a game or a weekly series of them, with the deeds, in one transaction: all or none. */
export async function createGames(db: Db, games: NewGames): Promise<CreateAnswer> {
  const { plan, weeks, now } = games;
  const plans = weeklySlots(plan, weeks).map((slot) => ({ ...plan, ...slot }));
  const problem = plans.map((one) => slotProblem(one, now)).find((found) => found !== null);
  if (problem) return { ok: false, ...problem };
  return db.transaction().execute(async (tx) => {
    if (!(await hasVenue(tx, plan.venueId))) return { ok: false, reason: "no-venue" };
    const seriesId = weeks > 1 ? randomUUID() : null;
    const gameIds: string[] = [];
    for (const one of plans) gameIds.push(await createGame(tx, games, one, seriesId));
    return { ok: true, gameIds };
  });
}

async function createGame(
  tx: Tx,
  { status, actorId }: NewGames,
  plan: GamePlan,
  seriesId: string | null,
): Promise<string> {
  const { id } = await tx
    .insertInto("games")
    .values({ ...planColumns(plan), status, series_id: seriesId })
    .returning("id")
    .executeTakeFirstOrThrow();
  await recordDeed(tx, {
    actor: actorId,
    action: "game.create",
    subject: id,
    details: { before: null, after: { ...plan, status, seriesId } },
  });
  return id;
}
