import type { VenueAnswer } from "./venue-form.ts";

/** Why a form was refused, as a whole or by its fields, as the box above it lists it. */
export function summaryOf({ refusal, errors = {} }: Partial<VenueAnswer> = {}) {
  if (refusal) return [{ message: refusal }];
  return Object.entries(errors).map(([field, message]) => ({ field, message }));
}
