import { lockAccount } from "#app/features/accounts/accounts.server.ts";
import { changeGame, changeGames, NOT_FOUND } from "#app/features/games/change-game.server.ts";
import type { LockedGame } from "#app/features/games/games.server.ts";
import { lockGames } from "#app/features/games/locked-games.server.ts";
import { confirmationKey } from "#app/features/games/warnings.server.ts";
import { pendingDecision } from "#app/features/games/minimum-rules.ts";
import { priceCents } from "#app/features/games/rules.ts";
import { gameFacts, priceFact } from "#app/features/games/shown-game.ts";
import { freeSpots } from "#app/features/seats/after-join.server.ts";
import { NotTaken } from "#app/features/seats/take-seat.server.ts";
import { lapseHolds } from "#app/features/seats/hold-ends.server.ts";
import { saleText } from "#app/features/seats/rules.ts";
import { lockLiveAccount } from "#app/features/wallet/ledger.server.ts";
import {
  closePaymentHolds,
  countUnpaid,
  findHeldGameId,
  insertPaymentHold,
  listOpenGameIds,
  listSessionsUnderWay,
  renewPaymentHold,
} from "#app/features/wallet/payment-holds.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import {
  askOfOtherGames,
  expectSpot,
  findObstacle,
  type Join,
  type JoinResult,
  type PlayerFacts,
  playerFacts,
} from "./join-game.server.ts";

export const PAYING_MINUTES = 15;
/** Spots of a game that a player left unpaid; after so many none is held. */
export const UNPAID_MAX = 2;

type HoldResult = { ok: true } | Extract<JoinResult, { ok: false }>;

/** A join by the credits of a pack. */
type PaidJoin = Join & { packId?: string | undefined };

/** Holds a spot for a player who goes to pay for the game, and agrees to be booked by the credits.
 * Fails as the join would; a free game needs none. The hold before, of whatever game, ends. */
export async function holdWhilePaying(db: Db, jobs: Jobs, join: PaidJoin): Promise<HoldResult> {
  const { gameId, playerId } = join;
  if (!isId(gameId)) return NOT_FOUND;
  // The account first: nobody else makes another hold of this player meanwhile.
  const lock = async (tx: Tx) => {
    await lockAccount(tx, { userId: playerId });
    return lockGames(tx, [gameId, (await findHeldGameId(tx, playerId)) ?? gameId]);
  };
  const held = changeGames<HoldResult>(db, { jobs }, lock, async (tx, games) => {
    const game = games.find(({ id }) => id === gameId);
    if (!game) return "not-found";
    if (!(await lockLiveAccount(tx, playerId))) return "account-gone";
    const player = (await playerFacts(join).execute(tx)).rows[0]!;
    const obstacle = await findObstacle(tx, game, player, join);
    if (obstacle) return obstacle;
    if (priceCents(game, player) === 0) return { ok: true };
    const question = askOfOtherGames(player, join);
    if (question) return question;
    return { ok: true, promote: await hold(tx, game, player, join) };
  });
  return held.catch((error) => {
    if (error instanceof NotTaken) return error.result;
    throw error;
  });
}

/** Returns the games that may have a free spot now. */
async function hold(tx: Tx, game: LockedGame, player: PlayerFacts, join: PaidJoin) {
  const { gameId, playerId: userId, packId = null, now } = join;
  const intention = { shown: factsNow(game, player), friendToken: join.holdToken ?? null, packId };
  if (player.paying?.holdsSpot) {
    await renewPaymentHold(tx, { id: player.paying.id, ...intention });
    return [];
  }
  const { promote } = await closePaymentHolds(tx, { userId, onlyUnbound: true, now });
  const lapsed = player.holdsOver > 0 ? await lapseHolds(tx, join) : 0;
  const expiresAt = heldUntil(game, player, now);
  const isHeldAlready = player.wait?.isOffered || player.hold !== null;
  const holdsSpot = !isHeldAlready && expiresAt > now && (await countUnpaid(tx, join)) < UNPAID_MAX;
  const givenBack = promote.filter((id) => id === gameId).length;
  if (holdsSpot) expectSpot(freeSpots(game) + lapsed + givenBack);
  await insertPaymentHold(tx, { gameId, userId, holdsSpot, expiresAt, now, ...intention });
  return lapsed > 0 ? [...promote, gameId] : promote;
}

/** All that a join's page says, so that late money books only what was agreed to. */
const factsNow = (game: LockedGame, player: PlayerFacts) => ({
  ...gameFacts(game),
  price: priceFact(priceCents(game, player)).price![0],
  cancellation: saleText(),
});

/** The end of an offer or of a friend's hold, where that keeps the spot. */
function heldUntil(game: LockedGame, { wait, hold }: PlayerFacts, now: Date): Date {
  const ends = [game.startsAt, pendingDecision(game), hold?.until];
  if (wait?.isOffered) ends.push(wait.until);
  const latest = ends.flatMap((end) => (end ? new Date(end).getTime() : []));
  return new Date(Math.min(now.getTime() + PAYING_MINUTES * 60_000, ...latest));
}

/** `isUnderWay`: a payment for it goes on, and becomes credits. */
type StopResult =
  | { ok: true; isUnderWay?: boolean }
  | { ok: false; reason: "not-found" | "not-paying" }
  | { ok: false; reason: "pays-already"; key: string };

/** `confirmed`: the key of the payments on their way that the player was asked about. */
type Stopping = { gameId: string; playerId: string; confirmed?: string | undefined; now: Date };

/** The player no longer pays for this game. */
export function stopPaying(
  db: Db,
  jobs: Jobs,
  { gameId, playerId, confirmed, now }: Stopping,
): Promise<StopResult> {
  return changeGame<StopResult>(db, { gameId, jobs }, async (tx) => {
    // A payment that is being reported meanwhile locks it too.
    if (!(await lockLiveAccount(tx, playerId))) return "not-paying";
    const sessions = await listSessionsUnderWay(tx, { gameId, playerId });
    const key = confirmationKey(sessions);
    if (sessions.length > 0 && confirmed !== key) return { ok: false, reason: "pays-already", key };
    const closed = await closePaymentHolds(tx, { userId: playerId, gameId, now });
    const { hasClosed, ...rest } = closed;
    return hasClosed ? { ok: true, ...rest } : "not-paying";
  });
}

/** The player goes to pay for no game: credits alone are to book none. */
export async function payForNoGame(
  db: Db,
  jobs: Jobs,
  { playerId, now }: { playerId: string; now: Date },
): Promise<void> {
  for (const gameId of await listOpenGameIds(db, playerId)) {
    await changeGame<StopResult>(db, { gameId, jobs }, async (tx) => {
      await lockLiveAccount(tx, playerId);
      const closing = { userId: playerId, gameId, onlyUnbound: true, now };
      return { ok: true, promote: (await closePaymentHolds(tx, closing)).promote };
    });
  }
}
