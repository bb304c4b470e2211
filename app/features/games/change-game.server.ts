import { type RawBuilder, sql } from "kysely";
import { lockActor } from "#app/features/accounts/accounts.server.ts";
import {
  type AuditAction,
  listAuditEntriesOfForm,
  recordAudits,
} from "#app/platform/audit.server.ts";
import { type Db, sendTogether, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { type LockedGame, lockedGame } from "./games.server.ts";
import { type Notice, queueNotices, queuePromotions } from "./after-change.server.ts";

/** Who changes what: a player, of whose own changes there is no audit entry, or an organiser. */
interface Change extends Partial<ByOrganiser> {
  /** For a change that promotes or notifies. */
  jobs?: Jobs;
}

interface ByOrganiser {
  actorId: string;
  action: AuditAction;
  formKey?: string | undefined;
}

export interface GameChange extends ByOrganiser {
  gameId: string;
  /** The game, unless it says otherwise. */
  subject?: string;
}

type Details = Record<string, unknown>;

export interface GameEvent {
  /** As the change says, unless it was another. */
  action?: AuditAction;
  subject?: string;
  details: Details;
}

/** What a change brings about. */
export interface Consequences {
  event?: GameEvent | GameEvent[];
  /** Games in which a spot may be free now, for those who wait. */
  promote?: string[];
  notices?: Notice[];
}

/** Reasons that need no more words than themselves. */
type BareReason<Result> = Result extends { ok: false; reason: infer Reason }
  ? object extends Omit<Result, "ok" | "reason">
    ? Reason
    : never
  : never;

/** A reason, or a result without consequences, has changed nothing that others have to know. */
export type Outcome<Result> =
  | BareReason<Result>
  | (Result & { [Name in keyof Consequences]?: never })
  | (Extract<Result, { ok: true }> & Consequences);

export const NOT_FOUND = { ok: false, reason: "not-found" } as const;

interface Found<Facts> {
  /** What this form has recorded before about this subject. */
  earlier: Details[];
  facts: Facts;
}

/** A change of a game: `run` decides and writes under the game's lock, after that of the organiser's
 * account. The audit entries, the update of open pages, the promotion of who waits and the notices
 * follow from what it returns. */
export async function changeGame<Result extends { ok: boolean }, Facts = undefined>(
  db: Db,
  change: Change & {
    gameId: string;
    subject?: string;
    /** Read in the same message as the game, under its lock. */
    facts?: RawBuilder<Facts & {}>;
  },
  run: (tx: Tx, game: LockedGame, found: Found<Facts>) => Promise<Outcome<Result>>,
): Promise<Result | typeof NOT_FOUND> {
  const { gameId, subject = gameId, actorId, action, formKey, facts } = change;
  if (!isId(gameId)) return NOT_FOUND;
  return db.transaction().execute(async (tx) => {
    if (actorId) await lockActor(tx, actorId);
    const locked = lockedGame(tx, gameId);
    const [[game], [read]] = facts
      ? await sendTogether(tx, locked, facts)
      : [await locked.execute(), []];
    if (!game) return NOT_FOUND;
    const earlier = action ? await listAuditEntriesOfForm(tx, { action, subject, formKey }) : [];
    const outcome = await run(tx, game, { earlier, facts: read as Facts });
    return follow<Result>(tx, { ...change, subject, published: gameId }, outcome);
  });
}

async function follow<Result extends { ok: boolean }>(
  tx: Tx,
  change: Change & { subject: string; published: string },
  outcome: unknown,
): Promise<Result> {
  if (typeof outcome === "string") return { ok: false, reason: outcome } as unknown as Result;
  const { jobs, actorId: actor, action, subject, formKey, published } = change;
  const { event = [], promote = [], notices = [], ...result } = outcome as Result & Consequences;
  const entries = [event].flat().map(({ details, ...rest }) => {
    return { actor: actor!, action: action!, subject, ...rest, details: { formKey, ...details } };
  });
  await recordAudits(tx, entries);
  if (entries.length > 0) await publishGameUpdate(tx, published);
  if (promote.length > 0) await queuePromotions(tx, jobs!, promote);
  if (notices.length > 0) await queueNotices(tx, jobs!, notices);
  return result as unknown as Result;
}

/** Also of what is no column of the game: those who watch it load their pages again. */
async function publishGameUpdate(tx: Tx, gameId: string): Promise<void> {
  await sql`select pg_notify('live_games', ${gameId}::uuid::text)`.execute(tx);
}
