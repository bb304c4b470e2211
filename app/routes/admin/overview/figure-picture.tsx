import { lazy, Suspense } from "react";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { ChartWords } from "./sheet.server.ts";

// Drawn in browsers alone: the policy refuses the styles that it would have in the server's HTML.
// Where its file cannot be had, the numbers stand below.
const FigureChart = lazy(() => import("./figure-chart.tsx").catch(() => ({ default: NotDrawn })));

interface FigurePictureProps {
  title: string;
  chart: ChartWords | null;
}

/** The chart of a figure, or its place until it can be drawn. */
export function FigurePicture({ title, chart }: FigurePictureProps) {
  const hydrated = useHydrated();
  if (!chart)
    return <p className="rounded-card bg-sunken p-4 text-muted">Nothing in these weeks.</p>;
  const place = <Skeleton className="h-52 [@media(scripting:none)]:hidden" />;
  if (!hydrated) return place;
  return (
    <Suspense fallback={place}>
      <FigureChart title={title} {...chart} />
    </Suspense>
  );
}

function NotDrawn() {
  return (
    <p className="rounded-card bg-sunken p-4 text-muted">
      The chart could not be loaded. The numbers are below.
    </p>
  );
}
