import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ReactNode } from "react";
import satori, { type Font } from "satori";
import { projectRoot } from "#app/platform/root.server.ts";

const ARCHIVO = path.join(projectRoot, "node_modules", "@fontsource", "archivo", "files");
const NOTO = path.join(projectRoot, "app", "platform", "fonts");
const SCRIPTS = path.join(NOTO, "scripts");
const PARTS = [
  ...["latin", "latin-ext", "vietnamese"].map((part) => path.join(ARCHIVO, `archivo-${part}`)),
  ...["cyrillic", "cyrillic-ext", "greek", "greek-ext"].map((part) =>
    path.join(NOTO, `noto-sans-${part}`),
  ),
];
const WEIGHTS = [500, 800] as const;
const FAMILIES = PARTS.map((part) => path.basename(part)).join(", ");

const readFonts = readOnce(() =>
  Promise.all(PARTS.flatMap((part) => WEIGHTS.map((weight) => readFont(part, weight)))),
);

function readFont(part: string, weight: Font["weight"]): Promise<Font> {
  return toFont(path.basename(part), weight, `${part}-${weight}-normal.woff`);
}

async function toFont(name: string, weight: Font["weight"], file: string): Promise<Font> {
  return { name, weight, style: "normal", data: await readFile(file) };
}

export async function drawSvg(drawing: ReactNode, width: number, height: number): Promise<string> {
  const style = { display: "flex", width: "100%", height: "100%", fontFamily: FAMILIES };
  const element = { type: "div", props: { style, children: drawing } } as unknown as ReactNode;
  const fonts = await readFonts();
  // Satori asks for exactly the characters that these fonts lack, and keeps what it gets.
  const loadAdditionalAsset = (_: string, text: string) => readScripts(text);
  return satori(element, { width, height, fonts, loadAdditionalAsset });
}

/** What our fonts cannot draw, even in capitals, loses its marks or goes. May be empty. */
export async function drawableText(text: string): Promise<string> {
  const line = text.normalize("NFC").replace(/\s+/g, " ").trim();
  if (/^[ -~]*$/.test(line)) return line;
  const missing = await findMissing(line + line.toUpperCase());
  const lacks = (char: string) => [...(char + char.toUpperCase())].some((c) => missing.has(c));
  const bare = [...line].map((char) => (lacks(char) ? withoutMarks(char) : char));
  return bare.join("").replace(/\s+/g, " ").trim();
}

async function findMissing(text: string): Promise<Set<string>> {
  const parts = await listParts();
  const others = [...text].filter((char) => !parts.has(char)).join("");
  const missing = new Set<string>(others.match(UNDRAWABLE) ?? []);
  const loadAdditionalAsset = async (_: string, segment: string) => {
    for (const char of segment) missing.add(char);
    return [];
  };
  const style = { display: "flex", fontFamily: FAMILIES, fontWeight: 800 };
  const children = others.replace(UNDRAWABLE, "");
  const element = { type: "div", props: { style, children } } as unknown as ReactNode;
  const fonts = await readFonts();
  await satori(element, { width: 4_000, height: 100, fonts, loadAdditionalAsset });
  return missing;
}

const UNDRAWABLE = /[\p{C}\p{M}\p{Extended_Pictographic}]/gu;

function withoutMarks(char: string): string {
  const [base = ""] = char.normalize("NFD");
  const isOurs = /[A-Za-z\p{Script=Cyrillic}\p{Script=Greek}]/u.test(base);
  return isOurs && base !== char ? base : "";
}

const scripts = new Map<string, () => Promise<Font>>();

async function readScripts(text: string): Promise<Font[]> {
  const parts = await listParts();
  const names = new Set([...text].flatMap((char) => parts.get(char) ?? []));
  for (const name of names) {
    const file = path.join(SCRIPTS, `${name}.woff2`);
    const read = readOnce(() => toFont(name, 700, file));
    if (!scripts.has(name)) scripts.set(name, read);
  }
  return Promise.all([...names].map((name) => scripts.get(name)!()));
}

/** Maps each character to its part; ranges.json lists them as "5d0-5ea,5ef". */
const listParts = readOnce(async () => {
  const file = await readFile(path.join(SCRIPTS, "ranges.json"), "utf8");
  const parts = new Map<string, string>();
  for (const [name, ranges] of Object.entries<string>(JSON.parse(file))) {
    for (const range of ranges.split(",")) {
      const [first = 0, last = first] = range.split("-").map((hex) => parseInt(hex, 16));
      for (let code = first; code <= last; code += 1) parts.set(String.fromCodePoint(code), name);
    }
  }
  return parts;
});

/** What failed is read again by the next who asks. */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  const retryLater = (error: unknown) => {
    result = undefined;
    throw error;
  };
  return () => (result ??= read().catch(retryLater));
}
