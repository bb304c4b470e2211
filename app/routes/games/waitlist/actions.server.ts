import { LEAVE_ERRORS, LEFT_WAITLIST } from "#app/routes/waitlist/leave.ts";
import { randomUUID } from "node:crypto";
import {
  changeAgreement,
  joinWaitlist,
  leaveWaitlist,
} from "#app/features/waitlist/join-waitlist.server.ts";
import { WAITS_MAX } from "#app/features/waitlist/rules.ts";
import type { Answer } from "#app/forms/form-rows.server.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { gameRow } from "#app/routes/games/game-row.server.ts";
import { shownIn } from "#app/routes/games/shown.server.ts";
import { waitlistInput } from "#app/features/waitlist/input.ts";

// Takes `mode` and `until`, optionally `shown`, `priceShown` in credits and `formKey`.
const wait = (
  failed: string,
  save: typeof joinWaitlist,
  doneFor: (mode: "auto" | "ask") => { title: string; description: string },
) =>
  gameRow({
    failed,
    keep: ["mode", "until"],
    input: waitlistInput,
    run: async ({ db, jobs, change, formKey, form, input: { mode, until: untilHours } }) => {
      const shown = shownIn(form);
      if (!shown) return { ok: false, reason: "incomplete" } as const;
      const entry = { mode, untilHours, shown, formKey: formKey ?? randomUUID() };
      return save(db, jobs, { ...change, ...entry });
    },
    errors: WAIT_ERRORS,
    done: (_result, { input }) => doneFor(input.mode),
  });

/** Nothing went wrong: the player has it already, or something better. */
const calm = (title: string, formError: string): Answer => ({ title, formError, tone: "info" });

const WAIT_ERRORS = {
  incomplete: ["incomplete", "The form was not complete. Please try again."],
  "not-found": ["missing", "Game not found"],
  "not-published": ["missing", "This game is not open for joining."],
  "already-joined": "You're already in this game.",
  "too-often": `You have been on this waitlist ${WAITS_MAX} times. You can join the game when it has spots left.`,
  "already-waiting": calm("Nothing was changed", "You're on the waitlist already."),
  started: "This game has started. It can no longer be joined.",
  "not-full": calm("A spot is free", "This game has spots left. Join it right away."),
  "too-late": { fieldErrors: { until: "That time has passed. Choose a later one." } },
  "form-used": "You have left since you sent this form. Send it again to wait once more.",
  "not-waiting": "You are not on this waitlist any more.",
  offered: calm("You have an offer", "A spot is held for you: take it, or not, first."),
  suspended: ["forbidden", "Your account is suspended."],
  changed: ({ newFacts }: { newFacts?: string }): Answer =>
    `${newFacts} Nothing was saved: look again and agree if that is fine.`,
} as const;

const WAITING = {
  auto: "Nothing is taken until a spot opens.",
  ask: "When a spot opens we ask you first. Nothing is taken until you agree.",
};

export const waitlistForms = {
  wait: wait("Failed to join the waitlist", joinWaitlist, (mode) => ({
    title: "You're on the waitlist",
    description: WAITING[mode],
  })),
  "change-wait": wait("Failed to change your place", changeAgreement, () => ({
    title: "Changes saved",
    description: "You keep your place on the waitlist.",
  })),
  "leave-waitlist": gameRow({
    failed: "Failed to leave the waitlist",
    run: ({ db, jobs, change, fields }) =>
      leaveWaitlist(db, jobs, { ...change, shown: readShown(fields.shown) }),
    errors: LEAVE_ERRORS,
    done: LEFT_WAITLIST,
  }),
};
