/** Words on one line: what would break it becomes a space. PostgreSQL keeps no NUL. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}

/** Words on several lines, which browsers send with CRLF; other control characters become spaces. */
export function manyLines(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]+/gu, " ")
    .trim();
}
