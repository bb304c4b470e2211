import { timeText } from "#app/platform/clock.ts";

/** What was typed into a form and not saved; kept in this browser only. */
interface Draft {
  at: number;
  /** What the form edited, by field name; for a game's result also the version of the teams. */
  versions: Record<string, string>;
  values: Record<string, string[]>;
  /** Of a form that was sent: if the answer was lost, the server recognises it by them. */
  keys?: Record<string, string> | null;
}

const PREFIX = "draft ";
const KEPT_MS = 7 * 86_400_000;

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

/** Null deletes it. False if the browser has no storage, or none left. */
export function writeDraft(key: string, draft: Draft | null): boolean {
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

/** Of all accounts. */
export const deleteDrafts = () => deleteWhere(() => true);

/** Those of other accounts wait for them. */
export const deleteOldDrafts = () => deleteWhere((key) => !readDraft(key));

function deleteWhere(is: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && is(key)) localStorage.removeItem(key);
    }
  } catch {}
}

/** By Helsinki's clock, as all times of the site. */
export const draftTime = (at: number) => timeText(new Date(at), new Date());
