import { appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/robots";

const PRIVATE = ["/admin", "/auth", "/bookings", "/demo", "/profile", "/settings", "/wallet"];

/** RFC 9309. */
export function loader({ context }: Route.LoaderArgs) {
  const { appUrl } = context.get(appContext).env;
  const rules = PRIVATE.map((path) => `Disallow: ${path}`);
  const lines = ["User-agent: *", ...rules, "", `Sitemap: ${appUrl}/sitemap.xml`, ""];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
