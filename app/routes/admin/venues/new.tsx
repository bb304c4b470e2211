import { randomUUID } from "node:crypto";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/new";
import { createAction } from "./actions.server.ts";
import { VenueForm } from "./form.tsx";

export function loader() {
  return { venueId: randomUUID() };
}

export const action = createAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta = metaOf({ title: "New venue" });

export default function NewVenue({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AdminPage back={{ to: "/admin/venues", label: "Venues" }} title="New venue">
      <VenueForm
        once={loaderData}
        result={actionData}
        submit="Add venue"
        secondary={{ to: "/admin/venues", label: "Cancel" }}
      />
    </AdminPage>
  );
}
