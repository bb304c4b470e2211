/** What model.test.ts believes of games and wallets: the rules once more, in memory. */
export interface Model {
  /** Hours since the start. */
  hour: number;
  players: { cents: number; hasUsedFree: boolean }[];
  games: { startsIn: number; spots: number; isFree: boolean; isOpen: boolean }[];
  bookings: ModelBooking[];
}

export interface ModelBooking {
  id: string;
  player: number;
  game: number;
  cents: number;
  isFree: boolean;
  status: "Paid" | "Refunded" | "Cancelled";
}

/** Four players and three games: soon, later and far off, the last two free for newcomers. */
export function newModel(): Model {
  const open = { isOpen: true };
  return {
    hour: 0,
    players: [3_000, 1_000, 500, 0].map((cents) => ({ cents, hasUsedFree: false })),
    games: [
      { startsIn: 26, spots: 2, isFree: false, ...open },
      { startsIn: 40, spots: 1, isFree: true, ...open },
      { startsIn: 90, spots: 3, isFree: true, ...open },
    ],
    bookings: [],
  };
}

/** "joined", which the model then remembers, or the reason against it. */
export function expectedJoin(model: Model, player: number, game: number): string {
  const { startsIn, spots, isFree, isOpen } = model.games[game]!;
  const wallet = model.players[player]!;
  const live = model.bookings.filter((b) => b.game === game && b.status === "Paid");
  if (!isOpen) return "not-published";
  if (live.some((b) => b.player === player)) return "already-joined";
  if (model.hour >= startsIn) return "started";
  if (live.length >= spots) return "full";
  const cents = isFree && !wallet.hasUsedFree ? 0 : 1_000;
  if (wallet.cents < cents) return "not-enough-credits";
  wallet.cents -= cents;
  wallet.hasUsedFree ||= cents === 0;
  model.bookings.push({ id: "", player, game, cents, isFree: cents === 0, status: "Paid" });
  return "joined";
}

/** The cents that come back, which the model then moves, or the reason against it. */
export function expectedCancel(
  model: Model,
  booking: ModelBooking,
  player: number,
): number | string {
  const { startsIn } = model.games[booking.game]!;
  if (booking.player !== player) return "not-found";
  if (booking.status !== "Paid") return "already-cancelled";
  if (model.hour >= startsIn) return "not-cancellable";
  const back = booking.cents > 0 && startsIn - model.hour >= 24 ? booking.cents - 99 : 0;
  model.players[player]!.cents += back;
  booking.status = back > 0 ? "Refunded" : "Cancelled";
  return back;
}
