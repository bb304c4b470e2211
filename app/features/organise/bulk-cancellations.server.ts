import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { changeGame, changeGames } from "#app/features/games/change-game.server.ts";
import { closeGames, lockGames } from "#app/features/games/locked-games.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import { type Db, insertRows, type Tx } from "#app/platform/db.server.ts";
import { LoggedError, runForEach } from "#app/platform/scheduler.server.ts";
import type { JobHandlers, Jobs } from "#app/platform/jobs.server.ts";
import { log } from "#app/platform/log.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import type { SkippedGame } from "#app/platform/schema.ts";
import { endCancelledGame } from "./cancel-game.server.ts";
import { cancelKey, type GameToCancel, readGames } from "./cancel-games.server.ts";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "games.refund": { cancellationId: string };
  }
}

interface Cancellation {
  /** Games that were shown, each with its `cancelKey` at that time. */
  shown: Map<string, string>;
  /** The game of the page, which may have begun. */
  named?: string | undefined;
  actor: string;
  message: string | null;
  formKey: string | undefined;
  now: Date;
}

type Counts = { games: number } & Record<SkippedGame, number>;

/** A usual form is done when the next page appears; of more games only what fits into the time. */
const FEW_GAMES = 5;
const REQUEST_MS = 1_000;
const JOB_AFTER_SECONDS = 2;

/** Closes these games together, at once; those that are not as shown stay. Their refunds follow in a
 * transaction each, the first of them here. The same form again gets the same cancellation. */
export async function cancelGames(db: Db, jobs: Jobs, form: Cancellation) {
  const until = performance.now() + REQUEST_MS;
  const accepted = await acceptCancellation(db, jobs, form);
  const { id, games } = accepted;
  if (games === 0) return { ...accepted, players: 0, isFinished: true };
  const isOver = () => games > FEW_GAMES && performance.now() > until;
  try {
    await refundCancelled(db, jobs, { cancellationId: id, now: form.now, isOver });
    const isFinished = (await listUnfinished(db, id)).length === 0;
    return { ...accepted, players: await countCalledOff(db, id), isFinished };
  } catch (error) {
    // The games are closed whatever happens to their refunds now: the job tries again.
    if (!(error instanceof LoggedError)) log.error({ err: error }, "refunds of cancelled games");
    return { ...accepted, players: 0, isFinished: false };
  }
}

type Accepted = { ok: true; id: string } & Counts;

/** Closes the games and stores the decision; any process may do the refunds later. */
export function acceptCancellation(
  db: Db,
  jobs: Jobs,
  { formKey = randomUUID(), ...cancellation }: Cancellation,
): Promise<Accepted> {
  const form = { ...cancellation, cancellationId: formKey };
  const change = { actorId: form.actor, action: "game.cancel" } as const;
  const lock = (tx: Tx) => lockGames(tx, [...form.shown.keys()]);
  return changeGames<Accepted>(db, change, lock, async (tx, games) => {
    // Read after the lock, to see what the same form has done meanwhile.
    const before = await listStored(tx, formKey);
    const isRepeat = games.every(({ id }) => before.some(({ gameId }) => gameId === id));
    if (isRepeat && games.length > 0) return { ok: true, id: formKey, ...countEach(before) };
    const decided = await decideEach(tx, games, form);
    const closed = decided.flatMap(({ game, skipped }) => (game && !skipped ? [game] : []));
    const counts = countEach(decided);
    if (closed.length === 0) {
      return { ok: true, id: before.length > 0 ? randomUUID() : formKey, ...counts };
    }
    const id = await store(tx, decided, form);
    const job = { cancellationId: id };
    await jobs.enqueue(tx, "games.refund", job, { delaySeconds: JOB_AFTER_SECONDS });
    await closeGames(tx, closed);
    const event = closed.map(({ id: subject, status, players: bookingsCalledOff }) => {
      const after = { status: "Cancelled", bookingsCalledOff };
      return { subject, details: { before: { status }, after, formKey: id } };
    });
    return { ok: true, id, ...counts, event };
  });
}

type Form = Omit<Cancellation, "formKey"> & { cancellationId: string };

interface DecidedGame {
  gameId: string;
  skipped: SkippedGame | null;
  game: GameToCancel | undefined;
}

/** In the order in which they were shown; unknown ones are left out. */
async function decideEach(tx: Tx, locked: LockedGames, form: Form): Promise<DecidedGame[]> {
  const ids = [...form.shown.keys()];
  const open = new Map((await readGames(tx, ids)).map((game) => [game.id, game]));
  return ids.flatMap((gameId) => {
    const row = locked.find(({ id }) => id === gameId);
    const game = open.get(gameId);
    return row ? [{ gameId, game, skipped: whySkipped(game, row, form) }] : [];
  });
}

type LockedGames = Awaited<ReturnType<typeof lockGames>>;

