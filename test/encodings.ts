import type { Seen } from "./crawler.ts";

/** Each of these texts that stands in one of these answers, however it is written there. */
export function leaksIn(seen: Seen[], texts: string[]): string[] {
  const needles = texts.map((text) => ({ text, plain: plain(text), coded: base64Cores(text) }));
  const told = new Map<string, string>();
  // Many answers are the same, such as redirects; each is read once.
  for (const { path, head, body } of seen) {
    const bytes = `${head}\n${body.toString("utf8")}`;
    if (!told.has(bytes)) told.set(bytes, path);
  }
  return [...told].flatMap(([bytes, path]) => {
    const clear = plain(bytes);
    const isTold = ({ plain: words, coded }: (typeof needles)[number]) =>
      clear.includes(words) || coded.some((code) => bytes.includes(code));
    return needles.filter(isTold).map(({ text }) => `${path}: ${text}`);
  });
}

/** As it reads: escapes of HTML, JSON, JavaScript and addresses are undone, in lower case. */
function plain(text: string): string {
  return text
    .replace(/\\?\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/&#x([0-9a-f]+);|&#(\d+);/gi, (_, hex?: string, ten?: string) =>
      String.fromCodePoint(hex ? parseInt(hex, 16) : Number(ten)),
    )
    .replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex") + "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\\+(["'\\/])/g, "$1")
    .toLowerCase();
}

/** What base64 makes of a text inside a longer one, which may begin at any of three places. */
function base64Cores(text: string): string[] {
  const bytes = Buffer.from(text);
  if (bytes.length < 8) return [];
  return [0, 1, 2].map((skipped) => {
    const whole = bytes.subarray(skipped, bytes.length - ((bytes.length - skipped) % 3));
    return whole.toString("base64");
  });
}
