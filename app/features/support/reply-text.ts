import { composed, manyLines } from "#app/platform/text.ts";
import { MESSAGE_MAX } from "./rules.ts";

/** What was written above the quoted answer; all of it where nothing is above. */
export function replyText(text: string, attachments: number): string {
  const lines = manyLines(composed(text)).split("\n");
  const written = withoutQuote(lines).join("\n").trim() || lines.join("\n").trim();
  const files = attachments === 1 ? "1 attachment was" : `${attachments} attachments were`;
  const note = attachments > 0 ? `\n\n[${files} not kept.]` : "";
  const kept = [...written].slice(0, MESSAGE_MAX - note.length).join("");
  return (kept + note).trim();
}

function withoutQuote(lines: string[]): string[] {
  const outlook = lines.findIndex((line, index) => {
    const [next = "", later = ""] = lines.slice(index + 1).filter((each) => each.trim());
    return (
      /^-{3,} ?original message ?-{3,}$/i.test(line) ||
      // "From:" and "Sent:" in the player's language; a line of one's own has none below.
      (/^_{20,}$/.test(line) && HEADER.test(next) && HEADER.test(later)) ||
      (/^\*?from:/i.test(line) && /^\*?(sent|date):/i.test(lines[index + 1] ?? ""))
    );
  });
  if (outlook !== -1) return lines.slice(0, outlook);
  const last = lines.findLastIndex((line) => !line.startsWith(">") && line.trim() !== "");
  if (!lines.slice(last + 1).some((line) => line.startsWith(">"))) return lines;
  return lines.slice(0, last + 1 - attributionLines(lines.slice(0, last + 1)));
}

const HEADER = /^\*?\p{L}+\*?:/u;

/** "On Mon, Nov 23, 2026 at 12:00 Kickabout <…> wrote:", on up to three lines; 0 where it is none. */
function attributionLines(above: string[]): number {
  if (!above.at(-1)?.trimEnd().endsWith(":")) return 0;
  const counts = [1, 2, 3].filter((count) => {
    const lines = above.slice(-count);
    const text = lines.join(" ");
    return lines.every((line) => line.trim()) && DATE.test(text) && SENDER.test(text);
  });
  return counts[0] ?? 0;
}

// What a player has written ends with a colon too, but hardly with a date and a sender.
const DATE = /\b20\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b/;
const SENDER = /@|\b(wrote|kirjoitti|skrev|schrieb|scrisse|schreef|escreveu|escribió|écrit)\b/i;
