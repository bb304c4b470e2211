import { useLoaderData } from "react-router";

/** Idempotency key: a resubmitted form runs once and gets the same result. Where the form makes rows
 * it is the first one's id too. */
export function FormKey() {
  const { formKey } = (useLoaderData() ?? {}) as { formKey?: string | null };
  return formKey && <input type="hidden" name="formKey" value={formKey} data-once="" />;
}
