import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import type { Posted } from "#app/forms/form-action.server.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { creditsText } from "#app/platform/money.ts";
import { oneLine } from "#app/platform/text.ts";
import type { App } from "#app/routes/context.server.ts";

const REASON_MAX = 500;

const FAILED = {
  failed: "Failed to cancel booking",
  title: "Error",
  formError: "Failed to cancel booking. Please try again.",
};

type CancelArgs = Pick<App, "db" | "jobs" | "now"> &
  Posted & { viewer: { userId: string }; formKey: string | undefined; form: FormData };

/** A row of My Games and of the game's page: `bookingId`, optionally `reason` and `formKey`. */
export const CANCEL = {
  ...FAILED,
  run: async ({ db, jobs, now, viewer, formKey, form, fields }: CancelArgs) => {
    const bookingId = form.get("bookingId");
    const reason = form.get("reason") ?? "";
    if (typeof bookingId !== "string" || typeof reason !== "string") {
      return rejected("incomplete");
    }
    const shown = readShown(fields.shown);
    const text = oneLine(reason).slice(0, REASON_MAX);
    return cancelBooking(db, jobs, {
      ...{ bookingId, reason: text, formKey, shown, playerId: viewer.userId, now: now() },
    });
  },
  errors: {
    incomplete: ["incomplete", FAILED.formError],
    "not-found": ["missing", "This booking does not exist or is not yours."],
    "already-cancelled": "This booking is already cancelled.",
    "not-cancellable": "This booking can no longer be cancelled.",
    changed: ({ newFacts }: { newFacts?: string }) =>
      `${newFacts} Nothing was cancelled: look again and cancel if that is fine.`,
  },
  done: (result: Cancelled) => {
    const back = backText(result);
    return {
      title: "Booking cancelled",
      description: `Your booking has been successfully cancelled.${back && ` ${back}`}`,
    };
  },
} as const;

type Cancelled = Extract<Awaited<ReturnType<typeof cancelBooking>>, { ok: true }>;

function backText(cancelled: Cancelled): string {
  const { creditsBackCents, lateRefundCents, isFreeSessionBack, isWaitedFor } = cancelled;
  if (creditsBackCents > 0) return `${creditsText(creditsBackCents)} credits are back.`;
  if (isFreeSessionBack) return "Your free session is back.";
  if (lateRefundCents === 0) return "";
  const back = `${creditsText(lateRefundCents)} credits come back`;
  return isWaitedFor
    ? `Somebody is next in line: ${back} as soon as they have your spot.`
    : `${back} if somebody takes your spot.`;
}
