/** NFC; cuts after 30 marks (UAX 15, Stream-Safe), since ordering n marks takes n² steps. */
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

export function unaccented(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

/** Puts https:// before "kickabout.example/x", as people type it; keeps anything else. */
export function completeAddress(typed: string): string {
  const [host = ""] = typed.split(/[/?#]/, 1);
  const labels = host.split(".");
  const isHost = labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]+$/u.test(label));
  return isHost ? `https://${typed}` : typed;
}

/** Null for any other scheme than http(s), and for what is no URL. */
export function webAddress(text: string | null): string | null {
  const url = URL.parse(text ?? "");
  return url && ["http:", "https:"].includes(url.protocol) ? url.href : null;
}
