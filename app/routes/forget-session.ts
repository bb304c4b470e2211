import { deleteListQueries } from "./admin/list-query.ts";
import { deleteSavedTickets } from "./saved-tickets.ts";

/**
 * What this browser keeps without an account in its name goes once a visitor's page is seen; the
 * rest waits for its account (decision 017).
 */
export function forgetSession(): void {
  deleteSavedTickets();
  deleteListQueries();
}
