export const CHAT_MESSAGE_MAX = 500;
export const MESSAGE_EMPTY = "Message cannot be empty";
export const MESSAGE_TOO_LONG = `Message is too long (max ${CHAT_MESSAGE_MAX} characters)`;

// Invisible text counts as empty, also blank letters and marks such as the Hangul filler.
export const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Checked before it leaves the browser; the server decides again. */
export function messageError(typed: string): string | null {
  if (!VISIBLE.test(withoutMarkup(typed))) return MESSAGE_EMPTY;
  return charactersLeft(typed) < 0 ? MESSAGE_TOO_LONG : null;
}

export const charactersLeft = (typed: string) =>
  CHAT_MESSAGE_MAX -
  withoutMarkup(typed)
    .trim()
    .replace(/\n{3,}/g, "\n\n").length;

/** Without what a browser would read as tags, also nested ones; "<3" and "a < b" stay. One pass,
 * since the text may be long. */
export function withoutMarkup(text: string): string {
  const left: string[] = [];
  const opened: number[] = [];
  for (const character of text) {
    const start = character === ">" ? opened.pop() : undefined;
    if (start !== undefined && /^[/!?a-z]/i.test(left[start + 1] ?? "")) {
      left.length = start;
      continue;
    }
    if (character === "<") opened.push(left.length);
    left.push(character);
  }
  return left.join("");
}
