import { type ComponentProps, lazy, memo, Suspense } from "react";
import type { FormResult } from "#app/forms/form-result.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Dialog, DialogTrigger } from "#app/ui/dialog.tsx";
import { Check } from "#app/ui/icon.tsx";
import type { GamePage } from "./game-page.server.ts";

// Only for who is in. The server waits for it, so it works without JavaScript.
const LazySpot = lazy(() => import("./own-spot.tsx").catch(() => ({ default: () => null })));

type AttendingProps = { game: GamePage; result: FormResult | undefined };

/** The one place that says so, and the one from which the spot is managed. */
export function Attending({ game, result }: AttendingProps) {
  return (
    <>
      <p>
        <Badge tone="lime" className="min-h-9 px-2! whitespace-normal!">
          <Check className="size-5" /> You're attending this game!
        </Badge>
      </p>
      {!game.hasStarted && (
        <>
          <DialogTrigger dialog="own-spot" className="whitespace-nowrap max-sm:px-4!">
            <span>
              Manage<span className="not-sm:sr-only lg:sr-only"> my spot</span>
            </span>
          </DialogTrigger>
          <Dialog id="own-spot" title="Manage my spot" open={result}>
            <Spot game={game} result={result} />
          </Dialog>
        </>
      )}
    </>
  );
}

// React replaces what it has not loaded as soon as anything around it changes.
const Spot = memo((props: ComponentProps<typeof LazySpot>) => (
  <Suspense>
    <LazySpot {...props} />
  </Suspense>
));
