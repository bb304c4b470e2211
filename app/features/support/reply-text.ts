import { manyLines } from "#app/platform/text.ts";
import { MESSAGE_MAX } from "./rules.ts";

/** What the player wrote above the quote of `sent`, the email that is replied to; all of it where
 * it is not certain that nothing else would be cut off. Never with a secret reply address. */
export function replyText(text: string, attachments: number, sent: string): string {
  const lines = manyLines(text.slice(0, TEXT_MAX)).split("\n");
  const written = withoutQuote(lines, sent).join("\n").trim() || lines.join("\n").trim();
  const files = attachments === 1 ? "1 attachment was" : `${attachments} attachments were`;
  const note = attachments > 0 ? `\n\n[${files} not kept.]` : "";
  const kept = [...withoutTokens(written)].slice(0, MESSAGE_MAX - note.length).join("");
  return (kept + note).trim();
}

// Far above what is kept, so that only a quote is cut short, and no mail takes long.
const TEXT_MAX = 50_000;
const HEADS_MAX = 20;

/** Matches any answer, also percent-encoded or broken across lines; as in migration 041. */
const TOKEN = /(?:\+|%2b)([\s>\da-f]+)(@|%40)/gi;

const withoutTokens = (text: string) =>
  text.replace(TOKEN, (found, token: string, end: string) =>
    token.replace(/[\s>]+/g, "").length === 32 ? end : found,
  );

/** The words with which mail programs begin a quote, in lower case. */
const LANGUAGES = {
  en: {
    from: ["from"],
    date: ["sent", "date"],
    other: ["to", "cc", "subject", "reply-to", "importance"],
    original: ["original message"],
    wrote: ["wrote"],
  },
  fi: {
    from: ["lähettäjä"],
    date: ["lähetetty", "päivämäärä", "päiväys"],
    other: ["vastaanottaja", "saaja", "kopio", "aihe", "vastausosoite", "tärkeys"],
    original: ["alkuperäinen viesti"],
    wrote: ["kirjoitti"],
  },
  sv: {
    from: ["från"],
    date: ["skickat", "skickades", "datum"],
    other: ["till", "kopia", "ämne", "rubrik", "svara till", "prioritet"],
    original: ["ursprungligt meddelande", "originalmeddelande"],
    wrote: ["skrev"],
  },
};
const OTHER_WROTE = ["schrieb", "scrisse", "schreef", "escreveu", "escribió", "écrit"];

type Kind = keyof (typeof LANGUAGES)["en"];
const wordsFor = (...kinds: Kind[]) =>
  new Set(Object.values(LANGUAGES).flatMap((language) => kinds.flatMap((kind) => language[kind])));

const FROM = wordsFor("from");
const DATE_LABELS = wordsFor("date");
const LABELS = wordsFor("from", "date", "other");
const ORIGINAL = wordsFor("original");
const WROTE = new Set([...wordsFor("wrote"), ...OTHER_WROTE]);
const RULE = /^_{20,}$/;

/** "from" of "From: …" or "*From:* …". */
function labelOf(line: string | undefined): string | null {
  const [, label] = /^\*?([\p{L} -]{1,30}):/u.exec(line ?? "") ?? [];
  return label?.trim().toLowerCase() ?? null;
}

const isIn = (words: Set<string>, line: string | undefined) => words.has(labelOf(line) ?? "");

function isOriginal(line: string): boolean {
  const [, words = ""] = /^-{3,20}([^-]{1,60})-{3,20}$/.exec(line) ?? [];
  return ORIGINAL.has(words.trim().toLowerCase());
}

function withoutQuote(lines: string[], sent: string): string[] {
  const known = ` ${wordsOf(sent)} `;
  let heads = 0;
  for (const index of lines.keys()) {
    const isMarked = lines[index]!.startsWith(">");
    const head = heads < HEADS_MAX && !isMarked ? headAt(lines, index) : null;
    if (!head) continue;
    heads += 1;
    if (isQuote(lines.slice(head.end), known, head.isHeader)) {
      return lines.slice(0, head.start);
    }
  }
  const last = lines.findLastIndex((line) => !line.startsWith(">") && line.trim() !== "");
  const marked = lines.slice(last + 1).map((line) => line.replace(/^[>\s]+/, ""));
  return isWholeQuote(marked, known) ? lines.slice(0, last + 1) : lines;
}

