import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/legal-privacy";
import { loadLegalPage } from "./legal-page.server.ts";
import { LegalScreen } from "./legal-screen.tsx";

/** A plain page: it ships no JavaScript. */
export const handle = { isPlain: true };

export const loader = ({ context }: Route.LoaderArgs) =>
  loadLegalPage(context.get(appContext), "privacy");

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), {
    title: "Privacy Policy",
    description: "What is stored about you, why, for how long, and what you can do about it.",
    path: "/privacy",
  });

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return <LegalScreen page={loaderData} failure="Failed to load Privacy Policy" path="/privacy" />;
}
