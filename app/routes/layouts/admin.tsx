import { type RefObject, useEffect, useRef } from "react";
import { isRouteErrorResponse, Outlet, useLocation, useMatches } from "react-router";
import { KeepDrafts } from "#app/forms/keep-drafts.tsx";
import { WaitingTaps } from "#app/routes/admin/waiting-taps.tsx";
import type { AdminHandle } from "#app/routes/admin/page.tsx";
import { toDoMarks } from "#app/routes/admin/to-do.server.ts";
import { adminsOnly, viewerContext } from "#app/routes/guards.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { NavTab } from "#app/ui/nav-tab.tsx";
import { useNextPath } from "#app/ui/page-change.tsx";
import type { Route } from "./+types/admin";
import { AccessDenied, ErrorScreen } from "#app/routes/error-screens.tsx";

const TABS = [
  { to: "/admin", label: "Overview" },
  { to: "/admin/partners", label: "Partners" },
  { to: "/admin/games", label: "Games" },
  { to: "/admin/legal", label: "Legal Pages" },
  { to: "/admin/venues", label: "Venues" },
  { to: "/admin/players", label: "Players" },
  { to: "/admin/packs", label: "Packs" },
  { to: "/admin/payments", label: "Payments" },
  { to: "/admin/inbox", label: "Inbox" },
  { to: "/admin/log", label: "Log" },
];

export const middleware: Route.MiddlewareFunction[] = [adminsOnly];

export const handle = { noindex: true };

export async function loader({ context }: Route.LoaderArgs) {
  const { toDo, openTickets: open } = await toDoMarks(context);
  const { userId } = context.get(viewerContext);
  return { userId, open, toDo: toDo?.count ?? null };
}

export default function Admin({ loaderData }: Route.ComponentProps) {
  const tabs = useRef<HTMLElement>(null);
  const lit = useNextPath().split("/").slice(0, 3).join("/");
  const isWide = useMatches().some(({ handle: of }) => (of as AdminHandle | undefined)?.isWide);
  useOpenTabInSight(tabs);
  return (
    <div
      className={classNames(
        "group/admin mx-auto grid grid-cols-1 gap-6 px-4 pt-6",
        isWide ? "max-w-6xl" : "max-w-4xl",
      )}
    >
      <h1 className="text-xl group-has-data-compact/admin:max-md:sr-only">Admin</h1>
      <nav
        ref={tabs}
        aria-label="Admin"
        onFocus={({ target }) => keepInSight(target)}
        className="relative flex overflow-x-auto border-b border-line max-md:-mx-4 max-md:px-4"
      >
        {TABS.map(({ to, label }) => (
          <NavTab key={to} to={to} isActive={to === lit} className={tabClass}>
            {label}
            {to === "/admin" && <Waiting count={loaderData.toDo} what="to do" />}
            {to === "/admin/inbox" && <Waiting count={loaderData.open} what="open" />}
          </NavTab>
        ))}
      </nav>
      <WaitingTaps userId={loaderData.userId} />
      <Outlet />
      <KeepDrafts accountId={loaderData.userId} />
    </div>
  );
}

/** On a phone the tabs are wider than the screen: this centres the open one. */
function useOpenTabInSight(tabs: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  useEffect(() => {
    const [nav, tab] = [tabs.current, tabs.current?.querySelector("[aria-current=page]")];
    if (!nav || !tab) return;
    const [around, inside] = [nav.getBoundingClientRect(), tab.getBoundingClientRect()];
    nav.scrollLeft += inside.left + inside.width / 2 - around.left - around.width / 2;
  }, [tabs, pathname]);
}

/** Only for keyboard focus: a tab must not move while it is pressed. */
function keepInSight(tab: Element) {
  if (tab.matches(":focus-visible")) tab.scrollIntoView({ inline: "center", block: "nearest" });
}

function Waiting({ count, what }: { count: string | null; what: string }) {
  if (!count) return null;
  return (
    <Badge tone="red" className="ml-2">
      {count} <span className="sr-only">{what}</span>
    </Badge>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 403) return <AccessDenied inPage />;
  return <ErrorScreen error={error} inPage />;
}

const tabClass =
  "flex min-h-11 items-center px-3 font-semibold whitespace-nowrap md:px-2 text-muted hover:text-ink aria-[current=page]:text-ink " +
  "aria-[current=page]:[box-shadow:inset_0_-3px_0_var(--accent-edge)] focus-visible:-outline-offset-3";
