import type {
  GameDecision,
  HoldStatus,
  PaymentHoldStatus,
  PaymentStatus,
  WaitMode,
  WaitStatus,
} from "#app/platform/schema.ts";

/** What model.test.ts believes of games and wallets: the rules once more, in memory. */
export interface Model {
  /** Hours since the start. */
  hour: number;
  players: ModelPlayer[];
  games: ModelGame[];
  bookings: ModelBooking[];
  entries: ModelEntry[];
  holds: ModelHold[];
  paying: ModelPaying[];
  withdrawals: ModelWithdrawal[];
}

interface ModelPlayer {
  cents: number;
  debtCents: number;
  hasUsedFree: boolean;
  isSuspended: boolean;
}

interface ModelGame {
  startsIn: number;
  endsIn: number;
  spots: number;
  isFree: boolean;
  isOpen: boolean;
  minPlayers: number | null;
  decidesHours: number;
  decision: GameDecision | null;
  isWarned: boolean;
  /** Counts the edits. */
  version: number;
}

export interface ModelBooking {
  id: string;
  /** -1 is an account that is deleted. */
  player: number;
  game: number;
  cents: number;
  isFree: boolean;
  status: PaymentStatus;
  /** Until then the whole price comes back, after a late promotion. */
  freeUntil: number;
  createdAt: number;
  /** What comes back once somebody takes the spot, given back so late. */
  lateCents: number;
  cancelledAt: number;
  /** What has come back so far. */
  backCents: number;
  /** What was paid by hand, and neither undone nor given back. */
  cashPaymentId?: string;
  /** Id of a promotion, whose booking the database has named. */
  entryId?: string;
}

/** On a waitlist. Times are hours since the start. */
export interface ModelEntry {
  id: string;
  /** Id of the form that agreed last. */
  agreedId: string;
  /** -1 is an account that is deleted. */
  player: number;
  game: number;
  mode: WaitMode;
  untilHours: number;
  maxCents: number;
  notAfter: number;
  /** The kick-off and the end that were agreed to. */
  knownStart: number;
  knownEnd: number;
  needsConsent: boolean;
  status: WaitStatus;
  missed: number;
  /** Since its player agreed last. */
  unanswered: number;
  since: number;
  offeredAt: number;
  offerUntil: number;
}

/** A spot for a friend. */
export interface ModelHold {
  id: string;
  token: string;
  /** -1 is an account that is deleted. */
  player: number;
  game: number;
  until: number;
  status: HoldStatus;
  /** The friend's. */
  booking: ModelBooking | null;
}

/** Went to pay for a game. */
export interface ModelPaying {
  id: string;
  /** -1 is an account that is deleted. */
  player: number;
  game: number;
  since: number;
  until: number;
  holdsSpot: boolean;
  status: PaymentHoldStatus;
  /** What the button's page said of the game, and its price. */
  shown: string;
  /** By whose link. */
  friend: ModelHold | undefined;
  /** Payment that it is bound to. */
  session: string | null;
  paidAt: number | null;
}

/** Withdraws a purchase of 10 credits that were all unused. */
export interface ModelWithdrawal {
  player: number;
  state: "waiting" | "refused" | "taken_back";
  isRefunded: boolean;
}

/**
 * Six players and four games: soon, two later that overlap, and far off; two free for newcomers,
 * three with a minimum, decided around the kick-off of the first.
 */
export function newModel(): Model {
  const open = { isOpen: true, decision: null, isWarned: false, version: 1 };
  const games = [
    { startsIn: 26, spots: 1, isFree: false, minPlayers: 1, decidesHours: 3 },
    { startsIn: 40, spots: 1, isFree: true, minPlayers: null, decidesHours: 3 },
    { startsIn: 41, spots: 2, isFree: false, minPlayers: 2, decidesHours: 16 },
    { startsIn: 90, spots: 2, isFree: true, minPlayers: 2, decidesHours: 66 },
  ];
  return {
    hour: 0,
    players: [6_000, 4_000, 3_000, 2_000, 1_000, 0].map((cents) => ({
      ...{ cents, debtCents: 0, hasUsedFree: false, isSuspended: false },
    })),
    games: games.map((game) => ({ ...game, endsIn: game.startsIn + 1.5, ...open })),
    bookings: [],
    entries: [],
    holds: [],
    paying: [],
    withdrawals: [],
  };
}

export const isLive = ({ status }: ModelBooking) => status === "Paid" || status === "Unpaid";

export const isOn = ({ status }: ModelEntry) => status === "Waiting" || status === "Offered";

export const liveIn = (model: Model, game: number) =>
  model.bookings.filter((one) => one.game === game && isLive(one));

export const isMeanwhile = (one: ModelGame, other: ModelGame) =>
  one.startsIn < other.endsIn && other.startsIn < one.endsIn;

/** Null where there is none to come. */
export function pendingDecision(model: Model, game: number): number | null {
  const { minPlayers, decision, startsIn, decidesHours } = model.games[game]!;
  return minPlayers === null || decision ? null : startsIn - decidesHours;
}

/** Credits that come settle a debt first. */
export function receive(model: Model, player: number, cents: number): void {
  const wallet = model.players[player];
  if (!wallet) return;
  const settled = Math.min(wallet.debtCents, cents);
  wallet.debtCents -= settled;
  wallet.cents += cents - settled;
}
