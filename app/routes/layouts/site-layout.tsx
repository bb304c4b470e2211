import { type ComponentType, useEffect, useLayoutEffect, useState, type ReactNode } from "react";
import { Outlet, useLocation } from "react-router";
import { ErrorScreen } from "#app/routes/error-screens.tsx";
import { useNextPath } from "#app/ui/page-change.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { type NavViewer, SiteShell } from "#app/routes/site-shell.tsx";

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

function BookingsSkeleton() {
  return (
    <Loading what="My Games" className="mx-auto grid max-w-3xl gap-4 px-4 pt-6">
      <Skeleton className="h-8 w-40" />
      <div className={`${card} flex items-center justify-between p-4`}>
        {bars("h-8 w-28", "h-11 w-28")}
      </div>
      <Skeleton className="mt-4 h-6 w-32" />
      <div className={card}>
        <Skeleton className="aspect-21/9 rounded-none" />
        <div className={lines}>{bars("h-5 w-32", "h-8 w-40", "h-6 w-48", "mt-6 h-11 w-56")}</div>
      </div>
    </Loading>
  );
}

function VenuesSkeleton() {
  return (
    <Loading what="venues">
      <div className="h-31 bg-night md:h-42" />
      <div className="mx-auto max-w-6xl px-4">
        <div className="grid min-h-41 content-start gap-2 py-4">{bars("h-6 w-10", "h-12")}</div>
        <Skeleton className="mb-3 h-5 w-20" />
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {[1, 2, 3].map((nth) => (
            <div key={nth} className={card}>
              <Skeleton className="aspect-video rounded-none" />
              <div className={lines}>{bars("h-6 w-2/3", "h-5 w-1/3", "h-16")}</div>
            </div>
          ))}
        </div>
      </div>
    </Loading>
  );
}

function ProfileSkeleton() {
  return (
    <Loading
      what="profile"
      className="mx-auto grid max-w-6xl gap-8 px-4 pt-6 lg:grid-cols-[3fr_2fr]"
    >
      <div className={card}>
        <div className="flex items-center gap-4 p-4">
          <Skeleton className="size-28 shrink-0 rounded-pill max-[24rem]:size-18" />
          <div className="grid grow gap-3">{bars("h-8 w-4/5", "h-6 w-3/5")}</div>
        </div>
        <div className={lines}>{bars("h-11", "h-13")}</div>
      </div>
      <div className={card}>
        <div className={lines}>{bars("h-7 w-48", "h-6", "h-11")}</div>
      </div>
    </Loading>
  );
}

const card = "overflow-hidden rounded-card bg-surface shadow-card";
const lines = "grid gap-3 p-4";

const bars = (...sizes: string[]) => sizes.map((size) => <Skeleton key={size} className={size} />);

type LoadingProps = { what: string; className?: string; children: ReactNode };

function Loading({ what, className, children }: LoadingProps) {
  return (
    <div role="status" aria-label={`Loading ${what}`} className={className}>
      <h1 className="sr-only">Loading {what}</h1>
      {children}
    </div>
  );
}
