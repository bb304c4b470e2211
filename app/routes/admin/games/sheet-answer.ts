import type { FieldErrors } from "#app/features/accounts/input.ts";
import type { Attendance, PaymentStatus } from "#app/platform/schema.ts";
import type { Difference } from "#app/forms/form-result.ts";

/** What a row has become. */
export interface Now {
  attendance?: Attendance | null;
  paymentStatus?: PaymentStatus;
}

/** What a tap on a row is answered with. */
export type TapAnswer = { ok: true; now: Now } | { ok: false; problem: string; now?: Now };

/** Somebody whom the organiser may have meant. */
export interface Choice {
  playerId: string;
  name: string;
  email: string;
  pictureUrl: string | null;
}

/** A refused form of the sheet, with what was filled in. */
export interface SheetRefusal {
  intent: string;
  problem?: string;
  errors?: FieldErrors;
  values?: Record<string, string>;
  choices?: Choice[];
  /** Another organiser was faster: what differs, and the version to save over. */
  differences?: Difference[];
  version?: number;
}

/** The sheet's refusals in words, by their reason. */
export const PROBLEMS: Record<string, string> = {
  "not-found": "This booking is not there any more.",
  "not-on": "This game does not take place, so nothing can be marked.",
  "too-early": "Players can be marked from an hour before kick-off.",
  gone: "This player is no longer in the game. Nothing was changed.",
  "no-player": "No player has this name or email address.",
  suspended: "This player's account is suspended.",
  "already-in": "This player is in the game already.",
  "added-before": "This form has added the player before. Send it again to add them once more.",
  full: "This game is full.",
  nobody: "Nobody is in the game, so nobody would get it.",
  "sent-before": "Not sent: this form has sent another message already. Send it again.",
  "not-started": "A result can be recorded from kick-off.",
  "too-many-goals": "The players' goals are more than both scores together.",
  "winners-of-a-draw": "Nobody wins a draw: change the score, or take the ticks away.",
};

export const NOT_SAVED = "Not saved. Try again";
