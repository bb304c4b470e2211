import type { NextTicketView } from "./bookings/ticket-view.ts";

/** Read without a connection by routes/public/offline-tickets.js. */
const KEY = "tickets";

/** Keeps the tickets in this browser until its session ends, if it can show them. */
export function saveTickets({ saved, next }: { saved: string; next: NextTicketView[] }): void {
  if (!navigator.serviceWorker) return;
  const tickets = next.map(
    ({ weekday, monthDay, start, end, venueName, place, mapsUrl, terms, notes, endsAt }) => ({
      ...{ weekday, monthDay, start, end, venueName, place, mapsUrl, terms, notes, endsAt },
    }),
  );
  // A browser may have no storage, or none left.
  try {
    const { account } = document.documentElement.dataset;
    localStorage.setItem(KEY, JSON.stringify({ saved, tickets, account }));
  } catch {
    deleteSavedTickets();
  }
}

export function deleteSavedTickets(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {}
}
