import { ArrowLeft } from "./icon.tsx";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { Link, type LinkProps, useLocation, useNavigate } from "react-router";
import { useHydrated } from "./use-hydrated.ts";

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

/** Link state for a `HistoryBackLink` on the target page. */
export function useBackTarget() {
  const { pathname, search } = useLocation();
  return { from: pathname + search };
}

/** One step back if `useBackTarget` led here, which keeps filters and scrolling; otherwise `to`. */
export function HistoryBackLink({ to, ...rest }: Omit<LinkProps, "onClick">) {
  const { state } = useLocation() as { state: Partial<ReturnType<typeof useBackTarget>> | null };
  // Kept: a form's result replaces this history entry without its state.
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
    // After a jump within the page, one step back would stay here, so the link is followed.
    if (!from || isModified || index > arrival.current) return;
    event.preventDefault();
    // On a second press the browser is already going back.
    if (index === arrival.current) void navigate(-1);
  };
  return <Link {...rest} to={hydrated && from ? from : to} onClick={goBack} />;
}

/** The router's history index, which does not count jumps within a page. */
function historyIndex(): number {
  const { idx } = (window.history.state ?? {}) as { idx?: number | null };
  return idx ?? Infinity;
}
