import { data, Form, redirect } from "react-router";
import { log } from "#app/platform/log.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { readSessionCookie, signOutCookie } from "#app/routes/cookies.server.ts";
import type { Route } from "./+types/sign-out";
import { AuthScreen } from "./auth-screen.tsx";
import { LOGOUT_FAILED } from "./logout-failed.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Sign out", noindex: true });

export function loader() {
  return redirect("/");
}

/** Ends the session on the server; the browser forgets it even where the database is down. */
export async function action({ request, context }: Route.ActionArgs) {
  const { env, accounts } = context.get(appContext);
  const token = await readSessionCookie(env, request);
  try {
    if (token) await accounts.closeSession(token);
  } catch (error) {
    log.error({ err: error }, "a session was not ended");
  }
  const headers = new Headers();
  const title = "You have been successfully logged out.";
  headers.append("Set-Cookie", await signOutCookie(env));
  headers.append("Set-Cookie", await toastCookie(env, { title }));
  return redirect("/", { headers });
}

/**
 * In the browser: without a connection the server never hears of it. Who asked by a fetcher shows
 * this on its own page, where an error of the page's data would take everything away.
 */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw data(null, { status: 503, statusText: LOGOUT_FAILED });
  }
}

export default function SignOut() {
  return null;
}

/** The request itself failed, such as without a connection. */
export function ErrorBoundary() {
  return (
    <AuthScreen title="Log out" back={{ to: "/", label: "Back" }} isShort>
      <Notice tone="danger">{LOGOUT_FAILED}</Notice>
      <Form method="post" action="/sign-out">
        <Button variant="primary" size="lg" wide>
          Try Again
        </Button>
      </Form>
    </AuthScreen>
  );
}
