import { type RawBuilder, sql } from "kysely";

/** For a query of `bookings`, by this name: holds a spot. */
export const isLive = (booking: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${booking}.payment_status`)} in ('Paid', 'Unpaid')`;

export const IS_LIVE = sql<boolean>`payment_status in ('Paid', 'Unpaid')`;
