import type { WaitMode, WaitStatus } from "#app/platform/schema.ts";

/** What model.test.ts believes of games and wallets: the rules once more, in memory. */
export interface Model {
  /** Hours since the start. */
  hour: number;
  players: { cents: number; debtCents: number; hasUsedFree: boolean }[];
  games: { startsIn: number; spots: number; isFree: boolean; isOpen: boolean }[];
  bookings: ModelBooking[];
  places: ModelPlace[];
  withdrawals: ModelWithdrawal[];
}

export interface ModelBooking {
  id: string;
  /** -1 is an account that is deleted. */
  player: number;
  game: number;
  cents: number;
  isFree: boolean;
  status: "Paid" | "Refunded" | "Cancelled";
  /** Until then the whole price comes back, after a late promotion. */
  freeUntil: number;
  /** What comes back once somebody takes the spot, given back so late. */
  lateCents: number;
  cancelledAt: number;
  /** Of a promotion, whose booking the database has named. */
  placeId?: string;
}

/** On a waitlist. Times are hours since the start. */
export interface ModelPlace {
  id: string;
  /** -1 is an account that is deleted. */
  player: number;
  game: number;
  mode: WaitMode;
  untilHours: number;
  maxCents: number;
  notAfter: number;
  /** The kick-off that was agreed to. */
  knownStart: number;
  needsConsent: boolean;
  status: WaitStatus;
  missed: number;
  since: number;
  offerUntil: number;
}

/** Of a purchase of 10 credits that were all unused. */
export interface ModelWithdrawal {
  player: number;
  state: "waiting" | "refused" | "taken_back";
  isRefunded: boolean;
}

/** Six players and four games: soon, two later that overlap, and far off; two free for newcomers. */
export function newModel(): Model {
  const open = { isOpen: true };
  return {
    hour: 0,
    players: [6_000, 4_000, 3_000, 2_000, 1_000, 0].map((cents) => ({
      ...{ cents, debtCents: 0, hasUsedFree: false },
    })),
    games: [
      { startsIn: 26, spots: 1, isFree: false, ...open },
      { startsIn: 40, spots: 1, isFree: true, ...open },
      { startsIn: 41, spots: 1, isFree: false, ...open },
      { startsIn: 90, spots: 2, isFree: true, ...open },
    ],
    bookings: [],
    places: [],
    withdrawals: [],
  };
}

export const liveIn = (model: Model, game: number) =>
  model.bookings.filter((b) => b.game === game && b.status === "Paid");

/** Credits that come settle a debt first. */
export function receive(model: Model, player: number, cents: number): void {
  const wallet = model.players[player];
  if (!wallet) return;
  const settled = Math.min(wallet.debtCents, cents);
  wallet.debtCents -= settled;
  wallet.cents += cents - settled;
}
