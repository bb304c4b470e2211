import type { CancellationStep } from "#app/platform/schema.ts";

/** Terms of the bookings to come; after the last step nothing comes back. Rules and texts follow from
 * it, but for the stored Terms (`/admin/legal`) and the column defaults (`db/constraints.test.ts`). */
export const SALE_TERMS: CancellationStep[] = [{ until: 24, feeCents: 99 }];
