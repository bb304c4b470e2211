import { type Db, type Tx, isOneOf } from "#app/platform/db.server.ts";
import {
  type Warning,
  type Confirmed,
  isConfirmed,
  confirmationKey,
  listWarnings,
} from "#app/features/games/warnings.server.ts";
import { changeSeries } from "#app/features/games/change-game.server.ts";
import { gamesKey } from "./game-keys.server.ts";
import type { EditScope, GameToEdit } from "#app/features/games/games.server.ts";
import { hasStarted, isOpen } from "#app/features/games/rules.ts";

type StatusScope = EditScope & {
  actorId: string;
  /** The `gamesKey` of those that the page would change. */
  shown?: string | undefined;
};
type Changed = { ok: false; reason: "changed"; games: GameToEdit[] };

/** Why none of them gets another status. Without any the same form was sent before. */
async function findObstacle(tx: Tx, games: GameToEdit[], { now, shown }: StatusScope) {
  if (games.some((game) => hasStarted(game, now))) return "started" as const;
  if (shown === undefined || games.length === 0 || shown === (await gamesKey(tx, games))) return;
  return { ok: false, reason: "changed", games } as const;
}

type PublishResult =
  | { ok: true; published: number }
  | { ok: false; reason: "not-found" | "not-draft" | "started" | "decision-over" }
  | { ok: false; reason: "unconfirmed"; warnings: Warning[]; key: string }
  | Changed;

/** Publishes a draft, and if asked the later drafts of its series: all or none. */
export function publishGame(
  db: Db,
  { confirmed, ...scope }: StatusScope & { confirmed?: Confirmed },
): Promise<PublishResult> {
  const change = { actorId: scope.actorId, action: "game.publish", scope } as const;
  return changeSeries<PublishResult>(db, change, async (tx, game, { games }) => {
    if (!isOpen(game)) return "not-draft";
    const drafts = games.filter(({ status }) => status === "Draft");
    const obstacle = await findObstacle(tx, drafts, scope);
    if (obstacle) return obstacle;
    // It would be called off at once, unless it is played anyway.
    const isOver = ({ decidesAt, decision }: GameToEdit) =>
      decidesAt !== null && decision === null && decidesAt <= scope.now;
    if (drafts.some(isOver)) return "decision-over";
    const warnings = await listWarnings(tx, drafts, scope.now);
    const key = confirmationKey({
      drafts: drafts.map(({ id, version }) => [id, version]),
      warnings,
    });
    if (warnings.length > 0 && !isConfirmed(confirmed, key)) {
      return { ok: false, reason: "unconfirmed", warnings, key };
    }
    const event = await changeStatus(tx, drafts, "Published");
    return { ok: true, published: drafts.length, event };
  });
}

type UnpublishResult =
  | { ok: true; unpublished: number; kept: number; waiting: number }
  | { ok: false; reason: "not-found" | "not-published" | "started" | "has-players" }
  | Changed;

/** Only before kick-off and without players, who have paid. Following games with players stay. Who
 * waits, or is offered a spot, loses the place with the next sweep. */
export function unpublishGame(db: Db, scope: StatusScope): Promise<UnpublishResult> {
  const change = { actorId: scope.actorId, action: "game.unpublish", scope } as const;
  // A join waits for the lock of its game and then finds a draft.
  return changeSeries<UnpublishResult>(db, change, async (tx, game, { games }) => {
    if (!isOpen(game)) return "not-published";
    const published = games.filter(({ status }) => status === "Published");
    const obstacle = await findObstacle(tx, published, scope);
    if (obstacle) return obstacle;
    const empty = published.filter(({ joinedCount }) => joinedCount === 0);
    if (empty.length === 0 && game.status === "Published") return "has-players";
    const event = await changeStatus(tx, empty, "Draft");
    const unpublished = empty.length;
    const waiting = await countWaiting(tx, empty);
    return { ok: true, unpublished, kept: published.length - unpublished, waiting, event };
  });
}

async function countWaiting(tx: Tx, games: { id: string }[]): Promise<number> {
  const ids = games.map(({ id }) => id);
  const { waiting } = await tx
    .selectFrom("waitlist_entries")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .where(isOneOf("game_id", ids))
    .where("status", "in", ["Waiting", "Offered"])
    .executeTakeFirstOrThrow();
  return waiting;
}

/** Expects games that all had the other status. */
async function changeStatus(tx: Tx, games: { id: string }[], to: "Draft" | "Published") {
  if (games.length === 0) return [];
  const ids = games.map(({ id }) => id);
  await tx.updateTable("games").set({ status: to }).where(isOneOf("id", ids)).execute();
  const from = to === "Draft" ? "Published" : "Draft";
  const details = { before: { status: from }, after: { status: to } };
  return ids.map((subject) => ({ subject, details }));
}
