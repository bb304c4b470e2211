import { formKeyOf } from "#app/platform/ids.ts";
import { oneLine } from "#app/platform/text.ts";
import { creditsText } from "#app/platform/money.ts";

const REASON_MAX = 500;

/**
 * `intent=cancel` with `bookingId`, an optional `reason` and an optional `formKey`; null where it is
 * something else.
 */
export function parseCancel(form: FormData) {
  const bookingId = form.get("bookingId");
  const reason = form.get("reason") ?? "";
  if (form.get("intent") !== "cancel") return null;
  if (typeof bookingId !== "string" || typeof reason !== "string") return null;
  const formKey = formKeyOf(form.get("formKey"));
  return { bookingId, reason: oneLine(reason).slice(0, REASON_MAX), formKey };
}

/** The toast of a success, with what came back. */
export function cancelledMessage(refundCents: number) {
  const back = refundCents > 0 ? ` ${creditsText(refundCents)} credits are back.` : "";
  return {
    title: "Booking cancelled",
    description: `Your booking has been successfully cancelled.${back}`,
  };
}
