import { randomUUID } from "node:crypto";
import { data, Form, redirect, useNavigation } from "react-router";
import { checkForm } from "#app/features/accounts/input.ts";
import { createVenue } from "#app/features/venues/admin-venues.server.ts";
import { venueInput } from "#app/features/venues/input.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { logFailure } from "#app/forms/log-failure.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import type { Route } from "./+types/new";
import { summaryOf } from "./summary.ts";
import { VenueFields } from "./venue-fields.tsx";
import { postedValues, type VenueAnswer } from "./venue-form.ts";

export async function loader() {
  return { venueId: randomUUID() };
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const { db, env } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const fields = await formFields(request);
  const checked = checkForm(venueInput, fields);
  const values = postedValues(fields);
  if (!checked.ok) return data<VenueAnswer>({ values, errors: checked.errors }, 422);
  const { venueId = "" } = fields;
  const answer = await createVenue(db, { venueId, input: checked.input, actor: userId }).catch(
    logFailure("adding a venue"),
  );
  if (!answer) return data<VenueAnswer>({ values, refusal: NOTHING_SAVED }, 500);
  if (!answer.ok) {
    const [refusal, status] = REFUSALS[answer.reason];
    return data<VenueAnswer>({ values, refusal }, status);
  }
  const message = { title: "Venue added", description: "Now add its photos." };
  const headers = { "Set-Cookie": await toastCookie(env, message) };
  return redirect(`/admin/venues/${venueId}/photos`, { headers });
}

const REFUSALS = {
  "no-id": ["The form was not complete. Please try again.", 400],
  "id-used": ["This form has added another venue before. Send it again for one more.", 409],
} as const;

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "New venue" });

export default function NewVenue({ loaderData, actionData }: Route.ComponentProps) {
  const isSaving = useNavigation().formMethod === "POST";
  return (
    <section aria-labelledby="new-venue" className="grid max-w-2xl gap-4">
      <div>
        <BackLink to="/admin/venues">Venues</BackLink>
        <h2 id="new-venue" className="text-lg">
          New venue
        </h2>
      </div>
      <Form method="post" noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="create" />
        <input type="hidden" name="venueId" value={loaderData.venueId} />
        <ErrorSummary errors={summaryOf(actionData)} of={actionData} />
        <VenueFields values={actionData?.values ?? postedValues()} errors={actionData?.errors} />
        <div className="flex flex-wrap gap-3">
          <Button variant="primary" pending={isSaving} pendingLabel="Saving…">
            Add venue
          </Button>
          <ButtonLink to="/admin/venues" variant="quiet">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </section>
  );
}
