import { Skeleton } from "#app/ui/skeleton.tsx";

/** Six cards to come, in the boxes that the games will fill. */
export function GamesSkeleton() {
  return (
    <div role="status" aria-label="Loading games">
      <h1 className="sr-only">Loading games</h1>
      <div className="h-31 bg-night md:h-42" />
      <div className="mx-auto max-w-6xl px-4">
        <div className="flex justify-end py-4">
          <Skeleton className="h-11 w-28" />
        </div>
        <Skeleton className="mb-3 h-6 w-40 lg:hidden" />
        <ul className="grid gap-4 sm:grid-cols-2 lg:pl-50">
          {Array.from({ length: 6 }, (_, index) => (
            <li key={index} className="overflow-hidden rounded-card bg-surface shadow-card">
              <Skeleton className="aspect-video rounded-none" />
              <div className="grid gap-3 p-4">
                <Skeleton className="h-6 w-2/3" />
                <Skeleton className="h-10.5 w-1/2" />
              </div>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
