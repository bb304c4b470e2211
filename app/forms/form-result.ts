export type FieldErrors = Record<string, string>;

export interface Difference {
  label: string;
  /** What is stored now. */
  theirs: string;
  /** What this form would write over it. */
  yours: string;
}

/** What every form of the site that did not succeed hands to its page. */
export interface FormResult {
  /** The intent that was sent: which of the page's forms it was. */
  form?: string;
  /** What did not work, as the heading over the reason. */
  title?: string;
  /** Why the form as a whole failed, and what to do. */
  formError?: string;
  fieldErrors?: FieldErrors;
  /** What was typed, to be shown again; never a password. */
  values?: Record<string, string>;
  /** Somebody else saved first: the version the form edits now, and what differs. */
  conflict?: { version: number; differences: Difference[] };
}

/** The result where it is of one of these forms of the page. */
export function resultOf<R extends FormResult>(
  result: R | null | undefined,
  ...forms: string[]
): R | undefined {
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
