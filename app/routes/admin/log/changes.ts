/** One thing that a deed changed, in words; null where it was not, or is no more. */
export interface Change {
  name: string;
  before: string | null;
  after: string | null;
}

/**
 * What a deed's details say: of its `before` and `after` only what differs, and whatever else
 * stands beside them. Of long texts only the lines that differ.
 */
export function changesOf(details: Record<string, unknown>): Change[] {
  const { before = null, after = null, formKey: _formKey, ...more } = details;
  return [...between(before, after), ...between(null, more)];
}

function between(before: unknown, after: unknown): Change[] {
  if (!isFacts(before) || !isFacts(after)) {
    return differ(before, after) ? [change("value", before, after)] : [];
  }
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .filter((name) => differ(before?.[name], after?.[name]))
    .map((name) => change(nameWords(name), before?.[name], after?.[name]));
}

function change(name: string, before: unknown, after: unknown): Change {
  const [was, is] = [valueWords(before), valueWords(after)];
  if (was?.includes("\n") && is?.includes("\n")) return { name, ...changedLines(was, is) };
  return { name, before: was, after: is };
}

/** "startTime" and "start_time" are "start time". */
function nameWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

function valueWords(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map((one) => valueWords(one) ?? "nothing").join(", ");
  return JSON.stringify(value);
}

/** Without the lines that both begin with, and those that both end with. */
function changedLines(before: string, after: string) {
  const [was, is] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(was.length, is.length);
  let start = 0;
  while (start < shorter && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  const middle = (lines: string[]) => lines.slice(start, lines.length - end).join("\n") || null;
  return { before: middle(was), after: middle(is) };
}

function differ(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);
}

type Facts = Record<string, unknown> | null;

function isFacts(value: unknown): value is Facts {
  return value === null || (typeof value === "object" && !Array.isArray(value));
}
