import { useNavigation } from "react-router";
import { FormKey } from "#app/forms/form-key.tsx";

/** The id of the heading of an event's card. */
export function headingId(eventId: string): string {
  return `event-${eventId}`;
}

/** Where its forms post to. Without JavaScript the answer opens at the card again. */
export function settlePath(eventId: string): string {
  return `/admin/payments#${encodeURIComponent(headingId(eventId))}`;
}

/** What every form about an event sends. */
export function SettleFields({ intent, eventId }: { intent: string; eventId: string }) {
  return (
    <>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="eventId" value={eventId} />
      <FormKey />
    </>
  );
}

/** What is being done about the event right now. */
export function usePendingIntent(eventId: string): string | undefined {
  const { formData } = useNavigation();
  if (formData?.get("eventId") !== eventId) return undefined;
  return String(formData.get("intent"));
}
