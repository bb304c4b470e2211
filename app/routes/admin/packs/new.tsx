import { randomUUID } from "node:crypto";
import { AdminPage, panelClass } from "#app/routes/admin/page.tsx";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/new";
import { createAction } from "./actions.server.ts";
import { PackForm } from "./form.tsx";

export function loader() {
  return { packId: randomUUID() };
}

export const action = createAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta = metaOf({ title: "New pack" });

const EMPTY = { name: "", price: "", credits: "", isActive: "1" };

export default function NewPack({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AdminPage back={{ to: "/admin/packs", label: "Packs" }} title="New pack">
      <p className="max-w-xl text-muted">
        Players pay for it every month. The single game is the one pack that is paid for once, and
        is in the list already.
      </p>
      <div className={`max-w-xl ${panelClass}`}>
        <PackForm once={loaderData} values={EMPTY} result={actionData} submit="Create pack" />
      </div>
    </AdminPage>
  );
}
