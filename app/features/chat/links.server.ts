import { linkifyit } from "linkify-it";
import { webAddress } from "#app/platform/web-address.ts";

export interface TextPart {
  text: string;
  href?: string;
}

/** Finds user names too, so that a link with one is recognised, and left as text. */
const linkify = linkifyit({ urlAuth: true }).add("www.", {
  validate: (text, position, self) => self.testSchemaAt(text, "//", position),
});

/** A text with its web addresses as links; without a scheme only what begins with "www.". */
export function linkParts(body: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { schema, index, raw } of linkify.match(body) ?? []) {
    const [text = ""] = raw.split(/\p{C}/u, 1);
    const href = hrefOf(schema === "www." ? `https://${text}` : text);
    if (!href) continue;
    if (index > end) parts.push({ text: body.slice(end, index) });
    parts.push({ text: isOfOneScript(text) ? text : href, href });
    end = index + text.length;
  }
  if (end < body.length) parts.push({ text: body.slice(end) });
  return parts;
}

/** Null for "https://bank.example@other.example", which would lead elsewhere than it seems to. */
function hrefOf(address: string): string | null {
  const href = webAddress(address);
  return href && !new URL(href).username ? href : null;
}

/** Letters of other scripts can look like Latin ones: such a host is shown as the browser shows it. */
function isOfOneScript(address: string): boolean {
  const host = address.replace(/^https?:\/\//i, "");
  return /^[\p{Script=Latin}\p{M}\p{N}.:-]*([/?#]|$)/u.test(host);
}
