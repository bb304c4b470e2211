import { data, redirect } from "react-router";
import { confirmAddress, findConfirmed } from "../../features/accounts/confirm-address.server.ts";
import { findAddressee } from "../../features/accounts/users.server.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { appContext } from "../context.server.ts";
import { deviceCookie } from "../device-cookie.server.ts";
import { flashCookie } from "../flash.server.ts";
import { getViewer } from "../guards.server.ts";
import { pageMeta, siteOf } from "../meta.ts";
import { signInCookie } from "../session-cookie.server.ts";
import type { Route } from "./+types/confirm";
import { AuthScreen } from "./auth-screen.tsx";
import { ResendForm } from "./resend-form.tsx";

export { pageHeaders as headers } from "./page-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Confirm your email", noindex: true });

/**
 * The link of the confirmation mail: uses it up, signs in and leads to "/". Whoever is signed in
 * already stays who they are, so that a link sent by somebody else cannot swap the account.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  // Programs that look at links before people do ask for the head only.
  if (request.method === "HEAD") return null;
  const { env, db, accounts, now } = context.get(appContext);
  const token = new URL(request.url).searchParams.get("token");
  const userId = token ? await confirmAddress(db, token, now()) : null;
  if (!userId) return explain(context, token);
  const headers = new Headers();
  headers.append("Set-Cookie", await flashCookie(env, { title: "Your email is confirmed" }));
  if (!(await getViewer(context))) {
    const session = await accounts.openSession(userId, {
      userAgent: request.headers.get("User-Agent"),
    });
    headers.append("Set-Cookie", await signInCookie(env, session));
    const person = await findAddressee(db, userId);
    if (person) headers.append("Set-Cookie", await deviceCookie(env, request, person.email));
  }
  throw redirect("/", { headers });
}

/** A link that was used: for who is in already there is nothing to read. */
async function explain(context: Route.LoaderArgs["context"], token: string | null) {
  if (!token) return data({ isConfirmed: false }, { status: 400 });
  const { db, now } = context.get(appContext);
  const userId = await findConfirmed(db, token, now());
  const viewer = await getViewer(context);
  if (userId && viewer?.userId === userId) throw redirect("/");
  return data({ isConfirmed: userId !== null }, { status: 410 });
}

export default function Confirm({ loaderData }: Route.ComponentProps) {
  if (loaderData?.isConfirmed) {
    return (
      <AuthScreen
        title="Your email is already confirmed"
        lead="This link has done its work. Just sign in."
        back={{ to: "/", label: "Home" }}
        isShort
      >
        <ButtonLink to="/auth" variant="primary" size="lg">
          Sign In
        </ButtonLink>
      </AuthScreen>
    );
  }
  return (
    <AuthScreen
      title="This link does not work any more"
      lead="It has expired or was used already. If you have confirmed your email, just sign in; otherwise we send you a new link."
      back={{ to: "/auth", label: "Sign In" }}
      isShort
    >
      <ResendForm />
    </AuthScreen>
  );
}
