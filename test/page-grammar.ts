import { Script } from "node:vm";

export interface Tag {
  name: string;
  isEnd: boolean;
  attributes: Record<string, string>;
  /** What stands behind it, up to the next tag. */
  text: string;
}

export interface Page {
  tags: Tag[];
  /** Whatever a text could have brought in. */
  problems: string[];
}

const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[a-zA-Z][\w:.-]*(?:="[^"<>]*")?)*)\s*\/?>/y;
const SCRIPT = /<script((?:\s+[a-zA-Z][\w:.-]*(?:="[^"<>]*")?)*)>([^]*?)<\/script>/y;
// React's own marks, and those that programs for mail read.
const COMMENT = /<!--(?: |\/?[$&][!?~]?|\/|html|body|head|\$\?|[\w ]*)-->|<!DOCTYPE html[^<>]*>/iy;
const TEXT = /[^<>]+/y;

/**
 * Reads a page by the narrow grammar that the site writes: quoted attributes, no bare < or >, the
 * page's own scripts. What a text smuggles in does not fit it, whatever a browser makes of it.
 */
export function readPage(html: string): Page {
  const page: Page = { tags: [], problems: [] };
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(html);
    if (found) at += found[0].length;
    return found;
  };
  while (at < html.length) {
    const script = take(SCRIPT);
    const tag = script ? null : take(TAG);
    if (script) page.problems.push(...scriptProblems(attributesOf(script[1]!), script[2]!));
    else if (tag) addTag(page, tag);
    else if (!take(COMMENT)) {
      const text = take(TEXT);
      const last = page.tags.at(-1);
      if (text && last) last.text += decode(text[0]);
      if (text) continue;
      page.problems.push(`no markup of ours: ${html.slice(at, at + 80)}`);
      break;
    }
  }
  return page;
}

function addTag(page: Page, [, slash, name = "", attributes = ""]: RegExpExecArray) {
  const tag = { name, isEnd: slash === "/", attributes: attributesOf(attributes), text: "" };
  page.tags.push(tag);
  page.problems.push(...tagProblems(tag));
}

function attributesOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/([a-zA-Z][\w:.-]*)(?:="([^"]*)")?/g);
  return Object.fromEntries(
    Array.from(pairs, ([, name, value = ""]) => [name!.toLowerCase(), decode(value)]),
  );
}

const NAMED: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", nbsp: "\u00a0" };

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, ten, name: string) => {
    if (hex) return String.fromCodePoint(parseInt(hex, 16));
    return ten ? String.fromCodePoint(Number(ten)) : (NAMED[name] ?? whole);
  });
}

const ACTIVE =
  /^(base|iframe|frame|object|embed|applet|math|animate|foreignobject|set|use|style)$/i;
/** Attributes that a browser goes to by itself or when a person presses something. */
const ADDRESSES = ["href", "src", "action", "formaction", "xlink:href", "poster", "data"];

function tagProblems({ name, attributes }: Tag): string[] {
  const found = ACTIVE.test(name) ? [`an element ${name}`] : [];
  for (const [key, value] of Object.entries(attributes)) {
    if (/^on|^srcdoc$/.test(key)) found.push(`${name} ${key}`);
    if (ADDRESSES.includes(key) && !isOwn(name, value)) found.push(`${name} ${key}=${value}`);
    if (key === "http-equiv" && !isOwnMeta(value, attributes.content)) found.push(`meta ${value}`);
  }
  return found;
}

/** A path of the site or a picture in the page; a link may also lead to another site or a mail. */
function isOwn(name: string, value: string): boolean {
  if (name === "a" && /^(https?:\/\/[^/\\]|mailto:|tel:\+?\d+$)/.test(value)) return true;
  if (/^(http:\/\/kickabout\.test\/|data:image\/)/.test(value)) return true;
  return /^(\/(?![/\\])|#|\?|\.\/|$)/.test(value) && !/\p{Cc}/u.test(value);
}

/** What a page says of its letters, or that it asks again for one of the site's. */
function isOwnMeta(kind: string, content = ""): boolean {
  const [, again] = /^\d+;url=(.*)$/s.exec(content) ?? [];
  return kind === "Content-Type" || (kind === "refresh" && !!again && isOwn("meta", again));
}

function scriptProblems({ type = "", src, nonce }: Record<string, string>, text: string): string[] {
  if (src !== undefined) return isOwn("script", src) ? [] : [`script src=${src}`];
  if (/<\/?script|<!--/i.test(text)) return [`a script holds markup: ${text.slice(0, 80)}`];
  // The module that starts the others stands in the page as text at first.
  const isModule = type === "module" || type === "text/later";
  try {
    if (type.includes("json")) JSON.parse(text);
    else new Script(isModule ? text.replace(/^\s*import\b.*$/gm, "") : text);
  } catch (error) {
    if (!isModule) return [`a broken script: ${String(error)}`];
  }
  return type.includes("json") || nonce !== "" ? [] : ["a script without a nonce"];
}
