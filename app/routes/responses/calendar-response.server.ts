import { createHash } from "node:crypto";
import { matchesEtag } from "./picture-response.server.ts";

/** Opened in the browser's calendar if it has one, otherwise saved under this name. */
export function sendCalendar(request: Request, text: string, fileName: string): Response {
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  const headers = {
    "Cache-Control": "private, no-cache",
    ETag: etag,
    // The address is secret, or the file stands beside a page that search engines list.
    "X-Robots-Tag": "noindex",
  };
  if (matchesEtag(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : text, {
    headers: {
      ...headers,
      "Content-Type": "text/calendar; charset=utf-8; method=PUBLISH",
      "Content-Disposition": `inline; filename="${fileName}.ics"`,
    },
  });
}

export const noCalendar = () => new Response("Not Found", { status: 404 });
