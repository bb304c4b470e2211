import { randomUUID } from "node:crypto";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/new";
import { createAction } from "./actions.server.ts";
import { VenueForm } from "./form.tsx";

export function loader() {
  return { venueId: randomUUID() };
}

export const action = createAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "New venue" });

export default function NewVenue({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <section aria-labelledby="new-venue" className="grid gap-4">
      <div>
        <BackLink to="/admin/venues">Venues</BackLink>
        <h2 id="new-venue" className="text-lg">
          New venue
        </h2>
      </div>
      <VenueForm
        hidden={loaderData}
        result={actionData}
        submit="Add venue"
        secondary={{ to: "/admin/venues", label: "Cancel" }}
      />
    </section>
  );
}
