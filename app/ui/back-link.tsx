import { ArrowLeft } from "./icon.tsx";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { Link, type LinkProps, useLocation, useNavigate } from "react-router";
import { useHydrated } from "./use-hydrated.ts";

/** Stands above a page's heading and leads to where one has come from, else to the page above it. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <HistoryBackLink
      to={to}
      viewTransition
      className="-ml-2 inline-flex min-h-11 items-center gap-1 justify-self-start px-2 font-semibold text-muted hover:text-ink"
    >
      <ArrowLeft className="size-5" /> {children}
    </HistoryBackLink>
  );
}

interface WayBackProps extends Omit<LinkProps, "to" | "onClick"> {
  /** Where it leads whoever has come from elsewhere, or has no JavaScript. */
  to: string;
}

/** What a link gives to the page that it leads to, for a `HistoryBackLink` on it. */
export function useBackTarget() {
  const { pathname, search } = useLocation();
  return { from: pathname + search };
}

/**
 * One step back in the history where `useBackTarget` led here, so that filters and scroll position
 * are kept.
 */
export function HistoryBackLink({ to, ...rest }: WayBackProps) {
  const { state } = useLocation() as { state: Partial<ReturnType<typeof useBackTarget>> | null };
  // Kept, for a form's answer takes this entry's place in the history and brings no state along.
  const [from] = useState(state?.from);
  const arrival = useRef(0);
  useEffect(() => {
    arrival.current = historyIndex();
  }, []);
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const goBack = (event: MouseEvent) => {
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    const index = historyIndex();
    // After a jump within the page, one step back would be this page again: the link is followed.
    if (!from || isModified || index > arrival.current) return;
    event.preventDefault();
    // A second press finds the history there already, and the page on its way.
    if (index === arrival.current) void navigate(-1);
  };
  return <Link {...rest} to={hydrated && from ? from : to} onClick={goBack} />;
}

/** The place of this page in the history as the router counts it; it does not count jumps. */
function historyIndex(): number {
  const { idx } = (window.history.state ?? {}) as { idx?: number | null };
  return idx ?? Infinity;
}
