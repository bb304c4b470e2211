import { randomUUID } from "node:crypto";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/new";
import { createAction } from "./actions.server.ts";
import { PartnerForm } from "./form.tsx";

export function loader() {
  return { partnerId: randomUUID() };
}

export const action = createAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta = metaOf({ title: "Add partner" });

const EMPTY = { name: "", websiteUrl: "", sortOrder: "0" };

export default function NewPartner({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AdminPage title="Add partner" back={{ to: "/admin/partners", label: "Partners" }}>
      <div className="max-w-xl">
        <PartnerForm once={loaderData} values={EMPTY} result={actionData} submit="Add partner" />
      </div>
    </AdminPage>
  );
}
