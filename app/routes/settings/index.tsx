import { type ReactNode, useEffect } from "react";
import { isRouteErrorResponse, Link, useFetcher } from "react-router";
import { version } from "../../../package.json";
import { BackLink } from "#app/ui/back-link.tsx";
import { Button } from "#app/ui/button.tsx";
import { ChevronRight } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";
import { LOGOUT_FAILED } from "#app/forms/messages.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/index";
import { ErrorScreen } from "#app/routes/error-screens.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const { isAdmin, hasSecondFactor } = context.get(viewerContext);
  return { version, hasTwoFactor: isAdmin || hasSecondFactor };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Settings", path: "/settings" });

export default function Settings({ loaderData }: Route.ComponentProps) {
  return <SettingsList {...loaderData} />;
}

/** A logout that failed shows on the page itself; anything else went wrong. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const isLogout = isRouteErrorResponse(error) && error.statusText === LOGOUT_FAILED;
  useEffect(() => {
    if (isLogout) toast({ title: LOGOUT_FAILED, tone: "danger" });
  }, [isLogout, error]);
  if (!isLogout) return <ErrorScreen error={error} inPage />;
  return (
    <SettingsList version={loaderData?.version} hasTwoFactor={loaderData?.hasTwoFactor}>
      <Notice tone="danger">{LOGOUT_FAILED}</Notice>
    </SettingsList>
  );
}

interface SettingsListProps {
  version: string | undefined;
  /** Two-factor sign-in is for admins, and for those who have set it up. */
  hasTwoFactor?: boolean | undefined;
  /** Right above the way out. */
  children?: ReactNode;
}

/** All that can be set, in groups, and the way out. */
function SettingsList({ version, hasTwoFactor, children }: SettingsListProps) {
  return (
    <div className="mx-auto grid max-w-4xl gap-6 px-4 pt-4">
      <header className="grid gap-2">
        <BackLink to="/profile">Profile</BackLink>
        <h1 className="text-xl">Settings</h1>
      </header>
      <div className="grid items-start gap-6 md:grid-cols-2">
        <Group title="Account">
          <Entry to="/settings/change-password">Change Password</Entry>
          {hasTwoFactor && <Entry to="/settings/two-factor">Two-factor sign-in</Entry>}
          <Entry to="/settings/sessions">Your devices</Entry>
        </Group>
        <Group title="Support">
          <Entry to="/settings/contact-support">Contact support</Entry>
          <Entry to="/settings/onboarding">Onboarding</Entry>
          <Entry to="/settings/leave-review">Leave a Review</Entry>
        </Group>
        <Group title="About us">
          <Entry to="/terms">Terms of Use</Entry>
          <Entry to="/privacy">Data Policy</Entry>
          <Entry to="/accessibility">Accessibility</Entry>
        </Group>
        <Group title="Your data">
          <Entry to="/settings/my-data.zip" isDownload>
            Download my data
          </Entry>
          <Entry to="/settings/withdraw">Withdraw from a purchase</Entry>
          <Entry to="/settings/delete-account">Delete my account</Entry>
        </Group>
      </div>
      {children}
      <Logout />
      {version && <p className="text-center text-sm text-muted tabular-nums">v{version}</p>}
    </div>
  );
}

// A fetcher's failure stays on this page; that of a navigation would take the whole page away.
function Logout() {
  const { Form, state } = useFetcher();
  return (
    <Form method="post" action="/sign-out" className="grid justify-items-center">
      <Button pending={state !== "idle"} className="w-full md:w-56">
        Logout
      </Button>
    </Form>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = `group-${title.toLowerCase().replace(" ", "-")}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-base font-semibold text-muted">
        {title}
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card">
        {children}
      </ul>
    </section>
  );
}

type EntryProps = { to: string; isDownload?: boolean; children: ReactNode };

function Entry({ to, isDownload = false, children }: EntryProps) {
  return (
    <li>
      <Link
        to={to}
        {...(isDownload && { reloadDocument: true, download: true })}
        className="flex min-h-13 items-center justify-between gap-4 px-4 py-3 font-semibold hover:bg-sunken focus-visible:-outline-offset-3"
      >
        {children}
        <ChevronRight className="size-5 text-muted" />
      </Link>
    </li>
  );
}
