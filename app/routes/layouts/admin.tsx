import { isRouteErrorResponse, NavLink, Outlet } from "react-router";
import { AccessDenied } from "../admin/access-denied.tsx";
import { ErrorScreen } from "../error-screen.tsx";
import type { Route } from "./+types/admin";

const TABS = [{ to: "/admin/payments", label: "Payments" }];

/**
 * The organisers' desk, inside the signed-in layout. It lets nobody in: loaders run side by side,
 * so each page's loader and action ask for the role themselves.
 */
export default function Admin() {
  return (
    <div className="mx-auto grid max-w-4xl gap-6 px-4 pt-6">
      <h1 className="text-xl">Admin</h1>
      <nav
        aria-label="Admin"
        className="flex overflow-x-auto border-b border-line max-md:-mx-4 max-md:px-4"
      >
        {TABS.map(({ to, label }) => (
          <NavLink key={to} to={to} className={tabClass}>
            {label}
          </NavLink>
        ))}
      </nav>
      <Outlet />
    </div>
  );
}

/** What the guard threw is 'Access Denied'; anything else went wrong. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 403) return <AccessDenied />;
  return <ErrorScreen error={error} inPage />;
}

const tabClass =
  "flex min-h-11 items-center px-3 font-semibold text-muted hover:text-ink aria-[current=page]:text-ink " +
  "aria-[current=page]:shadow-[inset_0_-3px_0_var(--accent-edge)] focus-visible:-outline-offset-3";
