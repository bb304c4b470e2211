import { readStoredFile } from "#app/platform/files.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/file";

// Names are unguessable and files never change: browsers cache them, shared caches must not.
const FOREVER = "private, max-age=31536000, immutable";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { dataDir } = context.get(appContext).env;
  const file = await readStoredFile(dataDir, params["*"]);
  if (!file) return new Response("Not Found", { status: 404 });
  const { bytes, type } = file;
  const headers = {
    "Content-Type": type,
    "Content-Length": String(bytes.length),
    "Cache-Control": FOREVER,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
  return new Response(bytes, { headers });
}
