import { type Files, openFiles } from "#app/platform/files.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/file";

// Names are unguessable and files never change: browsers cache them, shared caches must not.
const FOREVER = "private, max-age=31536000, immutable";

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const file = await find(openFiles(context.get(appContext).env), params["*"]);
  if (!file) return new Response("Not Found", { status: 404 });
  const { body, size, type } = file;
  const headers = {
    "Content-Type": type,
    // Browsers discard a body that breaks off before this length.
    "Content-Length": String(size),
    "Cache-Control": FOREVER,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
  if (request.method !== "HEAD") return new Response(body, { headers });
  await body.cancel();
  return new Response(null, { headers });
}

/** Photos that were stored before there were squares have none; a card crops the wide one as well. */
async function find(files: Files, name: string) {
  const wide = name.replace(/^(photos\/.+)-256\.avif$/, "$1-480.avif");
  return (await files.read(name)) ?? (wide === name ? null : files.read(wide));
}
