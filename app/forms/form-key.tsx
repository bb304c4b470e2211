import { useLoaderData } from "react-router";

/** Idempotency key: a resubmitted form runs once and gets the same result. */
export function FormKey() {
  const { formKey } = (useLoaderData() ?? {}) as { formKey?: string | null };
  return formKey && <input type="hidden" name="formKey" value={formKey} data-once="" />;
}
