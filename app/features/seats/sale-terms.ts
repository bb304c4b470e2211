import type { CancellationStep } from "#app/platform/schema.ts";

/** What bookings are sold under from now on; after the last step nothing comes back. Rules and texts
 * follow from it, and a booking keeps the terms of its sale. */
export const SALE_TERMS: CancellationStep[] = [{ until: 24, feeCents: 99 }];
