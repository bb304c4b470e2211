import { recordAudits } from "#app/platform/audit.server.ts";
import { type Db, type Tx, isOneOf } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import {
  type Ask,
  type Confirmed,
  isConfirmed,
  keyOf,
  listAsks,
} from "#app/features/games/asks.server.ts";
import { gamesKey } from "./game-keys.server.ts";
import {
  type EditScope,
  type GameToEdit,
  lockGamesToEdit,
} from "#app/features/games/games.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";

type StatusScope = EditScope & {
  actorId: string;
  /** The `gamesKey` of those that the page would change. */
  shown?: string | undefined;
};
type Changed = { ok: false; reason: "changed"; games: GameToEdit[] };

// Of none nothing changes: the same form was sent before.
async function areChanged(tx: Tx, games: GameToEdit[], shown: string | undefined) {
  if (shown === undefined || games.length === 0) return false;
  return shown !== (await gamesKey(tx, games));
}

/** Publishes a draft, and if asked the later drafts of its series: all or none. */
export async function publishGame(
  db: Db,
  { actorId, confirmed, shown, ...scope }: StatusScope & { confirmed?: Confirmed },
): Promise<
  | { ok: true; published: number }
  | { ok: false; reason: "not-found" | "not-draft" | "started" | "decision-over" }
  | { ok: false; reason: "asks"; asks: Ask[]; key: string }
  | Changed
> {
  if (!isId(scope.gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const games = await lockGamesToEdit(tx, scope);
    const game = games.find(({ id }) => id === scope.gameId);
    if (!game) return { ok: false, reason: "not-found" };
    if (game.status !== "Draft" && game.status !== "Published") {
      return { ok: false, reason: "not-draft" };
    }
    const drafts = games.filter(({ status }) => status === "Draft");
    if (drafts.some((draft) => hasStarted(draft, scope.now))) {
      return { ok: false, reason: "started" };
    }
    // It would be called off at once, unless it is played anyway.
    const isOver = ({ decidesAt, decision }: GameToEdit) =>
      decidesAt !== null && decision === null && decidesAt <= scope.now;
    if (drafts.some(isOver)) {
      return { ok: false, reason: "decision-over" };
    }
    if (await areChanged(tx, drafts, shown)) return { ok: false, reason: "changed", games: drafts };
    const asks = await listAsks(tx, drafts, scope.now);
    const key = keyOf({ drafts: drafts.map(({ id, version }) => [id, version]), asks });
    if (asks.length > 0 && !isConfirmed(confirmed, key)) {
      return { ok: false, reason: "asks", asks, key };
    }
    await changeStatus(tx, drafts, { actor: actorId, from: "Draft", to: "Published" });
    return { ok: true, published: drafts.length };
  });
}

/** Only before kick-off and without players, who have paid. Following games with players stay. Who
 * waits, or is offered a spot, loses the place with the next sweep. */
export async function unpublishGame(
  db: Db,
  { actorId, shown, ...scope }: StatusScope,
): Promise<
  | { ok: true; unpublished: number; kept: number; waiting: number }
  | { ok: false; reason: "not-found" | "not-published" | "started" | "has-players" }
  | Changed
> {
  if (!isId(scope.gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    // A join waits for this lock and then finds a draft.
    const games = await lockGamesToEdit(tx, scope);
    const game = games.find(({ id }) => id === scope.gameId);
    if (!game) return { ok: false, reason: "not-found" };
    if (game.status !== "Draft" && game.status !== "Published") {
      return { ok: false, reason: "not-published" };
    }
    const published = games.filter(({ status }) => status === "Published");
    if (published.some((one) => hasStarted(one, scope.now)))
      return { ok: false, reason: "started" };
    if (await areChanged(tx, published, shown)) {
      return { ok: false, reason: "changed", games: published };
    }
    const empty = published.filter(({ joinedCount }) => joinedCount === 0);
    if (empty.length === 0 && game.status === "Published") {
      return { ok: false, reason: "has-players" };
    }
    await changeStatus(tx, empty, { actor: actorId, from: "Published", to: "Draft" });
    const unpublished = empty.length;
    const waiting = await countWaiting(tx, empty);
    return { ok: true, unpublished, kept: published.length - unpublished, waiting };
  });
}

async function countWaiting(tx: Tx, games: { id: string }[]): Promise<number> {
  const { waiting } = await tx
    .selectFrom("waitlist_entries")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .where(
      isOneOf(
        "game_id",
        games.map(({ id }) => id),
      ),
    )
    .where("status", "in", ["Waiting", "Offered"])
    .executeTakeFirstOrThrow();
  return waiting;
}

interface StatusChange {
  actor: string;
  from: "Draft" | "Published";
  to: "Draft" | "Published";
}

async function changeStatus(tx: Tx, games: { id: string }[], { actor, from, to }: StatusChange) {
  if (games.length === 0) return;
  const ids = games.map(({ id }) => id);
  await tx.updateTable("games").set({ status: to }).where(isOneOf("id", ids)).execute();
  const action = to === "Published" ? "game.publish" : "game.unpublish";
  const details = { before: { status: from }, after: { status: to } };
  await recordAudits(
    tx,
    ids.map((subject) => ({ actor, action, subject, details })),
  );
}