/** Without a head above its marks, which the player may have written as well. */
function isWholeQuote(lines: string[], known: string): boolean {
  const start = skipEmpty(lines, 0);
  const head = start < lines.length ? headAt(lines, start) : null;
  return isQuote(head ? lines.slice(head.end) : lines, known, head?.isHeader ?? false);
}

interface Head {
  start: number;
  end: number;
  /** True for labels, below which a mail server may have put a notice about the sender. */
  isHeader: boolean;
}

function headAt(lines: string[], index: number): Head | null {
  const line = lines[index]!.trim();
  if (RULE.test(line)) {
    const end = headerEnd(lines, skipEmpty(lines, index + 1), true);
    return end === null ? null : { start: index, end, isHeader: true };
  }
  if (isOriginal(line)) {
    const below = skipEmpty(lines, index + 1);
    const inner = below < lines.length ? innerHead(lines, below) : null;
    return { start: index, end: inner?.end ?? below, isHeader: inner?.isHeader ?? false };
  }
  return innerHead(lines, index);
}

function innerHead(lines: string[], index: number): Head | null {
  const end = headerEnd(lines, index, false);
  if (end !== null) return { start: index, end, isHeader: true };
  return attributionAt(lines, index);
}

/** "From:" and "Sent:", in this order, and the labels below; after a rule in any language. */
function headerEnd(lines: string[], start: number, isOfAnyLanguage: boolean): number | null {
  const second = skipEmpty(lines, start + 1);
  const isHeader = isOfAnyLanguage
    ? labelOf(lines[start]) !== null && labelOf(lines[second]) !== null
    : isIn(FROM, lines[start]) && isIn(DATE_LABELS, lines[second]);
  if (!isHeader) return null;
  let end = second + 1;
  for (let next = end; isIn(LABELS, lines[next]); next = skipEmpty(lines, end)) end = next + 1;
  return end;
}

function skipEmpty(lines: string[], from: number): number {
  let index = from;
  while (index < lines.length && lines[index]!.trim() === "") index += 1;
  return index;
}

/** "On Mon, Nov 23, 2026 at 12:00 Kickabout <…> wrote:", which begins here, on up to four lines. */
function attributionAt(lines: string[], start: number): Head | null {
  for (let end = start + 1; end <= start + 4 && lines[end - 1]?.trim(); end += 1) {
    if (!lines[end - 1]!.trimEnd().endsWith(":")) continue;
    return start === attributionStart(lines, end) ? { start, end, isHeader: false } : null;
  }
  return null;
}

/** Takes as few lines as name a date and a sender: those above may be the player's. */
function attributionStart(lines: string[], end: number): number | null {
  for (let start = end - 1; start >= Math.max(end - 3, 0) && lines[start]!.trim(); start -= 1) {
    const text = lines.slice(start, end).join(" ");
    if (!DATE.test(text) || !namesSender(text)) continue;
    return /^[^<>]{0,80}<[^<>\s]{1,200}>$/.test(lines[start - 1] ?? "") ? start - 1 : start;
  }
  return null;
}

// What a player has written ends with a colon too, but hardly with a date and a sender.
const DATE = /\b20\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b/;

function namesSender(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return text.includes("@") || words.some((word) => WROTE.has(word));
}

/** Whether all is marked as a quote, or all was in the email, in its order: otherwise there are
 * answers between the lines. */
function isQuote(lines: string[], known: string, isHeader: boolean): boolean {
  const written = lines.filter((line) => wordsOf(line) !== "");
  const marked = written.filter((line) => line.startsWith(">")).length;
  if (marked > 0) return marked === written.length;
  let position = 0;
  let notice = "";
  for (const line of written) {
    const words = wordsOf(line);
    const at = known.indexOf(` ${words} `, position);
    if (at !== -1) position = at + words.length;
    else if (position === 0 && isHeader) notice += line;
    else return false;
  }
  // "You don't often get email from …", or the rest of a label.
  return position > 0 && (notice === "" || (notice.length < 300 && /[@<]|https?:/.test(notice)));
}

/** In lower case, without what programs add to links and images. */
function wordsOf(text: string): string {
  const words = text.replace(/<[^<>]*>|\[[^[\]]*\]|https?:\S+/g, " ").toLowerCase();
  return words.match(/[\p{L}\p{N}]+/gu)?.join(" ") ?? "";
}
