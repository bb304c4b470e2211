import { data, Link, useLocation } from "react-router";
import { findLegalPage, type LegalPageType } from "#app/features/legal/legal-pages.server.ts";
import { LegalText } from "#app/features/legal/legal-text.tsx";
import { log } from "#app/platform/log.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { SiteLinks } from "#app/routes/site-links.tsx";
import { LoadFailed } from "#app/routes/load-failure.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { CornerArc } from "#app/ui/pitch-lines.tsx";
import type { Route } from "./+types/legal";

export const handle = { isPlain: true };

const PAGES = {
  terms: {
    title: "Terms & Conditions",
    description: "The terms for games, credits, cancelling and withdrawing.",
  },
  privacy: {
    title: "Privacy Policy",
    description: "What is stored about you, why, for how long, and what you can do about it.",
  },
} satisfies Record<LegalPageType, { title: string; description: string }>;

const typeOf = (pathname: string) => (pathname.startsWith("/terms") ? "terms" : "privacy");

/** The stored text at /terms or /privacy; null and a 500 if it cannot be read. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const type = typeOf(url.pathname);
  try {
    const page = await findLegalPage(context.get(appContext).db, type);
    if (page) return data(page);
    log.error({ type }, "no legal page is stored");
  } catch (error) {
    log.error({ err: error, type }, "loading a legal page");
  }
  return data(null, { status: 500 });
}

export const meta: Route.MetaFunction = ({ matches, location }) => {
  const type = typeOf(location.pathname);
  return pageMeta(siteOf(matches), { ...PAGES[type], path: `/${type}` });
};

export default function Legal({ loaderData: page }: Route.ComponentProps) {
  const type = typeOf(useLocation().pathname);
  return (
    <div className="relative isolate overflow-hidden">
      <CornerArc className="top-0 right-0 size-16 rotate-180 lg:size-72" />
      <article className="mx-auto grid max-w-2xl gap-6 px-4 pt-8">
        {page ? (
          <LegalText {...page} />
        ) : (
          <LoadFailed>{`Failed to load ${PAGES[type].title}`}</LoadFailed>
        )}
        {type === "terms" && (
          <p className="border-t border-line pt-4">
            <Link
              to="/settings/withdraw"
              className="link inline-flex min-h-11 items-center font-semibold"
            >
              Withdraw from a purchase
            </Link>
          </p>
        )}
        <SiteLinks className="border-t border-line pt-2 md:hidden" />
      </article>
    </div>
  );
}
