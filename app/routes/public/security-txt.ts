import { appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/security-txt";

/** RFC 9116: where to report a vulnerability; an expiry date is required. */
export function loader({ context }: Route.LoaderArgs) {
  const { env, now } = context.get(appContext);
  const expires = new Date(now().getTime() + 180 * 24 * 3_600_000);
  const lines = [
    `Contact: mailto:${env.contactEmail}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en, fi, sv",
    `Canonical: ${env.appUrl}/.well-known/security.txt`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
