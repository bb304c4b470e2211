import { randomUUID } from "node:crypto";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/new";
import { createAction } from "./actions.server.ts";
import { PartnerForm } from "./form.tsx";

export function loader() {
  return { partnerId: randomUUID() };
}

export const action = createAction;

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Add partner" });

const EMPTY = { name: "", websiteUrl: "", sortOrder: "0" };

export default function NewPartner({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <section aria-labelledby="new-partner" className="grid max-w-xl gap-4">
      <BackLink to="/admin/partners">Partners</BackLink>
      <h2 id="new-partner" className="text-lg">
        Add partner
      </h2>
      <PartnerForm hidden={loaderData} values={EMPTY} result={actionData} submit="Add partner" />
    </section>
  );
}
