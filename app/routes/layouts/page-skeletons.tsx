import type { ReactNode } from "react";
import { Skeleton } from "#app/ui/skeleton.tsx";

export function BookingsSkeleton() {
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

export function VenuesSkeleton() {
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

export function ProfileSkeleton() {
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
