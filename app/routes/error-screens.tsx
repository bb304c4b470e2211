import { type MouseEvent, type ReactNode, use, useEffect } from "react";
import { isRouteErrorResponse, useLocation, useRevalidator } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { isConnectionError } from "#app/ui/connection.ts";
import { ErrorReference } from "#app/ui/error-reference.ts";
import { Notice } from "#app/ui/notice.tsx";
import { PenaltyArea, CornerArc } from "#app/ui/pitch-lines.tsx";
import { unknownOutcomeOf } from "#app/forms/messages.ts";
import { WholePage } from "#app/ui/empty-state.tsx";

type ErrorScreenProps = {
  error: unknown;
  /** Inside a layout, which already has a main element. */
  inPage?: boolean | undefined;
  /** By the meta of its route, which stays where the boundary is the route's own. */
  hasTitle?: boolean;
};

export function ErrorScreen({ error, inPage = false, hasTitle = false }: ErrorScreenProps) {
  const Box = inPage ? "div" : "main";
  const text = unknownOutcomeOf(error) ?? BROKEN;
  return (
    <Box
      className={classNames(
        "relative isolate grid place-content-center gap-4 overflow-hidden px-4 pt-12 pb-40 md:pb-72",
        inPage ? "min-h-[70dvh]" : "min-h-dvh",
      )}
    >
      {!hasTitle && <title>{text.title}</title>}
      <PenaltyArea className="bottom-0 left-1/2 w-80 -translate-x-1/2 md:w-160" />
      <h1 className="text-xl">{text.title}</h1>
      <p className="max-w-md">{text.description}</p>
      {isConnectionError(error) && <NoConnection />}
      <details className="max-w-md text-sm text-muted">
        <summary className="min-h-11 py-3">Details</summary>
        {describe(error)}
        <Reference />
      </details>
      <RetryForm />
    </Box>
  );
}

/** Operators find the request by it. showReference (entry.server.tsx) writes it in the browser. */
function Reference() {
  const id = import.meta.env.SSR ? use(ErrorReference) : "";
  return (
    <p data-reference suppressHydrationWarning>
      {id ? `Error reference: ${id}` : ""}
    </p>
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

/** Without JavaScript both buttons load the page again. */
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
    <StatusScreen status={404} title="Page not found" back={{ to: "/", label: "Return to Home" }}>
      Out of play. There's nothing at this address.
    </StatusScreen>
  );
}

/** For an error boundary, whose page has no title. */
export function NotFoundError() {
  return (
    <>
      <title>Page not found</title>
      <NotFoundScreen />
    </>
  );
}

export function AccessDenied({ inPage }: Pick<StatusScreenProps, "inPage">) {
  const back = { to: "/events", label: "Back to Games" };
  return (
    <StatusScreen status={403} title="Access Denied" back={back} inPage={inPage}>
      <title>Access Denied</title>
      This page is for the organisers.
    </StatusScreen>
  );
}

type StatusScreenProps = MissingProps & Pick<ErrorScreenProps, "inPage"> & { status: number };

function StatusScreen({ status, title, back, inPage, children }: StatusScreenProps) {
  const Box = inPage ? "div" : "main";
  return (
    <Box
      className={classNames(
        "relative isolate grid place-content-center justify-items-center gap-4 overflow-hidden px-4 pt-12 pb-16 text-center",
        inPage ? "min-h-[70dvh]" : "min-h-dvh",
      )}
    >
      <CornerArc className="bottom-2 left-2 size-28 lg:size-112" />
      <p className="text-2xl font-extrabold tabular-nums">{status}</p>
      <h1 className="text-xl">{title}</h1>
      <p className="max-w-sm text-muted">{children}</p>
      <ButtonLink to={back.to} variant="primary">
        {back.label}
      </ButtonLink>
    </Box>
  );
}

interface MissingProps {
  title: string;
  children?: ReactNode;
  back: { to: string; label: string };
}

/** The error boundary of a page whose subject may not exist. */
export function missingBoundary(title: string, to: string, label: string, text?: string) {
  return function ErrorBoundary({ error }: { error: unknown }) {
    const isMissing = isRouteErrorResponse(error) && error.status === 404;
    if (!isMissing) return <ErrorScreen error={error} inPage hasTitle />;
    return (
      <Missing title={title} back={{ to, label }}>
        {text}
      </Missing>
    );
  };
}

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
