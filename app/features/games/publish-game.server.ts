import { recordDeed } from "../../platform/audit.server.ts";
import type { Db } from "../../platform/db.server.ts";
import { isId } from "../../platform/ids.ts";
import { lockGame } from "./lock-game.server.ts";
import { hasStarted } from "./rules.ts";

interface Deed {
  gameId: string;
  actorId: string;
  now: Date;
}

export type PublishAnswer =
  | { ok: true }
  | { ok: false; reason: "not-found" | "not-draft" | "started" };

/** Lets players see and join a draft. Repeated it changes nothing. */
export async function publishGame(db: Db, { gameId, actorId, now }: Deed): Promise<PublishAnswer> {
  if (!isId(gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const game = await lockGame(tx, gameId);
    if (!game) return { ok: false, reason: "not-found" };
    if (game.status === "Published") return { ok: true };
    if (game.status !== "Draft") return { ok: false, reason: "not-draft" };
    if (hasStarted(game, now)) return { ok: false, reason: "started" };
    await tx.updateTable("games").set({ status: "Published" }).where("id", "=", gameId).execute();
    const details = { before: { status: "Draft" }, after: { status: "Published" } };
    await recordDeed(tx, { actor: actorId, action: "game.publish", subject: gameId, details });
    return { ok: true };
  });
}
