import { fillIn, type FoundForm } from "./page-forms.ts";

/** Texts of one repeated part, on which patterns and loops that go back take the most steps. */
const WORST_PARTS = [
  ..."<>([{ -.,;:/\\\"'=&%+@\t\0aA0é",
  ...[
    "\u0301",
    "\u0345",
    "\u200d",
    "\ufeff",
    "👩",
    "\ud800",
    "a@",
    "a.",
    "<>",
    'x‹"…">',
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

/** The part so often that it fills so many bytes of a body. */
function fill(part: string, bytes: number): string {
  return part.repeat(Math.floor(bytes / Buffer.byteLength(escaped(part))));
}

/** Only what would end the text is written otherwise: a browser escapes more, and so sends less. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("&", "%26").replaceAll("+", "%2B");
}

/** Marks in the order that takes the most steps to put right. */
function disorderedMarks(bytes: number): string {
  const each = Math.floor(bytes / 4);
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

/** Queries as long as an address may be: of each name alone, of all, and of many others. */
export function* worstQueries(names: string[], only?: string[]): Generator<string> {
  for (const part of only ?? WORST_PARTS) {
    const text = fill(part, 7_500).toWellFormed();
    yield new URLSearchParams(
      names.map((name) => [name, text.slice(0, 7_000 / names.length / 3)]),
    ).toString();
    for (const name of [",", "a ", "<"].includes(part) ? names : []) {
      yield new URLSearchParams([[name, text]]).toString().slice(0, 7_900);
    }
  }
  yield "a=&".repeat(2_600);
  const paths = Array.from({ length: 299 }, (_, n) => `admin/games/${n}`);
  yield `version=1&paths=${paths.join()}`;
}

const LARGEST_TEXT = 512 * 1024;

/** Bodies that no form sends, as large as this, by what they are made of. */
function worstBodies(bytes: number): Map<string, Blob> {
  // Only files make a form as large as some may be.
  const text = Math.min(bytes, LARGEST_TEXT);
  const plain = (part: string) => new Blob([part.repeat(text / part.length)], { type: FORM_TYPE });
  const parts = (part: string) => {
    const end = `--${BOUNDARY}--\r\n`;
    const body = part.repeat((bytes - 100) / part.length);
    return new Blob([`--${BOUNDARY}\r\n`, body, end], { type: MULTIPART_TYPE });
  };
  const named = (name: string) => `Content-Disposition: form-data; name="${name}"\r\n`;
  return new Map([
    ["many names", manyNames(text)],
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

/** Each of a form's fields filled with each of the worst texts, and bodies that no form sends. */
export function* worstForms(form: FoundForm, only?: string[]): Generator<[string, Blob]> {
  const bytes = bodyLimit(form);
  for (const name of new Set(form.fields.map((field) => field.name))) {
    for (const part of [...WORST_PARTS, "marks"]) {
      if (only && !only.includes(part)) continue;
      const text = part === "marks" ? disorderedMarks(bytes - 2_000) : fill(part, bytes - 2_000);
      const fields = fillIn(form, { [name]: text });
      const what = `${name} of ${JSON.stringify(part)}`;
      yield [what, form.isMultipart ? multipart(fields) : urlencoded(fields)];
    }
  }
  if (!only) yield* worstBodies(bytes);
}

/** Limits of app/platform/http.server.ts. */
function bodyLimit({ path, isMultipart }: FoundForm): number {
  if (path.startsWith("/admin/legal/")) return LARGEST_TEXT;
  const isLarge = isMultipart && /^\/(profile|admin\/partners\/|.*\/photos)/.test(path);
  return (isLarge ? 6 * 1024 : 64) * 1024;
}

function urlencoded(fields: [string, string][]): Blob {
  const pairs = fields.map(([name, value]) => `${name}=${escaped(value)}`);
  return new Blob([pairs.join("&")], { type: FORM_TYPE });
}

function multipart(fields: [string, string][]): Blob {
  const parts = fields.map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return new Blob([...parts, `--${BOUNDARY}--\r\n`], { type: MULTIPART_TYPE });
}

/** The CPU time of this process that an answer takes: the least of a few tries where it is over. */
export async function costOf(post: () => Promise<number>, limitMs = 0) {
  let [ms, status] = [Infinity, 0];
  for (let tries = 0; tries < 5 && ms > limitMs; tries += 1) {
    const before = process.cpuUsage();
    status = await post();
    const { user, system } = process.cpuUsage(before);
    ms = Math.min(ms, (user + system) / 1_000);
  }
  return { ms, status };
}
