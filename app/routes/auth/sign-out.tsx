import { Form, redirect } from "react-router";
import { log } from "../../platform/log.server.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { appContext } from "../context.server.ts";
import { flashCookie } from "../flash.server.ts";
import { pageMeta, siteOf } from "../meta.ts";
import { readSessionCookie, signOutCookie } from "../session-cookie.server.ts";
import type { Route } from "./+types/sign-out";
import { AuthScreen } from "./auth-screen.tsx";

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
  headers.append("Set-Cookie", await flashCookie(env, { title }));
  return redirect("/", { headers });
}

export default function SignOut() {
  return null;
}

/** The request itself failed, such as without a connection. */
export function ErrorBoundary() {
  return (
    <AuthScreen title="Log out" lead="" back={{ to: "/", label: "Back" }}>
      <Notice tone="danger">Failed to log out. Please try again.</Notice>
      <Form method="post" action="/sign-out">
        <Button wide>Try Again</Button>
      </Form>
    </AuthScreen>
  );
}
