import { ButtonLink } from "#app/ui/button.tsx";
import { CornerArc } from "#app/ui/pitch-lines.tsx";

/** What any address that leads nowhere shows. */
export function NotFoundScreen() {
  return (
    <main className="relative isolate grid min-h-dvh place-content-center justify-items-center gap-4 overflow-hidden px-4 py-12 text-center">
      <CornerArc className="bottom-2 left-2 size-64 md:size-112" />
      <p className="text-2xl font-extrabold tabular-nums">404</p>
      <h1 className="text-xl">Page not found</h1>
      <p className="max-w-sm text-muted">Out of play. There's nothing at this address.</p>
      <ButtonLink to="/" variant="primary">
        Return to Home
      </ButtonLink>
    </main>
  );
}
