import { gameIdAt } from "#app/features/accounts/rules.ts";
import { gamePath, holdTokenAt } from "#app/features/friends/rules.ts";
import { findHeldSpot } from "#app/features/friends/friends.server.ts";
import { listOwnEntries } from "#app/features/waitlist/entries.server.ts";
import { findGame } from "#app/features/games/games.server.ts";
import { spotsLeft, spotsText } from "#app/features/games/rules.ts";
import { dayAndTime } from "#app/platform/clock.ts";
import { saleText } from "#app/features/seats/rules.ts";
import { gameFacts } from "#app/features/games/shown-game.ts";
import {
  countUnpaid,
  findHeldGameId,
  findPaymentHold,
} from "#app/features/wallet/payment-holds.server.ts";
import { UNPAID_MAX } from "#app/features/bookings/hold-while-paying.server.ts";
import type { Intention } from "#app/features/wallet/intentions.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { App } from "#app/routes/context.server.ts";
import { heldView } from "./held-spot.server.ts";

/** Where a purchase began. Drafts stay hidden. `playerId` is set if the payer is known. */
export async function findPurchaseGame(
  { db, now }: Pick<App, "db" | "now">,
  returnTo: string | null,
  playerId: string | null,
  begun: Begun | null = null,
) {
  const gameId = gameIdAt(returnTo);
  const game = gameId && (await findGame(db, gameId, now()));
  if (!game || game.status !== "Published") return null;
  const own = isId(playerId) ? await listOwnEntries(db, { playerId, gameId, now: now() }) : [];
  const { id, revision, venue, startsAt, maxPlayers, joinedCount, heldCount } = game;
  const token = holdTokenAt(returnTo);
  const spot = token && (await findHeldSpot(db, { gameId, token, now: now() }));
  const isHeld = spot && spot.status === "Held";
  const left = spotsLeft(maxPlayers, joinedCount, heldCount);
  const paying = isId(playerId)
    ? await findPaymentHold(db, { gameId, userId: playerId, now: now() })
    : null;
  const heldWhilePaying = paying?.holdsSpot ? paying.until : null;
  const then = paying?.isPending ? IF_LATER : THEN_IN;
  const heldUntil = isHeld ? spot.until : (own[0]?.offerExpiresAt ?? heldWhilePaying);
  // A spot that this payment would not book is no matter of its page.
  const isForPlayer = heldUntil && heldUntil > now() && begun?.isOpen !== false;
  return {
    ...{ id, revision },
    path: gamePath(id, isHeld ? token : null),
    venue: venue.name,
    when: dayAndTime(startsAt, now()),
    /** For the form that pays for a spot, where there is one. */
    facts: isForPlayer || left > 0 ? { ...gameFacts(game), cancellation: saleText() } : null,
    ...(isForPlayer
      ? {
          held: heldView(heldUntil, now()),
          spots: null,
          note: then,
        }
      : {
          held: null,
          spots: spotsText(left),
          note: begun
            ? begunText(begun, paying?.isPending)
            : left === 0
              ? NONE_FREE
              : isId(playerId)
                ? await whileFree({ db, now }, { gameId, playerId })
                : HELD_WHILE_PAYING,
        }),
  };
}

/** Where a payment began: at the game that it is for, else where this browser remembers. */
export function purchasePath(intention: Intention | null, remembered: string | null) {
  if (!intention || gameIdAt(remembered) === intention.gameId) return remembered;
  return gamePath(intention.gameId, intention.friendToken);
}

/** A payment that has begun: `isOpen` while its money books the game, if it can. */
type Begun = Pick<Intention, "isOpen" | "isBooked">;

function begunText({ isOpen, isBooked }: Begun, isPending = false): string {
  if (isOpen) return `${NONE_HELD} ${isPending ? IF_FREE_THEN : IF_FREE}`;
  return isBooked ? `You are in this game already. ${STAYS}` : `${NONE_HELD} ${STAYS}`;
}

/** What the button that leads to the payment does with spots, this game's and another one's. */
async function whileFree(
  { db, now }: Pick<App, "db" | "now">,
  player: { gameId: string; playerId: string },
): Promise<string> {
  const held = (await countUnpaid(db, player)) < UNPAID_MAX;
  const before = await findSpotHeld(db, player.playerId, now());
  const end = before ? ` The spot held for you at ${before.name} is given back then.` : "";
  return `${held ? HELD_WHILE_PAYING : `${NO_THIRD} ${IF_FREE}`}${end}`;
}

/** Where a spot is held for this player while nothing is paid or under way; null if there is none. */
export async function findSpotHeld(db: App["db"], userId: string, now: Date) {
  const gameId = await findHeldGameId(db, userId);
  const hold = gameId && (await findPaymentHold(db, { gameId, userId, now }));
  if (!hold || !hold.holdsSpot || hold.isPending) return null;
  const game = await findGame(db, gameId!, now);
  return game && { path: gamePath(game.id, null), name: game.venue.name };
}

const THEN_IN = "Once it is paid, you are in.";
const HELD_WHILE_PAYING = `Your spot is held for 15 minutes. ${THEN_IN}`;
const IF_FREE = "Once it is paid, you are in if one is free.";
const IF_LATER = "If the money comes later and no spot is free, you keep the credits.";
const IF_FREE_THEN = "When the money comes, you are in if one is free then.";
const NO_THIRD = "Two spots of this game were left unpaid, so none is held while you pay.";
const STAYS = "What you buy stays in your wallet.";
const NONE_FREE = `No spot is free right now. ${STAYS}`;
const NONE_HELD = "No spot is held for you any more.";

export type PurchaseGame = Omit<
  NonNullable<Awaited<ReturnType<typeof findPurchaseGame>>>,
  "facts" | "id" | "revision"
>;
