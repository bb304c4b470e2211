import { createHash } from "node:crypto";
import { Script } from "node:vm";
import { type DefaultTreeAdapterMap, parse } from "parse5";

type Node = DefaultTreeAdapterMap["node"];

/** An element as a browser finds it. */
export interface Tag {
  name: string;
  attributes: Record<string, string>;
  text: string;
  parent: Tag | null;
}

export interface Page {
  tags: Tag[];
  /** What an injected text could have caused. */
  problems: string[];
}

// React's own marks, and those that programs for mail read.
const COMMENT = /^(?: |\/?[$&][!?~]?|\/|html|body|head|\$\?|[\w ]*)$/i;
const ATTRIBUTE = /^[a-z][\w:.-]*(?:="[^"<>]*")?$/i;

/**
 * Reads a page as a browser does, and holds its source to what the site writes: no parse error,
 * quoted attributes, no bare < or >, its own comments, and no script but those that its content
 * security policy lets run, by their nonce or hash.
 */
export function readPage(html: string, policy = ""): Page {
  const page: Page = { tags: [], problems: [] };
  const say = (problem: string, at = 0) =>
    page.problems.push(`${problem}: ${html.slice(at, at + 80)}`);
  let endTags = 0;
  const visit = (node: Node, parent: Tag | null) => {
    const place = node.sourceCodeLocation;
    const source = place ? html.slice(place.startOffset, place.endOffset) : "";
    if ("data" in node && !COMMENT.test(node.data)) say("a comment", place?.startOffset);
    if ("value" in node && parent) parent.text += node.value;
    if ("value" in node && parent?.name !== "script" && /[<>]/.test(source)) {
      say("no markup of ours", place?.startOffset);
    }
    if ("value" in node && parent?.name === "script") endTags += countEndTags(source);
    if ("tagName" in node && node.sourceCodeLocation?.endTag) endTags += 1;
    const tag = "tagName" in node ? tagOf(node, parent) : parent;
    if (tag && tag !== parent) page.tags.push(tag);
    if ("attrs" in node) {
      for (const { startOffset, endOffset } of Object.values(
        node.sourceCodeLocation?.attrs ?? {},
      )) {
        if (!ATTRIBUTE.test(html.slice(startOffset, endOffset))) say("an attribute", startOffset);
      }
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child, tag);
    if ("content" in node) visit(node.content, tag);
  };
  const document = parse(html, {
    scriptingEnabled: false,
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startOffset }) => {
      if (!HARMLESS.has(code)) say(code, startOffset);
    },
  });
  visit(document, null);
  // A browser passes over those that end nothing.
  if (countEndTags(html) !== endTags) page.problems.push("an end tag without its element");
  for (const tag of page.tags) page.problems.push(...problemsOf(tag, policy));
  return page;
}

/** What of a document's structure is invalid, of what the long check of all of it has found. */
export function structureProblems({ tags }: Page): string[] {
  const problems: string[] = [];
  // A picture in the page has a title too.
  const titles = tags.filter(({ name, parent }) => name === "title" && parent?.name !== "svg");
  if (titles.length !== 1) problems.push(`${titles.length} titles`);
  let level = 0;
  for (const tag of tags) {
    const heading = Number(/^h([1-6])$/.exec(tag.name)?.[1] ?? 0);
    if (heading > level + 1) problems.push(`h${heading} after h${level}: ${tag.text}`);
    if (heading > 0) level = heading;
    const inHeader = /^(header|footer)$/.test(tag.name) && isWithin(tag, "header");
    if (inHeader) problems.push(`${tag.name} within header`);
    const { role, type } = tag.attributes;
    if (tag.name === "button" && role && !type)
      problems.push(`button of role ${role} without type`);
  }
  return problems;
}

function isWithin({ parent }: Tag, name: string): boolean {
  return parent !== null && (parent.name === name || isWithin(parent, name));
}

// Mails have an older doctype; a control character may be shown and makes no markup.
const HARMLESS = new Set([
  "missing-doctype",
  "non-conforming-doctype",
  "control-character-in-input-stream",
  "noncharacter-in-input-stream",
]);

const countEndTags = (source: string) => source.split("</").length - 1;

function tagOf({ tagName, attrs }: DefaultTreeAdapterMap["element"], parent: Tag | null): Tag {
  const pairs = attrs.map(({ prefix, name, value }) => [
    prefix ? `${prefix}:${name}` : name,
    value,
  ]);
  return { name: tagName, attributes: Object.fromEntries(pairs), text: "", parent };
}

function problemsOf(tag: Tag, policy: string): string[] {
  return tag.name === "script" ? scriptProblems(tag, policy) : tagProblems(tag);
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

/** A path of the site or a picture in the page; a link may lead elsewhere too. */
function isOwn(name: string, value: string): boolean {
  const isElsewhere = /^(https?:\/\/[^/\\]|mailto:|tel:\+?\d+$|webcal:\/\/kickabout\.test\/)/;
  if (name === "a" && isElsewhere.test(value)) return true;
  if (/^(http:\/\/kickabout\.test\/|data:image\/)/.test(value)) return true;
  return /^(\/(?![/\\])|#|\?|\.\/|$)/.test(value) && !/\p{Cc}/u.test(value);
}

/** The encoding of a page, or a refresh to one of the site's own. */
function isOwnMeta(kind: string, content = ""): boolean {
  const [, again] = /^\d+;url=(.*)$/s.exec(content) ?? [];
  return kind === "Content-Type" || (kind === "refresh" && !!again && isOwn("meta", again));
}

function scriptProblems({ attributes, text }: Tag, policy: string): string[] {
  const { type = "", src, nonce } = attributes;
  if (src !== undefined) return isOwn("script", src) ? [] : [`script src=${src}`];
  if (/<\/?script|<!--/i.test(text)) return [`a script holds markup: ${text.slice(0, 80)}`];
  // The module that starts the others is in the page as text at first.
  const isModule = type === "module" || type === "text/later";
  try {
    if (type.includes("json")) JSON.parse(text);
    else new Script(isModule ? text.replace(/^\s*import\b.*$/gm, "") : text);
  } catch (error) {
    if (!isModule) return [`a broken script: ${String(error)}`];
  }
  const hash = createHash("sha256").update(text).digest("base64");
  const isAllowed = policy.includes(nonce ? `'nonce-${nonce}'` : `'sha256-${hash}'`);
  return type.includes("json") || isAllowed ? [] : ["a script that the policy does not name"];
}
