import type { ShouldRevalidateFunctionArgs } from "react-router";

/** Statuses of an error caused by what was stored meanwhile, not by what was typed. */
const OUT_OF_DATE = [402, 404, 409];

/**
 * The router keeps what a page shows when its form fails. Where somebody else was first, the page
 * is out of date: it is loaded again.
 */
export function revalidateOnConflict({
  defaultShouldRevalidate,
  actionStatus = 200,
}: ShouldRevalidateFunctionArgs): boolean {
  return defaultShouldRevalidate || OUT_OF_DATE.includes(actionStatus);
}
