import { Link } from "react-router";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/legal-terms";
import { loadLegalPage } from "./legal-page.server.ts";
import { LegalScreen } from "./legal-screen.tsx";

/** A plain page: it ships no JavaScript. */
export const handle = { isPlain: true };

export const loader = ({ context }: Route.LoaderArgs) =>
  loadLegalPage(context.get(appContext), "terms");

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), {
    title: "Terms & Conditions",
    description: "The terms for games, credits, cancelling and withdrawing.",
    path: "/terms",
  });

export default function Terms({ loaderData }: Route.ComponentProps) {
  return (
    <LegalScreen page={loaderData} failure="Failed to load Terms & Conditions" path="/terms">
      <p className="border-t border-line pt-4">
        <Link
          to="/settings/withdraw"
          className="link inline-flex min-h-11 items-center font-semibold"
        >
          Withdraw from a purchase
        </Link>
      </p>
    </LegalScreen>
  );
}
