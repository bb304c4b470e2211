import { randomUUID } from "node:crypto";
import { appContext } from "#app/routes/context.server.ts";
import { ErrorScreen } from "#app/routes/error-screens.tsx";
import { unknownOutcomeOf } from "#app/forms/messages.ts";
import { readForm } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { useRefusalToast } from "#app/forms/use-refusal-toast.ts";
import type { Route } from "./+types/show";
import {
  answerClaim,
  answerEdit,
  answerPicture,
  answerRemovePicture,
  refuse,
} from "./answers.server.ts";
import { ChallengeCard } from "./challenge-card.tsx";
import { Interests } from "./interests.tsx";
import { LoadFailed } from "./load-failed.tsx";
import { OwnHeader } from "./own-header.tsx";
import { loadOwnProfile } from "./profile-page.server.ts";
import { Stats } from "./stats.tsx";
import { WalletSection } from "./wallet-section.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  return { ...(await loadOwnProfile(context.get(appContext), viewer)), formKey: randomUUID() };
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = context.get(viewerContext);
  const form = await readForm(request);
  const intent = form.get("intent");
  if (intent === "edit-profile") return answerEdit(app, viewer, form);
  if (intent === "picture") return answerPicture(app, viewer, form);
  if (intent === "remove-picture") return answerRemovePicture(app, viewer);
  if (intent === "claim-reward") return answerClaim(app, viewer, form);
  return refuse({ form: "none", title: "Failed to process request" }, 400);
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Profile", path: "/profile" });

export default function Profile({ loaderData, actionData }: Route.ComponentProps) {
  useRefusalToast(actionData);
  const { challenge, stats, balance, entries } = loaderData;
  return (
    <div className="mx-auto grid max-w-6xl grid-cols-1 gap-8 px-4 pt-6 lg:grid-cols-[3fr_2fr]">
      <div className="grid content-start gap-8">
        <OwnHeader profile={loaderData} answer={actionData} />
        <ChallengeCard challenge={challenge} answer={actionData} />
        <Stats title="My stats" stats={stats} />
        <Interests profile={loaderData} />
      </div>
      <WalletSection balance={balance} entries={entries} />
    </div>
  );
}

/** Whatever the loader could not read: the page says so, and asks again. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return unknownOutcomeOf(error) ? <ErrorScreen error={error} inPage /> : <LoadFailed />;
}
