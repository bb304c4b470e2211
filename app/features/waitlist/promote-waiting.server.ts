import { sql } from "kysely";
import { lockGame, type LockedGame } from "#app/features/games/games.server.ts";
import { queueNotices } from "#app/features/games/after-change.server.ts";
import { pendingDecision } from "#app/features/games/minimum-rules.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import { enqueuePushes } from "#app/features/notifications/notify.server.ts";
import { quietSeconds } from "#app/features/notifications/rules.ts";
import { lockWallets } from "#app/features/wallet/ledger.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { runForEach } from "#app/platform/scheduler.server.ts";
import type { JobHandlers, Jobs } from "#app/platform/jobs.server.ts";
import {
  afterJoin,
  freeSpots,
  freeSpotsNow,
  lockWalletsOfJoin,
} from "#app/features/seats/after-join.server.ts";
import { lapseHolds, listGamesWithHoldsOver } from "#app/features/seats/hold-ends.server.ts";
import {
  askForConsentAgain,
  endWaitlist,
  HAS_MOVED,
  IS_SUSPENDED,
  lapseByTime,
} from "./entries.server.ts";
import { COSTS_MORE, isDecisionDue, listWaiting, type Waiting } from "./order.server.ts";
import { freeCancelUntil, isNotified, offerExpiresAt } from "./rules.ts";
import { takeSeat } from "#app/features/seats/take-seat.server.ts";

interface Promotion {
  gameId: string;
  now: Date;
}

/** Gives each free spot to the first who is eligible; a repeat does nothing more. How many got a
 * spot or an offer. */
export async function promoteWaiting(db: Db, jobs: Jobs, promotion: Promotion): Promise<number> {
  const tried = new Set<string>();
  let given = 0;
  // A transaction for each spot: wallets are locked by user id, and which the next spot needs is
  // only known after this one. Meanwhile the spots belong to those who wait.
  for (;;) {
    const result = await db.transaction().execute((tx) => giveSpot(tx, jobs, promotion, tried));
    if (result === "nothing") return given;
    if (result === "given") given += 1;
  }
}

type Given = "given" | "not-given" | "lapsed" | "nothing";

async function giveSpot(
  tx: Tx,
  jobs: Jobs,
  { gameId, now }: Promotion,
  tried: Set<string>,
): Promise<Given> {
  const before = await lockGame(tx, gameId);
  if (!before) return "nothing";
  // By itself: money locks its player's wallet, then the hold, and a spot needs a wallet as well.
  if (before.heldCount > 0 && (await lapseHolds(tx, { gameId, now })) > 0) return "lapsed";
  if (before.status !== "Published" || hasStarted(before, now)) {
    const isPlayed = before.status === "Published" || before.status === "Completed";
    const reason = isPlayed ? "GameStarted" : "GameCancelled";
    await endWaitlist(tx, jobs, { gameId, reason, now });
    return "nothing";
  }
  await askForConsentAgain(tx, jobs, gameId, HAS_MOVED);
  await lapseByTime(tx, jobs, { gameId, areOffersOver: isDecisionDue(before, now), now });
  // Also of those whose offer is over.
  await askForConsentAgain(tx, jobs, gameId, COSTS_MORE);
  // Again, with the spots that were held for offers that are over.
  const game = (await lockGame(tx, gameId))!;
  if (freeSpots(game) === 0) return "nothing";
  const waiting = await listWaiting(tx, game, { now });
  const next = waiting.findIndex(({ id, obstacle }) => !obstacle && !tried.has(id));
  const passedOver = next < 0 ? waiting : waiting.slice(0, next);
  for (const entry of passedOver) await notifySkipped(tx, jobs, entry, now);
  const first = waiting[next];
  if (!first) return "nothing";
  tried.add(first.id);
  const give = first.mode === "ask" ? offer : book;
  return (await give(tx, jobs, game, first, now)) ? "given" : "not-given";
}

/** Whether a spot is free, and somebody on the list can have it; under the game's lock. */
export async function hasSpotForWaiting(tx: Tx, game: LockedGame, now: Date): Promise<boolean> {
  if ((await freeSpotsNow(tx, game, now)) === 0) return false;
  return (await listWaiting(tx, game, { now })).some(({ obstacle }) => !obstacle);
}

/** Once for each reason, as long as it lasts. */
async function notifySkipped(tx: Tx, jobs: Jobs, entry: Waiting, now: Date) {
  const { id, obstacle, passedOver } = entry;
  if (!obstacle || !isNotified(obstacle) || obstacle === passedOver) return;
  await tx
    .updateTable("waitlist_entries")
    .set({ passed_over: obstacle })
    .where("id", "=", id)
    .execute();
  await jobs.enqueueEmails(tx, "passed-over", [
    {
      entryId: id,
      reason: obstacle,
      toldAt: now.toISOString(),
    },
  ]);
}

