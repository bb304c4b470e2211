import { manyLines, seen } from "#app/platform/text.ts";

const CHAT_MESSAGE_MAX = 500;
export const MESSAGE_EMPTY = "Message cannot be empty";
const MESSAGE_TOO_LONG = `Message is too long (max ${CHAT_MESSAGE_MAX} characters)`;

/** What becomes of what was typed, in the browser as on the server: it counts, and is stored. */
export const messageText = (typed: string) =>
  manyLines(withoutMarkup(seen(typed))).replace(/\n{3,}/g, "\n\n");

/** What is wrong with what was typed, said before it leaves the browser and again on the server. */
export function messageError(typed: string): string | null {
  const message = messageText(typed);
  if (!message) return MESSAGE_EMPTY;
  return left(message) < 0 ? MESSAGE_TOO_LONG : null;
}

export const charactersLeft = (typed: string) => left(messageText(typed));

/** By code points, as length() of PostgreSQL counts. */
const left = (message: string) => CHAT_MESSAGE_MAX - [...message].length;

/** Without what a browser would read as tags, also nested ones; "<3" and "a < b" stay, and of the
 * "<https://…>" of a mail program the address. One pass, since the text may be long. */
const ADDRESS = /^(https?:\/\/[^\s<>"']+|www\.[^\s<>"'=]+|[^\s<>"'=/@]+@[^\s<>"'=/@]+)$/i;

export function withoutMarkup(text: string): string {
  const left: string[] = [];
  const opened: number[] = [];
  for (const character of text) {
    const start = character === ">" ? opened.pop() : undefined;
    if (start !== undefined && /^[/!?a-z]/i.test(left[start + 1] ?? "")) {
      const inside = left.splice(start).slice(1);
      if (inside.length <= CHAT_MESSAGE_MAX && ADDRESS.test(inside.join(""))) left.push(...inside);
      continue;
    }
    if (character === "<") opened.push(left.length);
    left.push(character);
  }
  return left.join("");
}
