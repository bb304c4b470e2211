import { isHoldToken } from "#app/features/friends/rules.ts";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import type { Facts } from "#app/platform/as-shown.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { HoldStatus } from "#app/platform/schema.ts";
import { confirmationKey } from "#app/features/games/warnings.server.ts";
import type { LockedGame } from "#app/features/games/games.server.ts";
import {
  countHoldsOver,
  HELD_UNTIL,
  IS_LIVE,
  isPaymentHoldOver,
} from "#app/features/games/held-spots.server.ts";
import { hasStarted, priceCents } from "#app/features/games/rules.ts";
import { gameChange, priceFact } from "#app/features/games/shown-game.ts";
import type { LockedWallet, Wallet } from "#app/features/wallet/ledger.server.ts";
import { bookPaymentHolds } from "#app/features/wallet/payment-holds.server.ts";
import {
  afterJoin,
  freeSpots,
  type LateSpot,
  lockedWalletsOfJoin,
  oldestLateSpot,
  type OwnWait,
  pendingRefund,
  releaseHeldSpot,
} from "#app/features/seats/after-join.server.ts";
import { takeHold } from "#app/features/friends/holds.server.ts";
import {
  belongsToWaitlist,
  type OverlappingGame,
  overlappingGames,
} from "#app/features/waitlist/order.server.ts";
import { saleFact } from "#app/features/seats/rules.ts";
import { NotTaken, takeSeat, takingSeat } from "#app/features/seats/take-seat.server.ts";
import { freeSessionIsUsed } from "#app/features/seats/free-session.server.ts";
import { holdStatus, lapseHolds } from "#app/features/seats/hold-ends.server.ts";
import { changeGame, type Outcome } from "#app/features/games/change-game.server.ts";

export type JoinError =
  | "not-found"
  | "suspended"
  | "not-published"
  | "already-joined"
  | "started"
  | "no-offer"
  | "hold-taken"
  | "hold-over"
  | "full"
  | "belongs-to-waitlist"
  | "form-used"
  | "form-of-other"
  | "changed"
  | "plays-meanwhile"
  | "not-enough-credits"
  | "account-gone";

export type JoinResult =
  | { ok: true; bookingId: string; priceCents: number }
  | {
      ok: false;
      reason: JoinError;
      /** What is true now, where it is not what was shown. */
      newFacts?: string;
      priceCents?: number;
      wallet?: Wallet;
      /** What is asked about, and the key that says yes to just that. */
      otherGames?: OverlappingGame[];
      key?: string;
    };

export interface Join {
  gameId: string;
  playerId: string;
  now: Date;
  shown?: Facts;
  /** Becomes the booking's id: a form that is sent twice gets the first result again. */
  formKey?: string | undefined;
  takesOffer?: boolean;
  holdToken?: string | undefined;
  asksOfOtherGame?: boolean;
  /** The key of the question that was answered with yes. */
  confirmed?: string | undefined;
}

/** Under the game's lock. Errors are checked in the order of JoinError and write nothing. */
export function joinGame(db: Db, jobs: Jobs, join: Join): Promise<JoinResult> {
  const { gameId, playerId } = join;
  const locks = (tx: Tx) => lockedWalletsOfJoin(tx, gameId, playerId);
  const joined = changeGame<JoinResult, PlayerFacts | undefined, LockedWallet>(
    db,
    { gameId, jobs, locks, facts: playerFacts(join) },
    async (tx, game, { locked, facts: player }) => {
      if (!player) return "not-found";
      const { joinedForCents } = player;
      if (joinedForCents !== null) {
        return { ok: true, bookingId: join.formKey!, priceCents: joinedForCents };
      }
      const obstacle = await findObstacle(tx, game, player, join);
      if (obstacle) return obstacle;
      const formKey = join.formKey ?? randomUUID();
      const price = priceCents(game, player);
      const wallet = locked.find(({ userId }) => userId === playerId);
      if (!wallet) return "account-gone";
      return take(tx, jobs, { ...join, formKey }, { ...player, game, price, wallet });
    },
  );
  return joined.catch((error) => {
    if (error instanceof NotTaken) return error.result;
    if (isKeyTaken(error)) return { ok: false, reason: "form-of-other" };
    throw error;
  });
}

