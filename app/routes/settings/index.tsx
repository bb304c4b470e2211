import { useEffect } from "react";
import { isRouteErrorResponse } from "react-router";
import { version } from "../../../package.json";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";
import { LOGOUT_FAILED } from "#app/routes/auth/logout-failed.ts";
import { ErrorScreen } from "#app/routes/error-screens.tsx";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/index";
import { SettingsList } from "./settings-list.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const { isAdmin, hasSecondFactor } = context.get(viewerContext);
  return { version, hasTwoFactor: isAdmin || hasSecondFactor };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Settings", path: "/settings" });

export default function Settings({ loaderData }: Route.ComponentProps) {
  return <SettingsList {...loaderData} />;
}

/** A logout that failed is said on the page itself; anything else went wrong. */
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
