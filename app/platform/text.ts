/** NFC; cuts after 30 marks (UAX 15, Stream-Safe), since ordering n marks takes n² steps. */
export function composed(text: string): string {
  return text.replace(/\p{M}+/gu, (marks) => [...marks].slice(0, 30).join("")).normalize("NFC");
}

/** One line: line breaks and other control characters become spaces. PostgreSQL keeps no NUL. */
export function oneLine(text: string): string {
  return visible(text.replace(TURNING, "").replace(/[\p{Cc}\u2028\u2029]+/gu, " "));
}

/** Browsers send CRLF; other control characters become spaces. */
export function manyLines(text: string): string {
  const lines = text.replace(TURNING, "").replace(/\r\n?/g, "\n");
  return visible(lines.replace(/[^\P{Cc}\n\t]+/gu, " "));
}

// They would reverse what stands around the text; the marks of one direction (U+200E) do not.
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Trimmed, and empty where nothing of it can be seen; joiners stay between what can. */
export function visible(text: string): string {
  return VISIBLE.test(text) ? text.trim() : "";
}

// Letters and marks may be blank too, such as the Hangul filler, and Braille has a blank.
const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

export function unaccented(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