/** Returns its id: another than the form's where that was sent with other games at the same moment. */
async function store(tx: Tx, decided: DecidedGame[], form: Form): Promise<string> {
  const { actor, message, now } = form;
  const row = { cancelled_by: actor, message, created_at: now };
  const insert = (id: string) =>
    tx
      .insertInto("bulk_cancellations")
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
  const { id } = (await insert(form.cancellationId)) ?? (await insert(randomUUID()))!;
  const rows = decided.map(({ gameId: game_id, skipped }) => {
    return { cancellation_id: id, game_id, skipped, finished_at: skipped && now };
  });
  await insertRows(tx, "bulk_cancellation_games", rows).execute();
  return id;
}

function whySkipped(
  game: GameToCancel | undefined,
  locked: LockedGames[number],
  { shown, named, now }: Form,
): SkippedGame | null {
  if (!game) return "closed";
  if (game.isPlayed) return "played";
  if (locked.id !== named && hasStarted(locked, now)) return "closed";
  return shown.get(locked.id) === cancelKey(game) ? null : "changed";
}

function listStored(db: Db, cancellationId: string) {
  return db
    .selectFrom("bulk_cancellation_games")
    .select(["game_id as gameId", "skipped"])
    .where("cancellation_id", "=", cancellationId)
    .execute();
}

function countEach(games: { skipped: SkippedGame | null }[]): Counts {
  const of = (reason: SkippedGame | null) =>
    games.filter(({ skipped }) => skipped === reason).length;
  return { games: of(null), changed: of("changed"), closed: of("closed"), played: of("played") };
}

/** People, who may have been in several of the games. */
async function countCalledOff(db: Db, cancellationId: string): Promise<number> {
  const { players } = await db
    .selectFrom("bulk_cancellation_games as game")
    .innerJoin("bookings", "bookings.game_id", "game.game_id")
    .where("cancellation_id", "=", cancellationId)
    .where("skipped", "is", null)
    .where("end_reason", "=", "GameCancelled")
    .select(sql<number>`count(distinct user_id)::integer`.as("players"))
    .executeTakeFirstOrThrow();
  return players;
}

export function cancellationJobs(tools: { db: Db; jobs: Jobs; now: () => Date }) {
  const { db, jobs, now } = tools;
  return {
    "games.refund": ({ cancellationId }) =>
      refundCancelled(db, jobs, { cancellationId, now: now() }),
  } satisfies Partial<JobHandlers>;
}

/** Continues what a crash or a failure has left. */
export async function refundUnfinished(db: Db, jobs: Jobs, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct cancellation_id as id from bulk_cancellation_games
    where finished_at is null`.execute(db);
  const ids = rows.map(({ id }) => id);
  await runForEach({ ids, of: "cancellationId", failed: "refunds of a cancellation" }, (id) =>
    refundCancelled(db, jobs, { cancellationId: id, now }),
  );
}

interface Refunding {
  cancellationId: string;
  isOver?: () => boolean;
  now: Date;
}

/** Game by game, each in one transaction; several processes may do it at once. Throws LoggedError. */
export async function refundCancelled(
  db: Db,
  jobs: Jobs,
  { cancellationId, isOver = () => false, now }: Refunding,
): Promise<void> {
  const cancellation = await db
    .selectFrom("bulk_cancellations")
    .select(["id as formKey", "cancelled_by as actorId", "message"])
    .where("id", "=", cancellationId)
    .executeTakeFirst();
  const ids = await listUnfinished(db, cancellationId);
  if (!cancellation) return;
  await runForEach({ ids, of: "gameId", failed: "refunds of a cancelled game" }, async (gameId) => {
    if (!isOver()) await refundGame(db, jobs, { ...cancellation, gameId, now });
  });
}

/** Sorted by kick-off: players of the next game are notified first. */
async function listUnfinished(db: Db, cancellationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("bulk_cancellation_games as game")
    .innerJoin("games", "games.id", "game.game_id")
    .select("games.id")
    .where("cancellation_id", "=", cancellationId)
    .where("finished_at", "is", null)
    .orderBy("games.starts_at")
    .orderBy("games.id")
    .execute();
  return rows.map(({ id }) => id);
}

type RefundResult = { ok: true } | { ok: false; reason: "not-found" | "finished" };
type GameToRefund = Parameters<typeof endCancelledGame>[3] & { formKey: string };

function refundGame(db: Db, jobs: Jobs, form: GameToRefund): Promise<RefundResult> {
  const { gameId, formKey, actorId, now } = form;
  return changeGame<RefundResult>(db, { gameId, actorId, jobs }, async (tx, game) => {
    // Read after the game's lock: another process may have finished.
    const unfinished = await tx
      .selectFrom("bulk_cancellation_games")
      .select("game_id")
      .where("cancellation_id", "=", formKey)
      .where("game_id", "=", gameId)
      .where("finished_at", "is", null)
      .executeTakeFirst();
    if (!unfinished) return "finished";
    const row = tx
      .updateTable("bulk_cancellation_games")
      .set("finished_at", now)
      .where("cancellation_id", "=", formKey)
      .where("game_id", "=", gameId);
    if (game.status !== "Cancelled") {
      // Published again by SQL.
      await row.set("skipped", "changed").execute();
      return { ok: true };
    }
    const { players, creditsCents, sent, notices } = await endCancelledGame(tx, jobs, game, form);
    await row.set({ players, refunded_eur: numericFromCents(creditsCents) }).execute();
    return { ok: true, event: sent, notices };
  });
}
