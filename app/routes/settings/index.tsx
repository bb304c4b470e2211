import type { ComponentProps, ReactNode } from "react";
import { isRouteErrorResponse, Link, useFetcher } from "react-router";
import { version } from "../../../package.json";
import { BackLink } from "#app/ui/back-link.tsx";
import { Button } from "#app/ui/button.tsx";
import { ChevronRight } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { LOGOUT_FAILED } from "#app/forms/messages.ts";
import { PostForm } from "#app/forms/post-form.tsx";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/index";
import { ErrorScreen } from "#app/routes/error-screens.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const { isAdmin, hasSecondFactor } = context.get(viewerContext);
  // Admins, and users who have set it up.
  return { version, hasTwoFactor: isAdmin || hasSecondFactor };
}

export const meta = metaOf({ title: "Settings", path: "/settings" });

export default function Settings({ loaderData }: Route.ComponentProps) {
  return <SettingsList {...loaderData} />;
}

/** A failed logout is shown on the page; other errors replace it. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const isLogout = isRouteErrorResponse(error) && error.statusText === LOGOUT_FAILED;
  if (!isLogout) return <ErrorScreen error={error} inPage hasTitle />;
  return (
    <SettingsList {...loaderData}>
      <Notice tone="danger">{LOGOUT_FAILED}</Notice>
    </SettingsList>
  );
}

type SettingsListProps = Partial<Route.ComponentProps["loaderData"]> & { children?: ReactNode };

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
          <Entry to="/settings/calendar">Calendar</Entry>
          <Entry to="/settings/blocked">Blocked players</Entry>
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
        <Group title="Notifications">
          <Entry to="/settings/notifications">Emails and push</Entry>
        </Group>
        <Group title="Your data">
          <Entry to="/settings/my-data.zip" reloadDocument download>
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

// By a fetcher: a failed navigation would replace the whole page.
function Logout() {
  const fetcher = useFetcher();
  return (
    <PostForm via={fetcher.Form} action="/sign-out" className="grid justify-items-center">
      <Button pending={fetcher.state !== "idle"} className="w-full md:w-56">
        Logout
      </Button>
    </PostForm>
  );
}

// Named by the list: toasts are read in a landmark called Notifications.
function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = `group-${title.toLowerCase().replace(" ", "-")}`;
  return (
    <section>
      <h2 id={id} className="mb-2 text-base font-semibold text-muted">
        {title}
      </h2>
      <ul
        aria-labelledby={id}
        className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card"
      >
        {children}
      </ul>
    </section>
  );
}

function Entry(props: ComponentProps<typeof Link>) {
  return (
    <li>
      <Link
        {...props}
        className="flex min-h-13 items-center justify-between gap-4 px-4 py-3 font-semibold hover:bg-sunken focus-visible:-outline-offset-3"
      >
        {props.children}
        <ChevronRight className="size-5 text-muted" />
      </Link>
    </li>
  );
}
