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
  const outlook = lines.findIndex(
    (line, index) =>
      /^-{3,} ?original message ?-{3,}$/i.test(line) ||
      /^_{20,}$/.test(line) ||
      (/^\*?from:/i.test(line) && /^\*?(sent|date):/i.test(lines[index + 1] ?? "")),
  );
  if (outlook !== -1) return lines.slice(0, outlook);
  const last = lines.findLastIndex((line) => !line.startsWith(">") && line.trim() !== "");
  if (last === lines.length - 1) return lines;
  // "On Mon, Nov 23, 2026 at 12:00 Kickabout <…> wrote:", on up to three lines.
  if (!lines[last]?.trimEnd().endsWith(":")) return lines.slice(0, last + 1);
  const above = lines.slice(0, last).findLastIndex((line) => line.trim() === "");
  return lines.slice(0, last - above <= 3 ? above + 1 : last);
}
