/**
 * A text in its composed form (NFC). More than 30 marks in a row are cut first, as no language has
 * them (Unicode Standard Annex 15, Stream-Safe Text): putting n marks in order takes n² steps.
 */
export function composed(text: string): string {
  return text.replace(/\p{M}+/gu, (marks) => [...marks].slice(0, 30).join("")).normalize("NFC");
}

/** One line: line breaks and other control characters become spaces. PostgreSQL keeps no NUL. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}

/** Browsers send CRLF; other control characters become spaces. */
export function manyLines(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]+/gu, " ")
    .trim();
}

/** For a search without case and marks: "cote" finds "Côte d'Ivoire". */
export function unaccented(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
