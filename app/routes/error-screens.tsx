import { type MouseEvent, useEffect } from "react";
import { isRouteErrorResponse, useLocation, useRevalidator } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { isConnectionError } from "#app/ui/connection.ts";
import { Notice } from "#app/ui/notice.tsx";
import { PenaltyArea, CornerArc } from "#app/ui/pitch-lines.tsx";
import { unknownOutcomeOf } from "#app/forms/messages.ts";
import { EmptyState, WholePage } from "#app/ui/empty-state.tsx";

type ErrorScreenProps = {
  error: unknown;
  /** Inside a layout, which has a main element already. */
  inPage?: boolean;
};

export function ErrorScreen({ error, inPage = false }: ErrorScreenProps) {
  const Box = inPage ? "div" : "main";
  const text = unknownOutcomeOf(error) ?? BROKEN;
  return (
    <Box
      className={classNames(
        "relative isolate grid place-content-center gap-4 overflow-hidden px-4 py-12",
        inPage ? "min-h-[70dvh]" : "min-h-dvh",
      )}
    >
      <title>{text.title}</title>
      <PenaltyArea className="bottom-0 left-1/2 w-160 -translate-x-1/2" />
      <h1 className="text-xl">{text.title}</h1>
      <p className="max-w-md">{text.description}</p>
      {isConnectionError(error) && <NoConnection />}
      <details className="max-w-md text-sm text-muted">
        <summary className="min-h-11 py-3">Details</summary>
        {describe(error)}
      </details>
      <RetryForm />
    </Box>
  );
}

const BROKEN = {
  title: "Something went wrong",
  description: "We're sorry, but something unexpected happened. Please try refreshing the page.",
};

function NoConnection() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const load = () => void revalidate();
    window.addEventListener("online", load);
    return () => window.removeEventListener("online", load);
  }, [revalidate]);
  return (
    <Notice tone="warn" className="max-w-md">
      The page could not be fetched. Is there a connection?
    </Notice>
  );
}

/** Without JavaScript both load the page's own address. */
function RetryForm() {
  const { revalidate, state } = useRevalidator();
  const { pathname, search } = useLocation();
  const instead = (act: () => unknown) => (event: MouseEvent) => {
    event.preventDefault();
    act();
  };
  return (
    <form action={pathname} className="flex flex-wrap gap-3">
      {[...new URLSearchParams(search)].map(([name, value], index) => (
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      <Button
        variant="primary"
        pending={state !== "idle"}
        pendingLabel="Trying…"
        onClick={instead(revalidate)}
      >
        Try Again
      </Button>
      <Button onClick={instead(() => window.location.reload())}>Refresh Page</Button>
    </form>
  );
}

function describe(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`.trim();
  return import.meta.env.DEV && error instanceof Error ? error.message : "Unexpected error";
}

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

export function AccessDenied({ isWholePage = false }) {
  const Box = isWholePage ? "main" : "div";
  return (
    <Box className="mx-auto grid max-w-2xl gap-4 px-4 pt-12">
      <title>Access Denied</title>
      <h1 className="text-center text-xl">Access Denied</h1>
      <EmptyState
        action={
          <ButtonLink to="/events" variant="primary">
            Back to Games
          </ButtonLink>
        }
      >
        This page is for the organisers.
      </EmptyState>
    </Box>
  );
}

interface MissingProps {
  title: string;
  children?: string;
  back: { to: string; label: string };
}

/** A "not found" inside a layout, with a link to go on. */
export function Missing({ title, children, back }: MissingProps) {
  return (
    <WholePage
      title={title}
      action={
        <ButtonLink to={back.to} variant="primary" size="lg">
          {back.label}
        </ButtonLink>
      }
    >
      {children}
    </WholePage>
  );
}
