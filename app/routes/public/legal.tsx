import { data, Link, useLocation } from "react-router";
import { findLegalPage, type LegalPageType } from "#app/features/legal/legal-pages.server.ts";
import { LegalText } from "#app/features/legal/legal-text.tsx";
import { monthDayYear } from "#app/platform/clock.ts";
import { log } from "#app/platform/log.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { SiteLinks } from "#app/routes/site-links.tsx";
import { LoadFailed } from "#app/routes/load-failure.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { classNames } from "#app/ui/class-names.ts";
import { Notice } from "#app/ui/notice.tsx";
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
  const { db, now } = context.get(appContext);
  try {
    const page = await findLegalPage(db, type, now());
    if (page) return data({ ...page, coming: page.coming && toComingView(page.coming) });
    log.error({ type }, "no legal page is stored");
  } catch (error) {
    log.error({ err: error, type }, "loading a legal page");
  }
  return data(null, { status: 500 });
}

const toComingView = ({
  holdsFrom,
  ...text
}: {
  holdsFrom: string;
  title: string;
  content: string;
}) => ({
  ...text,
  from: monthDayYear(holdsFrom),
});

export const meta: Route.MetaFunction = ({ matches, location }) => {
  const type = typeOf(location.pathname);
  return pageMeta(siteOf(matches), { ...PAGES[type], path: `/${type}` });
};

export default function Legal({ loaderData: page }: Route.ComponentProps) {
  const type = typeOf(useLocation().pathname);
  return (
    <div className="relative isolate overflow-hidden">
      <CornerArc className="top-0 right-0 size-16 rotate-180 lg:size-72" />
      <article
        className={classNames(
          "mx-auto grid max-w-2xl gap-6 px-4 pt-8",
          page?.coming && "lg:max-w-6xl",
        )}
      >
        {page?.coming ? (
          <BothTexts present={page} coming={page.coming} />
        ) : page ? (
          <LegalText title={page.title} content={page.content} />
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

interface BothTextsProps {
  present: { title: string; content: string };
  coming: { title: string; content: string; from: string };
}

/** Beside each other where there is room, and below each other on a phone. */
function BothTexts({ present, coming }: BothTextsProps) {
  const { title, content, from } = coming;
  return (
    <>
      <Notice tone="info">
        This text changes on {from}.{" "}
        <a href="#coming" className="font-semibold underline">
          Read the new text
        </a>
      </Notice>
      <div className="grid gap-10 lg:grid-cols-2">
        <section aria-label="Until then" className="grid content-start gap-6">
          <LegalText title={present.title} content={present.content} />
        </section>
        <section
          id="coming"
          aria-label={`From ${from}`}
          className="grid scroll-mt-20 content-start gap-6 border-t border-line pt-6 lg:border-t-0 lg:border-l lg:pt-0 lg:pl-10"
        >
          <p className="font-semibold">From {from}</p>
          <LegalText title={title} content={content} heading="h2" />
        </section>
      </div>
    </>
  );
}
