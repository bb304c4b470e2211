import type { JoinError } from "./join-game.server.ts";

/** Why a player is not let in, for a join and for a spot that is to be paid for alike. */
export const JOIN_ERRORS = {
  "not-found": "Game not found",
  "not-published": "This game is not open for joining.",
  "already-joined": "You're already in this game.",
  started: "This game has started. It can no longer be joined.",
  full: "This game is full. Someone took the last spot.",
  "belongs-to-waitlist": "The free spots belong to those on the waitlist.",
  "hold-taken": "This spot is taken.",
  "hold-over": "This spot is no longer held.",
  "account-gone": "This account is deleted.",
  suspended: "Your account is suspended.",
} as const satisfies Partial<Record<JoinError, string>>;
