import { data, redirect } from "react-router";
import { log } from "#app/platform/log.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { rejectionContext } from "#app/forms/page-account.server.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { deleteKept } from "#app/ui/kept.ts";
import { Notice } from "#app/ui/notice.tsx";
import { LOGOUT_FAILED } from "#app/forms/messages.ts";
import { metaOf } from "#app/routes/meta.ts";
import { readSessionCookie, signOutHeaders } from "#app/routes/cookies.server.ts";
import type { Route } from "./+types/sign-out";
import { visitorRows } from "./actions.server.ts";
import { AuthScreen } from "./auth-screen.tsx";

export const meta = metaOf({ title: "Sign out", noindex: true });

export function loader({ context }: Route.LoaderArgs) {
  if (context.get(rejectionContext)) throw data(null, { status: 409, statusText: LOGOUT_FAILED });
  return redirect("/");
}

/** Ends the session; the cookie is cleared even if the database is down. */
export const action = formAction(
  visitorRows()({
    failed: LOGOUT_FAILED,
    run: async ({ request, env, accounts }) => {
      const token = await readSessionCookie(env, request);
      try {
        if (token) await accounts.closeSession(token);
      } catch (error) {
        log.error({ err: error }, "a session was not ended");
      }
    },
    errors: {},
    done: async (_, { env }) => {
      const headers = await signOutHeaders(env);
      // A new document also frees what the scripts still hold in memory.
      headers.set("X-Remix-Reload-Document", "true");
      return { to: "/", title: "You have been successfully logged out.", headers };
    },
  }),
);

/** Without a connection the session stays: the page says so. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    // A sign-out redirects; only one that was rejected returns, and the account keeps what it has here.
    return await serverAction();
  } catch (error) {
    // Check-ins go with the response: where there is none they are not lost.
    deleteKept("chat", "field", "draft", "tickets", "filters");
    if (!(error instanceof TypeError)) throw error;
    throw data(null, { status: 503, statusText: LOGOUT_FAILED });
  }
}

export default function SignOut() {
  return null;
}

export function ErrorBoundary() {
  return (
    <AuthScreen title="Log out" back={{ to: "/", label: "Back" }} isShort>
      <Notice tone="danger">{LOGOUT_FAILED}</Notice>
      <ShortForm action="/sign-out" submit="Try Again" />
    </AuthScreen>
  );
}
