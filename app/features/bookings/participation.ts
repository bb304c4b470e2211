import type { EntryState } from "#app/features/waitlist/rules.ts";

/** Where a player stands with a game by the bookings alone; "out" may still join. */
export type BookingState =
  | "cancelled"
  | "draft"
  | "was-in"
  | "over"
  | "in"
  | "playing"
  | "started"
  | "out";

/** Where a viewer stands with a game; of several that are true, the first in this order. */
export type Participation =
  | Exclude<BookingState, "out">
  | "offered"
  | "paying"
  | "friend-hold"
  | "unanswered"
  | "changed"
  | "waiting"
  | "full"
  | "open";

interface BookingStateFacts {
  isCalledOff: boolean;
  isDraft: boolean;
  isOver: boolean;
  hasStarted: boolean;
  /** Holds a live booking; whether the player came is another matter. */
  isIn: boolean;
}

interface ParticipationFacts extends BookingStateFacts {
  /** Spots that this viewer may take: none where all free ones belong to the waitlist. */
  spots: number;
  hasFriendHold: boolean;
  /** A spot is held while this viewer pays for it. */
  isPaying: boolean;
  entry: EntryState | null;
}

export function bookingState({ isIn, hasStarted, ...game }: BookingStateFacts): BookingState {
  if (game.isCalledOff) return "cancelled";
  if (game.isDraft) return "draft";
  if (game.isOver) return isIn ? "was-in" : "over";
  if (isIn) return hasStarted ? "playing" : "in";
  return hasStarted ? "started" : "out";
}

export function participation(game: ParticipationFacts): Participation {
  const { entry } = game;
  const state = bookingState(game);
  if (state !== "out") return state;
  if (entry === "offered") return entry;
  if (game.isPaying) return "paying";
  if (game.hasFriendHold) return "friend-hold";
  // A player who only waits may join as soon as there are spots for all.
  if (entry && (entry !== "waiting" || game.spots === 0)) return entry;
  return game.spots === 0 ? "full" : "open";
}