async function offer(tx: Tx, jobs: Jobs, game: LockedGame, waiting: Waiting, now: Date) {
  await lockWallets(tx, [waiting.userId]);
  // Under the wallet's lock: another game may hold a spot for the same player meanwhile.
  const [again] = await listWaiting(tx, game, { now, userId: waiting.userId });
  if (!again || again.obstacle) return false;
  const { startsAt } = game;
  const { notAfter } = again;
  const expiresAt = offerExpiresAt({ startsAt, notAfter, decidesAt: pendingDecision(game) }, now);
  await tx
    .updateTable("waitlist_entries")
    .set({ status: "Offered", offered_at: now, offer_expires_at: expiresAt, passed_over: null })
    .where("id", "=", waiting.id)
    .execute();
  const offered = { entryId: waiting.id, expiresAt: expiresAt.toISOString() };
  await jobs.enqueueEmails(tx, "spot-offered", [offered]);
  const notice = { userId: waiting.userId, subjectId: waiting.id, version: offered.expiresAt };
  await enqueuePushes(tx, jobs, "spot-offered", [notice], quiet(game, now));
  return true;
}

async function book(tx: Tx, jobs: Jobs, game: LockedGame, waiting: Waiting, now: Date) {
  const { id, userId: playerId } = waiting;
  const { wallet, due } = await lockWalletsOfJoin(tx, game, { playerId, now });
  // Under the wallet's lock: another game may have taken the credits, or the hour, meanwhile.
  const [again] = await listWaiting(tx, game, { now, userId: playerId });
  if (!wallet || !again || again.obstacle) return false;
  const grace = freeCancelUntil(game.startsAt, now);
  const seat = {
    price: again.priceCents,
    wallet,
    freeCancelUntil: grace,
    mail: "waitlist-booked",
  } as const;
  const taken = await takeSeat(tx, jobs, { gameId: game.id, now }, seat);
  if (!taken.ok) return false;
  const { bookingId } = taken;
  const mails = await afterJoin(tx, { bookingId, wait: { id }, due, now });
  await queueNotices(tx, jobs, mails);
  const notice = { userId: playerId, subjectId: bookingId, version: "promoted" };
  await enqueuePushes(tx, jobs, "waitlist-booked", [notice], quiet(game, now));
  return true;
}

const quiet = (game: LockedGame, now: Date) => ({ delaySeconds: quietSeconds(now, [game]) });

/** Games whose list has something to do, also after an edit by SQL, a crash or new credits. */
export async function sweepWaitlists(db: Db, jobs: Jobs, now: Date): Promise<void> {
  // Row by row, from those who wait: a join would read all games that ever were.
  const { rows } = await sql<{ gameId: string }>`
    select distinct game_id as "gameId"
    from waitlist_entries entry
    cross join lateral (select * from games where games.id = entry.game_id limit 1) games
    where entry.status in ('Waiting', 'Offered') and (
      games.status <> 'Published' or games.starts_at <= ${now}
      or seats_taken + spots_held < max_players
      or not_after <= ${now} or offer_expires_at <= ${now}
      or (entry.status = 'Offered' and ${IS_SUSPENDED})
      or ${HAS_MOVED} or ${COSTS_MORE})`.execute(db);
  await promoteEach(db, jobs, { gameIds: rows.map(({ gameId }) => gameId), now });
}

/** Spots no longer held for friends go to those who wait, or to anybody. */
export async function sweepHolds(db: Db, jobs: Jobs, now: Date): Promise<void> {
  await promoteEach(db, jobs, { gameIds: await listGamesWithHoldsOver(db, now), now });
}

async function promoteEach(
  db: Db,
  jobs: Jobs,
  { gameIds, now }: { gameIds: string[]; now: Date },
): Promise<void> {
  await runForEach({ ids: gameIds, of: "gameId", failed: "waitlist" }, (gameId) =>
    promoteWaiting(db, jobs, { gameId, now }),
  );
}

/** Not held back while no mail can be sent. */
export const promotionJobs = ({ db, jobs, now }: { db: Db; jobs: Jobs; now: () => Date }) =>
  ({
    async "waitlist.promote"({ gameId }) {
      await promoteWaiting(db, jobs, { gameId, now: now() });
    },
  }) satisfies Partial<JobHandlers>;
