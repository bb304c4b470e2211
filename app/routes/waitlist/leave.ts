import type { Answer } from "#app/forms/form-rows.server.ts";

export const LEFT_WAITLIST = { title: "You left the waitlist", description: "Nothing was taken." };
export const LEAVE_ERRORS = {
  "not-found": ["missing", "Game not found"],
  "not-waiting": "You are not on this waitlist any more.",
  changed: ({ newFacts }: { newFacts?: string }): Answer =>
    `${newFacts} You are still on the waitlist: look again.`,
} as const;
