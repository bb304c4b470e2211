/** Texts of one repeated part, on which patterns and loops that go back take the most steps. */
export const WORST_PARTS = [
  ..."<>()[]{} -.,;:/\\\"'=&%+@*^$|?!#~_`\t\r\n\0aA0éß",
  ...[
    "\u0301",
    "\u0345",
    "\u200d",
    "\ufeff",
    "👩",
    "\ud800",
    "a@",
    "a.",
    "<!---->",
    "<a ",
    "<script",
  ],
  ...[
    "\r\n",
    "--",
    "%00",
    "%F0",
    "&#",
    "](",
    "](((",
    "{{",
    "\\u0000",
    "; ",
    ", ",
    "..",
    "../",
    "://",
  ],
];

/** The part so often that it fills so many bytes as a form sends them. */
export function fill(part: string, bytes: number): string {
  const sent = new URLSearchParams([["", part]]).toString().length - 1;
  return part.repeat(Math.max(1, Math.floor(bytes / sent)));
}

/** Marks in the order that takes the most steps to put right. */
export function disorderedMarks(bytes: number): string {
  const each = Math.floor(bytes / 12);
  return `a${"\u0345".repeat(each)}${"\u0334".repeat(each)}`;
}

const FORM_TYPE = "application/x-www-form-urlencoded";
const BOUNDARY = "----x";
const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form of many short names, none of them twice. */
export function manyNames(bytes: number): Blob {
  let text = "";
  for (let n = 0; text.length < bytes - 8; n += 1) text += `${n.toString(36)}&`;
  return new Blob([text], { type: FORM_TYPE });
}

/** Bodies that no form sends, as large as this, by what they are made of. */
export function worstBodies(bytes: number): Map<string, Blob> {
  const plain = (part: string) => new Blob([part.repeat(bytes / part.length)], { type: FORM_TYPE });
  const parts = (part: string) => {
    const end = `--${BOUNDARY}--\r\n`;
    const text = part.repeat((bytes - 100) / part.length);
    return new Blob([`--${BOUNDARY}\r\n`, text, end], { type: MULTIPART_TYPE });
  };
  const named = (name: string) => `Content-Disposition: form-data; name="${name}"\r\n`;
  return new Map([
    ["many names", manyNames(bytes)],
    ["one name", plain("a&")],
    ["separators", plain("&")],
    ["signs", plain("=&")],
    ["escapes", plain("%00")],
    ["half escapes", plain("%")],
    ["empty parts", parts(`${named("a")}\r\n\r\n--${BOUNDARY}\r\n`)],
    ["parts without a name", parts(`\r\n\r\n--${BOUNDARY}\r\n`)],
    ["a long header", parts(";a=")],
    ["many headers", parts("a:b\r\n")],
    ["header with quotes", parts(`${named('a"b\\"')}`)],
    ["almost boundaries", parts(`${BOUNDARY.slice(0, -1)}\r\n--`)],
    ["line ends", parts("\r\n")],
    ["a file of line ends", parts(`${named('a"; filename="b')}\r\n${"\r\n--".repeat(1_000)}`)],
  ]);
}

/** The CPU time of this process that an answer takes, in ms: the least of a few tries over a limit. */
export async function cpuMs(ask: () => Promise<unknown>, limit = 0): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < 5 && least > limit; tries += 1) {
    const before = process.cpuUsage();
    await ask();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
