import type { RouterContextProvider } from "react-router";
import { networkOf } from "#app/features/accounts/throttles.server.ts";
import { addressContext, appContext } from "#app/routes/context.server.ts";
import {
  type Picture,
  pictureKey,
  renderPicture,
} from "#app/platform/images/drawn-pictures.server.ts";

/** Revalidated every time; an unchanged picture is a 304. */
const ASK_AGAIN = "public, no-cache";

/** Rendered only if the browser's copy is missing or outdated. */
export async function sendPicture(
  request: Request,
  context: Readonly<RouterContextProvider>,
  picture: Picture,
  headers: Record<string, string> = {},
): Promise<Response> {
  const etag = `"${pictureKey(picture)}"`;
  const common = { "Cache-Control": ASK_AGAIN, ...headers, ETag: etag };
  if (matchesEtag(request, etag)) return new Response(null, { status: 304, headers: common });
  const type = { "Content-Type": "image/png" };
  if (request.method === "HEAD") return new Response(null, { headers: { ...common, ...type } });
  const { dataDir } = context.get(appContext).env;
  const client = networkOf(context.get(addressContext));
  const png = await renderPicture(dataDir, picture, client);
  if (png === "busy") return new Response("Busy", { status: 503, headers: { "Retry-After": "5" } });
  const length = { "Content-Length": String(png.length) };
  return new Response(new Uint8Array(png), { headers: { ...common, ...type, ...length } });
}

export const noPicture = () => new Response("Not Found", { status: 404 });

/** Whether the browser has this version; a proxy that compresses makes the tag weak. */
export function matchesEtag(request: Request, etag: string): boolean {
  const known = request.headers.get("If-None-Match") ?? "";
  return known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
