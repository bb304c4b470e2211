import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { lockGamesToEdit } from "./lock-games-to-edit.server.ts";
import { hasStarted } from "./rules.ts";

interface Deed {
  gameId: string;
  /** With the drafts of its series that come after it. */
  withFollowing?: boolean;
  actorId: string;
  now: Date;
}

export type PublishAnswer =
  /** How many are published now that were not before. */
  { ok: true; published: number } | { ok: false; reason: "not-found" | "not-draft" | "started" };

/** Lets players see and join a draft, all or none. Repeated it changes nothing. */
export async function publishGame(
  db: Db,
  { gameId, withFollowing = false, actorId, now }: Deed,
): Promise<PublishAnswer> {
  if (!isId(gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const games = await lockGamesToEdit(tx, { gameId, withFollowing, now });
    const game = games.find(({ id }) => id === gameId);
    if (!game) return { ok: false, reason: "not-found" };
    if (game.status !== "Draft" && game.status !== "Published") {
      return { ok: false, reason: "not-draft" };
    }
    const drafts = games.filter(({ status }) => status === "Draft");
    if (drafts.some((draft) => hasStarted(draft, now))) return { ok: false, reason: "started" };
    for (const { id } of drafts) await publish(tx, id, actorId);
    return { ok: true, published: drafts.length };
  });
}

async function publish(tx: Tx, id: string, actor: string): Promise<void> {
  await tx.updateTable("games").set({ status: "Published" }).where("id", "=", id).execute();
  const details = { before: { status: "Draft" }, after: { status: "Published" } };
  await recordDeed(tx, { actor, action: "game.publish", subject: id, details });
}
