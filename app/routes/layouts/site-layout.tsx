import { type ComponentType, useEffect, useLayoutEffect, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { ErrorScreen } from "#app/routes/error-screens.tsx";
import { useNextPath } from "#app/ui/page-change.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { BookingsSkeleton, ProfileSkeleton, VenuesSkeleton } from "./page-skeletons.tsx";
import { type NavViewer, SiteShell } from "./site-shell.tsx";

type LoaderData = { viewer: NavViewer | null };

export function SiteLayout({ loaderData }: { loaderData: LoaderData }) {
  return (
    <SiteShell viewer={loaderData.viewer}>
      <PageOutlet />
    </SiteShell>
  );
}

type SiteErrorProps = { error: unknown; loaderData: LoaderData | undefined };

/** Keeps the navigation, unless that is what failed. */
export function SiteError({ error, loaderData }: SiteErrorProps) {
  if (!loaderData) return <ErrorScreen error={error} />;
  return (
    <SiteShell viewer={loaderData.viewer}>
      <ErrorScreen error={error} inPage />
    </SiteShell>
  );
}

const SOON_MS = 150;

/** A tab's skeleton while its page loads slowly. A new filter keeps the page and its focus. */
function PageOutlet() {
  const { pathname } = useLocation();
  const to = useNextPath();
  const PageSkeleton = pathname === to ? undefined : SKELETONS[to];
  const takesAMoment = useLasting(PageSkeleton !== undefined);
  const showsSkeleton = takesAMoment && PageSkeleton !== undefined;
  // The router scrolls only once the page is there, and has stored this page's position.
  useLayoutEffect(() => {
    if (showsSkeleton) scrollTo(0, 0);
  }, [showsSkeleton]);
  return showsSkeleton ? <PageSkeleton /> : <Outlet />;
}

const SKELETONS: Record<string, ComponentType> = {
  "/events": GamesSkeleton,
  "/bookings": BookingsSkeleton,
  "/venues": VenuesSkeleton,
  "/profile": ProfileSkeleton,
};

function useLasting(isTrue: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!isTrue) return;
    const timer = setTimeout(() => setLasts(true), SOON_MS);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [isTrue]);
  return isTrue && lasts;
}

export function GamesSkeleton() {
  return (
    <div role="status" aria-label="Loading games">
      <h1 className="sr-only">Loading games</h1>
      <div className="h-17.5 bg-night md:h-34" />
      <div className="border-b border-line">
        <div className="mx-auto flex max-w-6xl gap-2 px-4 py-1.5">
          <Skeleton className="h-12 grow" />
          <Skeleton className="h-12 w-21 sm:w-28" />
        </div>
      </div>
      <div className="mx-auto max-w-6xl px-4 pt-2.5">
        <Skeleton className="mb-2 h-6 w-40" />
        <ul className="grid gap-2 sm:grid-cols-2 sm:gap-4 lg:pl-50">
          {Array.from({ length: 6 }, (_, index) => (
            <li
              key={index}
              className="grid grid-cols-[5.5rem_1fr] overflow-hidden rounded-card bg-surface shadow-card"
            >
              <Skeleton className="rounded-none" />
              <div className="grid gap-1.5 px-3 py-2">
                <Skeleton className="h-6 w-1/2" />
                <Skeleton className="h-9.5 w-3/4" />
                <Skeleton className="h-6 w-2/3" />
              </div>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
