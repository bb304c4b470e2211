/** What the words of a form promise, as text by name. It is compared with what is true when the form
 * is sent, never trusted: a forged fact hides a difference from nobody but its sender. */
export type Facts = Record<string, string>;

/** For the form's field `shown`. */
export const writeShown = (facts: Facts) => new URLSearchParams(facts).toString();

export const readShown = (text = ""): Facts => Object.fromEntries(new URLSearchParams(text));

/** Whether several texts, or one name twice, could contradict each other. */
export function isAmbiguous(shown: FormDataEntryValue[]): boolean {
  const [text] = shown;
  if (text === undefined) return false;
  if (shown.length > 1 || typeof text !== "string") return true;
  const names = [...new URLSearchParams(text).keys()];
  return new Set(names).size < names.length;
}

/** The names of facts that are not as they were shown; those that the form does not carry are. */
export function changedFacts(shown: Facts | undefined, now: Facts): string[] {
  return Object.keys(now).filter(
    (name) => shown?.[name] !== undefined && shown[name] !== now[name],
  );
}