/** Whatever stands against a join, but for the wallet and other games at that hour. */
export async function findObstacle(tx: Tx, game: LockedGame, player: PlayerFacts, join: Join) {
  const reason = joinError(game, player, join) ?? (await waitlistError(tx, game, player, join));
  if (reason) return reason;
  const more = { ...priceFact(priceCents(game, player)), ...saleFact() };
  return gameChange(join.shown, game, join.now, more);
}

type TakeFacts = Omit<PlayerFacts, "isIn" | "isSuspended" | "formUsed"> & {
  game: LockedGame;
  price: number;
  wallet: LockedWallet;
};

async function take(
  tx: Tx,
  jobs: Jobs,
  join: Join & { formKey: string },
  player: TakeFacts,
): Promise<Outcome<JoinResult>> {
  const { game, price, wallet, wait, hold, paying, holdsOver, lateSpot, hasBooked } = player;
  const { now, formKey: bookingId } = join;
  const question = askOfOtherGames(player, join);
  if (question) return { ...question, priceCents: price };
  // A debt blocks free games as well, which debit no wallet.
  if (wallet.debtCents > 0)
    return { ok: false, reason: "not-enough-credits", priceCents: price, wallet };
  if (wait) await releaseHeldSpot(tx, wait);
  const lapsed = holdsOver > 0 ? await lapseHolds(tx, join) : 0;
  if (!hasOwnSpot(player)) expectSpot(freeSpots(game) + lapsed);
  if (hold) await takeHold(tx, { id: hold.id, bookingId, now });
  if (paying) await bookPaymentHolds(tx, { gameId: game.id, userId: join.playerId, now });
  const due = pendingRefund(game, lateSpot, now);
  // Several may have been held for this player.
  const isSpotFree = holdsOver > 0 || [wait, hold, paying].filter(Boolean).length > 1;
  const promote = isSpotFree ? [game.id] : [];
  if (price > 0 && hasBooked && !wait && !due) {
    const taking = await takingSeat(tx, jobs, join, { price, wallet });
    if (!taking.ok) throw new NotTaken(taking);
    const { statements: last, ...taken } = taking;
    return { ...taken, promote, last };
  }
  const taken = await takeSeat(tx, jobs, join, { price, wallet });
  if (!taken.ok) throw new NotTaken(taken);
  const notices = await afterJoin(tx, { ...taken, wait, due, hasBooked, now });
  return { ...taken, promote, notices };
}

const hasOwnSpot = ({ wait, hold, paying }: Pick<PlayerFacts, "wait" | "hold" | "paying">) =>
  wait?.isOffered === true || hold !== null || paying?.holdsSpot === true;

/** Throws where money has come for a spot that was over when it was counted: it is held on. */
export function expectSpot(spots: number): void {
  if (spots === 0) throw new NotTaken({ ok: false, reason: "full" });
}

export function askOfOtherGames(player: Pick<PlayerFacts, "otherGames">, { confirmed }: Join) {
  const otherGames = player.otherGames ?? [];
  const key = confirmationKey(otherGames);
  if (otherGames.length === 0 || confirmed === key) return null;
  return { ok: false, reason: "plays-meanwhile", otherGames, key } as const;
}

/** The form was sent to several games at once: no lock of this game's holds the others back. */
const isKeyTaken = (error: unknown) =>
  error instanceof pg.DatabaseError &&
  /^(bookings_pkey|wallet_transactions_business_key_key)$/.test(error.constraint ?? "");

export interface PlayerFacts {
  isIn: boolean;
  hasUsedFreeSession: boolean;
  isSuspended: boolean;
  /** Null where this form has not booked this seat. */
  joinedForCents: number | null;
  /** By a seat of this player's in this game, or by any other. */
  formUsed: "here" | "elsewhere" | null;
  hasWaitlist: boolean;
  wait: (OwnWait & { isOffered: boolean; until: string | null }) | null;
  hold: { id: string; status: HoldStatus; until: string } | null;
  /** Went to pay for this game; `holdsSpot` while one is held for that. */
  paying: { id: string; holdsSpot: boolean } | null;
  holdsOver: number;
  lateSpot: LateSpot | null;
  hasBooked: boolean;
  /** Null as well where the form does not ask. Read after the wallet's lock, since a promotion to
   * another game waits for it. */
  otherGames: OverlappingGame[] | null;
}

