import { sql } from "kysely";

/** For a query of `bookings`: holds a spot. */
export const IS_LIVE = sql<boolean>`payment_status in ('Paid', 'Unpaid')`;
