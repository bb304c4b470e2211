import { isRouteErrorResponse, useRevalidator } from "react-router";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { PenaltyArea } from "../ui/pitch-lines.tsx";

type ErrorScreenProps = {
  error: unknown;
  /** Inside a layout, which has a main element already. */
  inPage?: boolean;
};

/** The generic error screen. Details never hold more than the server chose to say. */
export function ErrorScreen({ error, inPage = false }: ErrorScreenProps) {
  const { revalidate } = useRevalidator();
  const Box = inPage ? "div" : "main";
  return (
    <Box
      className={classNames(
        "relative isolate grid place-content-center gap-4 overflow-hidden px-4 py-12",
        !inPage && "min-h-dvh",
      )}
    >
      <title>Something went wrong</title>
      <PenaltyArea className="bottom-0 left-1/2 w-160 -translate-x-1/2" />
      <h1 className="text-xl">Something went wrong</h1>
      <p className="max-w-md">
        We're sorry, but something unexpected happened. Please try refreshing the page.
      </p>
      <details className="text-sm text-muted">
        <summary className="min-h-11 py-3">Details</summary>
        {describe(error)}
      </details>
      <div className="flex gap-3">
        <Button type="button" variant="primary" onClick={() => void revalidate()}>
          Try Again
        </Button>
        <Button type="button" onClick={() => window.location.reload()}>
          Refresh Page
        </Button>
      </div>
    </Box>
  );
}

function describe(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`.trim();
  return import.meta.env.DEV && error instanceof Error ? error.message : "Unexpected error";
}
