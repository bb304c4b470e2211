import { redirect } from "react-router";
import { checkForm, passwordInput } from "#app/features/accounts/input.ts";
import { deleteAccount, isLive } from "#app/features/privacy/delete-account.server.ts";
import { listSubscriptions } from "#app/features/wallet/subscriptions.server.ts";
import { Notice } from "#app/ui/notice.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { signOutCookie } from "#app/routes/cookies.server.ts";
import { creditsCount } from "#app/platform/money.ts";
import type { Route } from "./+types/delete-account";
import { broke, refuse, tooMany } from "./answers.server.ts";
import { Consequences, DeleteForm, EndSubscription } from "./delete-account-parts.tsx";
import { FormProblem } from "./form-problem.tsx";
import { readProof } from "./proof.server.ts";
import { SettingsPage } from "./settings-page.tsx";
import { deleteTickets } from "#app/features/support/tickets.server.ts";

export { pageHeaders as headers } from "#app/routes/auth/page-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), {
    title: "Delete my account",
    path: "/settings/delete-account",
  });

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const viewer = context.get(viewerContext);
  const subscriptions = (await listSubscriptions(db, viewer.userId)).filter(isLive);
  return {
    email: viewer.email,
    credits: viewer.balanceCents > 0 ? creditsCount(viewer.balanceCents) : null,
    debt: viewer.debtCents > 0 ? creditsCount(viewer.debtCents) : null,
    subscriptions: subscriptions.map(({ packName }) => packName ?? "Monthly plan"),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = context.get(viewerContext);
  const checked = checkForm(passwordInput, await formFields(request));
  if (!checked.ok) return refuse({ errors: checked.errors }, 422);
  try {
    const proof = await readProof(context, request, viewer, checked.input.password);
    const { userId, firstName } = viewer;
    const deletion = { ...proof, userId, firstName, deleteMore: deleteTickets };
    const parts = { ...app, dataDir: app.env.dataDir };
    const result = await deleteAccount(parts, deletion, app.now());
    if (!result.ok) {
      return result.reason === "too-many" ? tooMany(result.retryAfterSeconds) : say(result.reason);
    }
  } catch (error) {
    return broke(error, "Failed to delete your account. Please try again.");
  }
  const headers = new Headers();
  headers.append("Set-Cookie", await signOutCookie(app.env));
  const message = { title: "Your account is deleted", description: "Thanks for playing." };
  headers.append("Set-Cookie", await toastCookie(app.env, message));
  return redirect("/", { headers });
}

function say(reason: "wrong-password" | "last-admin" | "subscription" | "gone") {
  if (reason === "gone") return redirect("/");
  if (reason === "wrong-password") return refuse({ errors: { password: "Wrong password" } }, 422);
  return refuse({ failure: REFUSALS[reason] }, 409);
}

const REFUSALS = {
  "last-admin": "You are the last admin. Give somebody else the role first.",
  subscription: "You have a subscription that goes on. Please end it first.",
};

export default function DeleteAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { email, credits, debt, subscriptions } = loaderData;
  const isBlocked = subscriptions.length > 0;
  return (
    <SettingsPage title="Delete my account" lead="This cannot be undone.">
      <Consequences credits={credits} />
      {debt && (
        <Notice tone="warn" title={`You owe ${debt}.`}>
          What your cancelled bookings give back is taken off first. The rest stays with your email
          address: if you sign up again, your next purchase pays it first, then you can join games.
        </Notice>
      )}
      {isBlocked ? (
        <Notice tone="warn" title="End your subscription first">
          <EndSubscription names={subscriptions} />
        </Notice>
      ) : (
        <DeleteForm email={email} answer={actionData}>
          <FormProblem answer={actionData} />
        </DeleteForm>
      )}
    </SettingsPage>
  );
}
