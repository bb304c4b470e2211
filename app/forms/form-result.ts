export type FieldErrors = Record<string, string>;

export interface Difference {
  label: string;
  theirs: string;
  yours: string;
}

export interface FormResult {
  /** The intent that was sent; it tells the page's forms apart. */
  form?: string;
  title?: string;
  formError?: string;
  /** Tone of a message about nothing that went wrong. */
  tone?: "info";
  fieldErrors?: FieldErrors;
  /** What was typed, to show it again; never a password. */
  values?: Record<string, string>;
  /** Somebody else saved first: the version that the form edits now, and what differs. */
  conflict?: { version: number; differences: Difference[] };
  /** What the form was made for has changed: it now shows and edits what is stored. */
  isOutdated?: boolean;
}

export function resultOf<R extends FormResult>(result: R | null | undefined, ...forms: string[]) {
  return result && forms.includes(result.form ?? "") ? result : undefined;
}

export function fieldProps(result: FormResult | null | undefined, name: string, value = "") {
  return {
    id: name,
    name,
    defaultValue: result?.values?.[name] ?? value,
    error: result?.fieldErrors?.[name],
  };
}

/** The newest version after a conflict, otherwise the one that was sent. */
export function editedVersion(result: FormResult | null | undefined, version: number) {
  return result?.conflict?.version ?? result?.values?.["version"] ?? version;
}
