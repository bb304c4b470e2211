export type FieldErrors = Record<string, string>;

export interface Difference {
  label: string;
  theirs: string;
  yours: string;
}

/** What the action of a failed form returns to its page. */
export interface FormResult {
  /** The intent that was sent, which tells the page's forms apart. */
  form?: string;
  title?: string;
  formError?: string;
  fieldErrors?: FieldErrors;
  /** What was typed, to be shown again; never a password. */
  values?: Record<string, string>;
  /** Somebody else saved first: the version the form edits now, and what differs. */
  conflict?: { version: number; differences: Difference[] };
  /** What the form was made for has changed; it shows what is stored now, and edits that. */
  isOutdated?: boolean;
}

/** The result if it belongs to one of these forms of the page. */
export function resultOf<R extends FormResult>(result: R | null | undefined, ...forms: string[]) {
  return result && forms.includes(result.form ?? "") ? result : undefined;
}

/** The attributes of a form's field: what was typed before, and what was wrong with it. */
export function fieldProps(result: FormResult | null | undefined, name: string, value = "") {
  return {
    id: name,
    name,
    defaultValue: result?.values?.[name] ?? value,
    error: result?.fieldErrors?.[name],
  };
}

/** The version that a form edits: the newest after a conflict, else the one that was sent. */
export function editedVersion(result: FormResult | null | undefined, version: number) {
  return result?.conflict?.version ?? result?.values?.["version"] ?? version;
}
