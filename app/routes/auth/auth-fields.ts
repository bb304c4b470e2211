import { fieldProps } from "#app/forms/form-result.ts";
import type { AuthResult } from "./actions.server.ts";

export interface FormProps {
  /** The form's own page: a failed form keeps what that address says. */
  to: string;
  redirectTo: string | null;
  invitation: string | null;
  /** An email's link led here, so its reader has an account. */
  isFromEmail: boolean;
  result: AuthResult | undefined;
}

/** Both forms are on the page and share field names. */
export function fieldsOf(form: string, result: AuthResult | undefined) {
  const fieldId = (name: string) => `${form}-${name}`;
  const field = (name: string, value?: string) => {
    return { ...fieldProps(result, name, value), id: fieldId(name), required: true };
  };
  return { fieldId, field };
}
