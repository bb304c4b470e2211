import type { ShouldRevalidateFunctionArgs } from "react-router";

/** A form that makes something carries its id; one that has made another before needs a new one. */
export function refreshFormId(told: ShouldRevalidateFunctionArgs): boolean {
  return told.defaultShouldRevalidate || told.actionStatus === 409;
}
