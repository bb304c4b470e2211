/** What was typed into a form and is not saved yet; kept in this browser only. */
export interface Draft {
  at: number;
  /** What the form edited, by the names of its fields: of a result also the version of the teams. */
  versions: Record<string, string>;
  values: Record<string, string[]>;
  /** Of a form that was sent: where its answer was lost, what is sent again is known by them. */
  keys?: Record<string, string> | null;
}

const PREFIX = "draft ";
const KEPT_MS = 7 * 86_400_000;

/** `form` tells the forms of a page apart. */
export const draftKey = (accountId: string, path: string, form: string) =>
  `${PREFIX}${accountId} ${path} ${form}`;

export function readDraft(key: string): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? "null") as Draft | null;
    return draft?.versions && isRecent(draft) ? draft : null;
  } catch {
    return null;
  }
}

const isRecent = ({ at }: Draft) => at > Date.now() - KEPT_MS;

/** Null deletes it. False where the browser has no storage, or none left. */
export function writeDraft(key: string, draft: Draft | null): boolean {
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

/** All of them, or those that are too old or of other accounts than this. */
export function deleteDrafts(exceptOf?: string): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      const isKept = exceptOf && key.startsWith(`${PREFIX}${exceptOf} `);
      if (!isKept || !readDraft(key)) localStorage.removeItem(key);
    }
  } catch {}
}
