import { type RawBuilder, sql } from "kysely";
import { lockActor } from "#app/features/accounts/accounts.server.ts";
import type { AuditAction } from "#app/platform/audit-actions.ts";
import { listAuditEntriesOfForm, recordAudits } from "#app/platform/audit.server.ts";
import {
  type Db,
  isOneOf,
  type Statement,
  sendTogether,
  transact,
  type Tx,
} from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import {
  type EditScope,
  type GameToEdit,
  type LockedGame,
  lockedGame,
  lockGamesToEdit,
} from "./games.server.ts";
import { type QueuedNotice, queueNotices, queuePromotions } from "./after-change.server.ts";

/** Names who changes what: a player, whose own changes have no audit entry, or an organiser. */
interface GameChangeOptions extends Partial<ByOrganiser> {
  /** The game, unless it says otherwise; of several what each event says. */
  subject?: string | undefined;
  /** For a change that promotes or notifies. */
  jobs?: Jobs;
}

interface ByOrganiser {
  actorId: string;
  action: AuditAction;
  formKey?: string | undefined;
}

export type GameChange = GameChangeOptions & ByOrganiser & { gameId: string };

type Details = Record<string, unknown>;

export interface GameEvent {
  /** Action of the change, unless it was another. */
  action?: AuditAction;
  subject?: string;
  details: Details;
}

export interface Consequences {
  event?: GameEvent | GameEvent[];
  /** Games in which a spot may be free now, for those who wait. */
  promote?: string[];
  notices?: QueuedNotice[];
  /** Writes whose rows nobody reads and after which there are no others: they go with the COMMIT. */
  last?: Statement<unknown>[];
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

interface Found<Facts, Lock> {
  /** What this form has recorded before about this subject. */
  earlier: Details[];
  locked: Lock[];
  facts: Facts;
}

/** A change of a game: `run` decides and writes under the game's lock, after that of the organiser's
 * account. The audit entries, the update of open pages, the promotion of who waits and the notices
 * follow from what it returns. */
export async function changeGame<
  Result extends { ok: boolean },
  Facts = undefined,
  Lock = undefined,
>(
  db: Db,
  change: GameChangeOptions & {
    gameId: string;
    /** Locked after the game, in the same message. */
    locks?: (tx: Tx) => Statement<Lock>;
    /** Read in that message too, under all of these locks. */
    facts?: RawBuilder<Facts & {}>;
  },
  run: (tx: Tx, game: LockedGame, found: Found<Facts, Lock>) => Promise<Outcome<Result>>,
): Promise<Result | typeof NOT_FOUND> {
  const { gameId, subject = gameId, locks, facts } = change;
  if (!isId(gameId)) return NOT_FOUND;
  const lock = async (tx: Tx) => {
    const also = [locks?.(tx), facts].filter((one) => one !== undefined);
    const [[game], ...rows] = await sendTogether(tx, lockedGame(tx, gameId), ...also);
    return { game: game as LockedGame | undefined, rows };
  };
  return changeGames(db, { ...change, subject }, lock, async (tx, { game, rows }, earlier) => {
    const [read] = (facts ? rows.at(-1) : undefined) ?? [];
    const locked = (locks ? rows[0] : []) as Lock[];
    return game ? run(tx, game, { earlier, locked, facts: read as Facts }) : (NOT_FOUND as never);
  });
}

/** The same for what `lock` locks: several games by id. Each event names its game as its subject. */
export async function changeGames<Result extends { ok: boolean }, Locked = LockedGame[]>(
  db: Db,
  change: GameChangeOptions & { gameId?: string },
  lock: (tx: Tx) => Promise<Locked>,
  run: (tx: Tx, locked: Locked, earlier: Details[]) => Promise<Outcome<Result>>,
): Promise<Result> {
  const { actorId, action, subject, formKey } = change;
  return transact(db, async (tx, sendLast) => {
    if (actorId) await lockActor(tx, actorId);
    const locked = await lock(tx);
    const earlier = action ? await listAuditEntriesOfForm(tx, { action, subject, formKey }) : [];
    const outcome = await run(tx, locked, earlier);
    const result = await follow<Result>(tx, change, outcome);
    const { last = [] } = (typeof outcome === "object" ? outcome : {}) as Consequences;
    if (last.length > 0) await sendLast(last);
    return result;
  });
}

/** The same for a game and, `withFollowing`, the open ones after it in its series, by kick-off. */
export async function changeSeries<Result extends { ok: boolean }>(
  db: Db,
  { scope, ...change }: GameChangeOptions & { scope: EditScope },
  run: (
    tx: Tx,
    game: GameToEdit,
    found: { games: GameToEdit[]; earlier: Details[] },
  ) => Promise<Outcome<Result>>,
): Promise<Result | typeof NOT_FOUND> {
  if (!isId(scope.gameId)) return NOT_FOUND;
  const lock = (tx: Tx) => lockGamesToEdit(tx, scope);
  return changeGames(db, change, lock, async (tx, games, earlier) => {
    const game = games.find(({ id }) => id === scope.gameId);
    return game ? run(tx, game, { games, earlier }) : (NOT_FOUND as never);
  });
}

async function follow<Result extends { ok: boolean }>(
  tx: Tx,
  change: GameChangeOptions & { gameId?: string },
  outcome: unknown,
): Promise<Result> {
  if (typeof outcome === "string") return { ok: false, reason: outcome } as unknown as Result;
  const { jobs, actorId: actor, action, subject, formKey, gameId } = change;
  const { event = [], promote = [], notices = [], ...rest } = outcome as Result & Consequences;
  const { last: _, ...result } = rest;
  const entries = [event].flat().map(({ details, ...rest }) => {
    const ofChange = { actor: actor!, action: action!, subject: subject! };
    return { ...ofChange, ...rest, details: { formKey, ...details } };
  });
  await recordAudits(tx, entries);
  const changed = entries.flatMap((entry) => [gameId, entry.subject]);
  if (changed.length > 0) await raiseRevisions(tx, changed);
  if (promote.length > 0) await queuePromotions(tx, jobs!, promote);
  if (notices.length > 0) await queueNotices(tx, jobs!, notices);
  return result as unknown as Result;
}

/** Wakes the pages that show these games, also where no column of theirs has changed. Ids of anything
 * else are left out. */
async function raiseRevisions(tx: Tx, ids: (string | undefined)[]): Promise<void> {
  const gameIds = [...new Set(ids)].filter(isId);
  const games = tx.updateTable("games").set({ revision: sql`revision + 1` });
  await games.where(isOneOf("id", gameIds)).execute();
}
