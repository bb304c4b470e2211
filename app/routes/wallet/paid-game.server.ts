import { findOwnBookings } from "#app/features/bookings/bookings.server.ts";
import { type Participation, participation } from "#app/features/bookings/participation.ts";
import { gamePath, HELD_BADGE } from "#app/features/friends/rules.ts";
import { findHeldSpot, type HeldSpot } from "#app/features/friends/friends.server.ts";
import { listOwnEntries } from "#app/features/waitlist/entries.server.ts";
import { entryState } from "#app/features/waitlist/rules.ts";
import { saleText } from "#app/features/seats/rules.ts";
import { findActivePack } from "#app/features/wallet/packs.server.ts";
import { findPaymentHold } from "#app/features/wallet/payment-holds.server.ts";
import { belongsToWaitlist } from "#app/features/waitlist/order.server.ts";
import { findGame, type GameDetails } from "#app/features/games/games.server.ts";
import { priceView } from "#app/features/games/price.ts";
import { addressText, gameFacts } from "#app/features/games/shown-game.ts";
import {
  clockTime,
  gameState,
  spotsLeft,
  spotsText,
  spotsTone,
} from "#app/features/games/rules.ts";
import { monthDay, shortWeekday, timeText, upperLongDate } from "#app/platform/clock.ts";
import { webAddress } from "#app/platform/web-address.ts";
import { creditsCount } from "#app/platform/money.ts";
import { toBegun } from "#app/routes/credits/begun-payment.server.ts";
import { findDifference } from "#app/routes/credits/difference.server.ts";
import type { App } from "#app/routes/context.server.ts";

interface Payer {
  userId: string;
  balanceCents: number;
  debtCents: number;
  /** From the link that led to the purchase. */
  holdToken?: string | null;
}

/** The game that the credits were bought for, and how this player stands with it. */
export async function loadPaidGame({ db, now }: App, gameId: string, payer: Payer) {
  const game = await findGame(db, gameId, now());
  if (!game) return CLOSED;
  const { userId: playerId } = payer;
  const instant = now();
  const [player, [place], isTaken, paying] = await Promise.all([
    findOwnBookings(db, { gameId, playerId }),
    listOwnEntries(db, { playerId, gameId, now: instant }),
    isFull(game) || belongsToWaitlist(db, game, playerId, instant),
    findPaymentHold(db, { gameId, userId: playerId, now: instant }),
  ]);
  const { cents: price } = priceView(game, { ...payer, ...player });
  const { holdToken: token = null } = payer;
  const spot = token && (await findHeldSpot(db, { gameId, token, now: instant }));
  const hold = spot && spot.status === "Held" ? token : null;
  const lost = spot && spot.status !== "Held" && !player.isIn ? lostText(spot, instant) : null;
  const own = participation({
    ...gameState(game, instant),
    ...{ isIn: player.isIn, hasFriendHold: hold !== null },
    isPaying: paying?.holdsSpot ?? false,
    spots: isTaken ? 0 : spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount),
    entry: place ? entryState(place, instant) : null,
  });
  const here = STATES[own];
  if (here === "closed") return CLOSED;
  const isShort = payer.balanceCents < price && (here === "open" || here === "offered");
  const state: OpenState = isShort ? "short" : here;
  const path = gamePath(game.id, hold);
  return {
    state,
    path,
    /** What is missing, and the payment of just that, where it is sold. */
    short: isShort ? await findShort(db, game, { path, price, ...payer }) : null,
    lost,
    venue: game.venue.name,
    when: whenText(game),
    badge: hold || state === "offered" ? HELD_BADGE : badgeOf(game, isTaken),
    ticket: ticketOf(game),
  };
}

type Short = Payer & { path: string; price: number };

async function findShort(db: App["db"], game: GameDetails, { path, price, ...wallet }: Short) {
  const missingCents = price + wallet.debtCents - wallet.balanceCents;
  const difference = await findDifference(db, price, wallet);
  const pack = difference && (await findActivePack(db, difference.packId));
  const facts = { ...gameFacts(game), cancellation: saleText() };
  return {
    text: `You need ${creditsCount(missingCents).replace(" ", " more ")} for this game.`,
    begun: pack
      ? toBegun({ pack, amountCents: difference.amountCents, returnTo: path, facts })
      : null,
  };
}

/** Without a name, as on the game's page. */
const lostText = ({ status, until }: HeldSpot, now: Date) =>
  status === "Taken"
    ? "Somebody else took the spot that was held for you."
    : `The spot that was held for you is over since ${timeText(until, now)}.`;

export type PaidGame = Awaited<ReturnType<typeof loadPaidGame>>;
export type OpenGame = Exclude<PaidGame, { state: "closed" }>;

type OpenState = "in" | "started" | "offered" | "waiting" | "full" | "short" | "open";

const CLOSED = { state: "closed" } as const;

const STATES = {
  ...{ cancelled: "closed", draft: "closed", "was-in": "in", in: "in", playing: "in" },
  ...{ over: "started", started: "started", offered: "offered", full: "full" },
  ...{ paying: "open", "friend-hold": "open", open: "open" },
  ...{ unanswered: "waiting", changed: "waiting", waiting: "waiting" },
} as const satisfies Record<Participation, OpenState | "closed">;

const isFull = ({ maxPlayers, joinedCount, heldCount }: GameDetails) =>
  spotsLeft(maxPlayers, joinedCount, heldCount) === 0;

const ticketOf = ({ id, date, startTime, endTime, venue }: GameDetails) => ({
  ...{ id, date, longDate: upperLongDate(date) },
  ...{ start: clockTime(startTime), end: clockTime(endTime) },
  venue: { name: venue.name, place: addressText(venue), mapsUrl: webAddress(venue.mapsUrl) },
});

function whenText({ date, startTime, endTime }: GameDetails): string {
  const times = `${clockTime(startTime)} – ${clockTime(endTime)}`;
  return `${shortWeekday(date)}, ${monthDay(date)} · ${times}`;
}

function badgeOf({ maxPlayers, joinedCount, heldCount }: GameDetails, isTaken: boolean) {
  const spots = isTaken ? 0 : spotsLeft(maxPlayers, joinedCount, heldCount);
  return { text: spotsText(spots), tone: spotsTone(spots) };
}
