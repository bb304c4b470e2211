import type { ShouldRevalidateFunctionArgs } from "react-router";

/** The answers of a refusal that lies in what was stored meanwhile, not in what was typed. */
const OUT_OF_DATE = [402, 404, 409];

/**
 * The router keeps what a page shows when its form is refused. Where somebody else was first, the
 * page is out of date: it is read again.
 */
export function revalidateOnConflict(told: ShouldRevalidateFunctionArgs): boolean {
  return told.defaultShouldRevalidate || OUT_OF_DATE.includes(told.actionStatus ?? 200);
}
