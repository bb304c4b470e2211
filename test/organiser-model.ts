import { expectedCallOff, refundAll } from "./booking-model.ts";
import { endHoldOf, holdsOver, lapseHolds } from "./hold-model.ts";
import { isLive, liveIn, type Model, type ModelBooking } from "./model-state.ts";
import { belongsToOthers, firstEligible, freeIn, entryOf, take } from "./waitlist-model.ts";

// What organisers, and the decisions of their games, do to bookings, for model.test.ts.

export interface Addition {
  id: string;
  player: number;
  game: number;
  /** The form has added this player before, who has left since. */
  isFormUsed?: boolean;
  /** Player whose spot the organiser was asked about, and gives away. */
  nextPlayer?: number | undefined;
}

/** Takes no credits and only a spot; after kick-off too, then it asks to add one. That of somebody who
 * waits is asked about. */
export function expectedAdd(
  model: Model,
  { id, player, game, isFormUsed = false, nextPlayer }: Addition,
): string {
  if (!model.games[game]!.isOpen) return "not-on";
  if (model.players[player]!.isSuspended) return "suspended";
  if (liveIn(model, game).some((one) => one.player === player)) return "already-in";
  const isHeld = entryOf(model, player, game)?.status === "Offered";
  const isFull = freeIn(model, game) <= 0 && !isHeld && holdsOver(model, game) === 0;
  const hasStarted = model.games[game]!.startsIn <= model.hour;
  if (isFull && !hasStarted) return "full";
  if (isFormUsed) return "added-before";
  if (isFull) return "over-max";
  const belongs = !isHeld && belongsToOthers(model, player, game);
  if (belongs && firstEligible(model, game)?.player !== nextPlayer) return "unconfirmed";
  lapseHolds(model, game);
  take(model, { id, player, game, cents: 0, isFree: false, status: "Unpaid" });
  return "added";
}

/** Whatever the hour: everything comes back, or nothing. */
export function expectedRemoval(model: Model, booking: ModelBooking, withRefund: boolean): string {
  if (!isLive(booking)) return "gone";
  if (withRefund) refundAll(model, booking);
  else {
    booking.status = "Cancelled";
    endHoldOf(model, booking);
  }
  return "removed";
}

/** In cash: no credits were taken, so none come back. */
export function expectedPayment(model: Model, booking: ModelBooking): string {
  if (!model.games[booking.game]!.isOpen) return "not-on";
  if (!isLive(booking)) return "gone";
  if (booking.status === "Paid") return "paid-already";
  booking.status = "Paid";
  return "paid";
}

/** A form that has noted a payment, which may have been taken back since. */
export function expectedRepeat(model: Model, booking: ModelBooking, id: string): string {
  if (booking.cashPaymentId === id) return "paid";
  if (!model.games[booking.game]!.isOpen) return "not-on";
  if (!isLive(booking)) return "gone";
  return booking.status === "Paid" ? "paid-already" : "noted-before";
}

/** A mistake is undone no matter who is in, and money is given back to who is not. */
export function expectedUndoing(booking: ModelBooking, isMistake: boolean): string {
  if (isLive(booking) && !isMistake) return "still-in";
  if (isLive(booking)) booking.status = "Unpaid";
  delete booking.cashPaymentId;
  return "undone";
}

const WARNING_HOURS = 2;

/** Once, at its time or later, and never from kick-off on; null where nothing is due. */
export function expectedDecision(model: Model, g: number): "on" | "called-off" | "warned" | null {
  const game = model.games[g]!;
  if (!isDue(model, g)) return null;
  const isShort = liveIn(model, g).length < game.minPlayers!;
  if (model.hour < game.startsIn - game.decidesHours) {
    game.isWarned = true;
    return "warned";
  }
  game.decision = isShort ? "CalledOff" : "On";
  if (isShort) expectedCallOff(model, g);
  return isShort ? "called-off" : "on";
}

/** A decision, or a warning that it will come to nothing. */
export function isDue(model: Model, g: number): boolean {
  const { startsIn, isOpen, minPlayers, decidesHours, decision, isWarned } = model.games[g]!;
  if (!isOpen || model.hour >= startsIn || minPlayers === null || decision) return false;
  const hoursLeft = startsIn - decidesHours - model.hour;
  if (hoursLeft <= 0) return true;
  return hoursLeft <= WARNING_HOURS && !isWarned && liveIn(model, g).length < minPlayers;
}

/** By a form that has seen this version of the game. */
export function expectedPlayAnyway(model: Model, g: number, version: number): string {
  const game = model.games[g]!;
  if (!game.isOpen) return "not-published";
  if (model.hour >= game.startsIn) return "started";
  if (game.version !== version) return "changed";
  if (game.minPlayers === null) return "no-minimum";
  const isNew = game.decision === null;
  game.decision ??= "PlayAnyway";
  const live = liveIn(model, g);
  if (isNew && live.length < game.minPlayers) {
    const decidesIn = game.startsIn - game.decidesHours;
    for (const booking of live) booking.freeUntil = Math.max(booking.freeUntil, decidesIn);
  }
  return "on";
}

interface Minimum {
  minPlayers: number | null;
  decidesHours: number;
}

/**
 * Another minimum, or another time, is decided again; one that would be over is rejected. Held spots
 * that are over by the old terms do not come back by the new ones.
 */
export function expectedEdit(model: Model, g: number, to: Minimum): string {
  const game = model.games[g]!;
  if (!game.isOpen) return "closed";
  if (model.hour >= game.startsIn) return "started";
  const { minPlayers, decidesHours } = to;
  if (minPlayers !== null && minPlayers > game.spots) return "minimum-too-high";
  const isSame = minPlayers === game.minPlayers && decidesHours === game.decidesHours;
  if (isSame) return "edited";
  if (minPlayers !== null && game.startsIn - decidesHours <= model.hour) return "decision-over";
  lapseHolds(model, g);
  if (minPlayers !== null || game.minPlayers !== null) decideAgain(model, g);
  Object.assign(game, { minPlayers, decidesHours });
  game.version += 1;
  return "edited";
}

export function decideAgain(model: Model, g: number): void {
  Object.assign(model.games[g]!, { decision: null, isWarned: false });
}
