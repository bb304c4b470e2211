import { sql } from "kysely";
import { lockActor } from "#app/features/accounts/accounts.server.ts";
import {
  type AuditAction,
  listAuditEntriesOfForm,
  recordAudits,
} from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { type LockedGame, lockGame } from "./games.server.ts";

export interface GameChange {
  gameId: string;
  actorId: string;
  action: AuditAction;
  /** The game, unless it says otherwise. */
  subject?: string;
  formKey?: string | undefined;
}

type Details = Record<string, unknown>;

export interface GameEvent {
  /** As the change says, unless it was another. */
  action?: AuditAction;
  subject?: string;
  details: Details;
}

/** Reasons that need no more words than themselves. */
type BareReason<Result> = Result extends { ok: false; reason: infer Reason }
  ? Exclude<keyof Result, "ok" | "reason"> extends never
    ? Reason
    : never
  : never;

/** A reason or result without an event has changed nothing. */
export type Outcome<Result> =
  | BareReason<Result>
  | (Result & { event?: never })
  | (Extract<Result, { ok: true }> & { event: GameEvent | GameEvent[] });

export const NOT_FOUND = { ok: false, reason: "not-found" } as const;

/** A change of a game by an organiser: `run` decides and writes under the game's lock; the audit
 * entries and the update of open pages follow from its event. `earlier` is what this form has
 * recorded before about this subject. */
export async function changeGame<Result extends { ok: boolean }>(
  db: Db,
  { gameId, actorId: actor, action, subject = gameId, formKey }: GameChange,
  run: (tx: Tx, game: LockedGame, earlier: Details[]) => Promise<Outcome<Result>>,
): Promise<Result | typeof NOT_FOUND> {
  if (!isId(gameId)) return NOT_FOUND;
  return db.transaction().execute(async (tx) => {
    await lockActor(tx, actor);
    const game = await lockGame(tx, gameId);
    if (!game) return NOT_FOUND;
    const earlier = await listAuditEntriesOfForm(tx, { action, subject, formKey });
    const outcome: unknown = await run(tx, game, earlier);
    if (typeof outcome === "string") return { ok: false, reason: outcome } as unknown as Result;
    const { event = [], ...result } = outcome as Result & { event?: GameEvent | GameEvent[] };
    const entries = [event].flat().map(({ details, ...rest }) => {
      return { actor, action, subject, ...rest, details: { formKey, ...details } };
    });
    await recordAudits(tx, entries);
    if (entries.length > 0) await publishGameUpdate(tx, gameId);
    return result as unknown as Result;
  });
}

/** Also of what is no column of the game: those who watch it load their pages again. */
async function publishGameUpdate(tx: Tx, gameId: string): Promise<void> {
  await sql`select pg_notify('live_games', ${gameId}::uuid::text)`.execute(tx);
}
