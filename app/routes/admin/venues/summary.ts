/** Complaints by field, as the box above a form lists them. */
export function summaryOf(errors: Record<string, string> = {}) {
  return Object.entries(errors).map(([field, message]) => ({ field, message }));
}
