import type { ShouldRevalidateFunctionArgs } from "react-router";

/** Errors caused by what was stored meanwhile, not by what was typed. */
const OUT_OF_DATE = [402, 404, 409];

/** The router does not reload a page whose form fails; if somebody else was first, it must. */
export function revalidateOnConflict({
  defaultShouldRevalidate,
  actionStatus = 200,
}: ShouldRevalidateFunctionArgs): boolean {
  return defaultShouldRevalidate || OUT_OF_DATE.includes(actionStatus);
}
