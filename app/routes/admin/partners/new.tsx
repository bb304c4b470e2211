import { randomUUID } from "node:crypto";
import { appContext } from "#app/routes/context.server.ts";
import { readForm } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { useRefusalToast } from "#app/forms/use-refusal-toast.ts";
import type { Route } from "./+types/new";
import { answerCreate, refuse } from "./answers.server.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { PartnerForm } from "./partner-form.tsx";
import { PARTNERS } from "./partner-words.ts";

export async function loader() {
  return { partnerId: randomUUID() };
}

export { readAgain as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const { userId: actor } = context.get(viewerContext);
  const form = await readForm(request);
  if (form.get("intent") !== "save") {
    return refuse({ form: "details", title: "Failed to add partner" }, 400);
  }
  return answerCreate(context.get(appContext), { actor, form });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Add partner" });

const EMPTY = { name: "", websiteUrl: "", sortOrder: "0" };

export default function NewPartner({ loaderData, actionData }: Route.ComponentProps) {
  useRefusalToast(actionData);
  return (
    <section aria-labelledby="new-partner" className="grid max-w-xl gap-4">
      <BackLink to={PARTNERS}>Partners</BackLink>
      <h2 id="new-partner" className="text-lg">
        Add partner
      </h2>
      <PartnerForm hidden={loaderData} values={EMPTY} answer={actionData} submit="Add partner" />
    </section>
  );
}
