import { randomUUID } from "node:crypto";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/new";
import { createAction } from "./actions.server.ts";
import { PackForm } from "./form.tsx";

export function loader() {
  return { packId: randomUUID() };
}

export const action = createAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "New pack" });

const EMPTY = { name: "", price: "", credits: "", isActive: "1" };

export default function NewPack({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="grid gap-4">
      <BackLink to="/admin/packs">Packs</BackLink>
      <h2 className="text-lg">New pack</h2>
      <p className="max-w-xl text-muted">
        Players pay for it every month. The single game is the one pack that is paid for once, and
        is in the list already.
      </p>
      <div className="max-w-xl rounded-card bg-surface p-4 shadow-card md:p-6">
        <PackForm hidden={loaderData} values={EMPTY} result={actionData} submit="Create pack" />
      </div>
    </div>
  );
}