export function playerFacts(join: Join) {
  const { gameId, playerId, formKey, holdToken, now } = join;
  return sql<PlayerFacts>`
    select exists (select from bookings where game_id = ${gameId} and user_id = ${playerId}
        and ${IS_LIVE}) as "isIn",
      (select ${inCents("price_eur")} from bookings where id = ${formKey ?? null}
        and game_id = ${gameId} and user_id = ${playerId} and payment_status = 'Paid')
        as "joinedForCents",
      (select case when game_id = ${gameId} and user_id = ${playerId} then 'here' else 'elsewhere' end
        from bookings where id = ${formKey ?? null}) as "formUsed",
      exists (select from waitlist_entries where game_id = ${gameId} and status = 'Waiting')
        as "hasWaitlist",
      (select json_build_object('id', id, 'isOffered',
          status = 'Offered' and offer_expires_at > ${now}, 'until', offer_expires_at)
        from waitlist_entries where game_id = ${gameId} and user_id = ${playerId}
          and status in ('Waiting', 'Offered')) as "wait",
      (select json_build_object('id', hold.id, 'status', ${holdStatus(now)}, 'until', ${HELD_UNTIL})
        from friend_holds hold
        join games on games.id = hold.game_id join users on users.id = hold.user_id
        where hold.game_id = ${gameId} and token = ${isHoldToken(holdToken) ? holdToken : null}) as "hold",
      (select json_build_object('id', hold.id, 'holdsSpot',
          hold.status = 'Held' and holds_spot and not ${isPaymentHoldOver(now)})
        from payment_holds hold
        join games on games.id = hold.game_id join users on users.id = hold.user_id
        where hold.game_id = ${gameId} and hold.user_id = ${playerId}
          and hold.status in ('Held', 'Lapsed')
        order by hold.status, hold.created_at desc limit 1) as "paying",
      ${countHoldsOver(gameId, now)} as "holdsOver",
      ${oldestLateSpot(gameId)} as "lateSpot",
      exists (select from bookings where user_id = ${playerId}) as "hasBooked",
      ${join.asksOfOtherGame ? overlappingGames(gameId, playerId) : null} as "otherGames",
      ${freeSessionIsUsed(playerId)} as "hasUsedFreeSession",
      exists (select from users where id = ${playerId} and suspended_at is not null) as "isSuspended"
    from profiles where user_id = ${playerId}`;
}

function joinError(
  game: LockedGame,
  player: Omit<PlayerFacts, "joinedForCents" | "hasUsedFreeSession">,
  { now, takesOffer, holdToken }: Join,
): JoinError | null {
  if (player.isSuspended) return "suspended";
  if (game.status !== "Published") return "not-published";
  if (player.isIn) return "already-joined";
  if (hasStarted(game, now)) return "started";
  const hasOffer = player.wait?.isOffered === true;
  if (takesOffer && !hasOffer) return "no-offer";
  if (holdToken && player.hold?.status === "Taken") return "hold-taken";
  if (holdToken && player.hold?.status !== "Held") return "hold-over";
  const spots = freeSpots(game) + player.holdsOver;
  if (!hasOwnSpot(player) && spots === 0) return "full";
  // The form booked a seat that was given up since: a late repeat must not book it again.
  if (player.formUsed === "here") return "form-used";
  return player.formUsed ? "form-of-other" : null;
}

async function waitlistError(
  tx: Tx,
  game: LockedGame,
  player: PlayerFacts,
  { playerId, now }: Join,
): Promise<JoinError | null> {
  if (!player.hasWaitlist || hasOwnSpot(player)) return null;
  return (await belongsToWaitlist(tx, game, playerId, now)) ? "belongs-to-waitlist" : null;
}
