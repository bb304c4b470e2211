import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

type Encoding = "br" | "gzip" | "identity";

export interface FinishedPage {
  headers: Record<string, string>;
  bodies: Record<Encoding, Buffer>;
}

/** Renders again once the facts differ. Concurrent misses share one rendering. */
export function createPageCache<Page = FinishedPage>(capacity = 500) {
  const entries = new Map<string, { facts: string; page: Promise<Page> }>();
  return {
    getOrRender(key: string, facts: string, render: () => Promise<Page>) {
      const known = entries.get(key);
      const entry = known?.facts === facts ? known : { facts, page: render() };
      entries.delete(key);
      entries.set(key, entry);
      if (entry !== known) {
        if (entries.size > capacity) entries.delete(entries.keys().next().value!);
        const drop = () => entries.get(key) === entry && entries.delete(key);
        entry.page.catch(drop);
      }
      return entry.page;
    },
    drop: (key: string) => entries.delete(key),
  };
}

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The policy names inline scripts by hash, not nonce. Throws for anything but a 200 with one. */
export async function finishPage(response: Response, nonce: string): Promise<FinishedPage> {
  const rendered = response.headers.get("Content-Security-Policy");
  if (response.status !== 200 || response.headers.has("Set-Cookie") || !rendered) {
    throw new Error(`not a page for everybody: ${response.status}`);
  }
  const html = await response.text();
  const mark = ` nonce="${nonce}"`;
  const identity = Buffer.from(html.replaceAll(mark, ""));
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, BROTLI),
    promisify(gzip)(identity),
  ]);
  const hashes = inlineScripts(html, mark).map(hashSource);
  const policy = rendered.replace(`'nonce-${nonce}'`, hashes.join(" "));
  return {
    headers: {
      ...Object.fromEntries(response.headers),
      "content-security-policy": policy,
      vary: "Accept-Encoding",
    },
    bodies: { br, gzip: zipped, identity },
  };
}

export function sendPage(
  { headers, bodies }: FinishedPage,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const accepted = request.headers["accept-encoding"] ?? "";
  const encoding =
    (["br", "gzip"] as const).find((name) => acceptsEncoding(accepted, name)) ?? "identity";
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (encoding !== "identity") response.setHeader("Content-Encoding", encoding);
  const body = bodies[encoding];
  response.writeHead(200, { "Content-Length": body.length });
  response.end(request.method === "HEAD" ? undefined : body);
}

function inlineScripts(html: string, mark: string): string[] {
  return html.split(/<script\b/).flatMap((part) => {
    const [attributes = "", code = ""] = part.split("</script>", 1)[0]?.split(/>(.*)/s) ?? [];
    return attributes.includes(mark) && code !== "" ? [code] : [];
  });
}

function hashSource(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

export function acceptsEncoding(accepted: string, encoding: string): boolean {
  const parts = accepted.split(",").map((part) => part.trim());
  const asked = parts.find((part) => part === encoding || part.startsWith(`${encoding};`));
  return asked !== undefined && !/;\s*q=0(\.0*)?$/.test(asked);
}
