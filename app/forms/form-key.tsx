import { useLoaderData } from "react-router";

/**
 * The key that the route's loader has made for the forms of this page, as `formKey`: what one of
 * them does it does once, and sent twice it is answered twice alike.
 */
export function FormKey() {
  const { formKey } = (useLoaderData() ?? {}) as { formKey?: string | null };
  return formKey && <input type="hidden" name="formKey" value={formKey} />;
}
