import { data, redirect } from "react-router";
import { checkForm } from "#app/features/accounts/input.ts";
import { findAdminVenue, editVenue, hideVenue } from "#app/features/venues/admin-venues.server.ts";
import { venueInput } from "#app/features/venues/input.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ownPath } from "#app/ui/picture.tsx";
import { type App, appContext } from "#app/routes/context.server.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { type ToastMessage, toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { logFailure } from "#app/forms/log-failure.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import type { Route } from "./+types/edit";
import { EditForm } from "./edit-form.tsx";
import { HideForm } from "./hide-form.tsx";
import { PhotoStrip } from "./photo-strip.tsx";
import { VenueNotFound } from "./venue-not-found.tsx";
import { postedValues, type VenueAnswer, valuesOf, venueDifferences } from "./venue-form.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const venue = await findAdminVenue(db, params.venueId);
  if (!venue) return data({ venue: null }, { status: 404 });
  const { id, name, isHidden, version, photos } = venue;
  const shown = photos.filter(({ url }) => ownPath(url));
  return data({ venue: { id, name, isHidden, version, photos: shown, values: valuesOf(venue) } });
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const fields = await formFields(request);
  const deed = { venueId: params.venueId, actor };
  if (fields.intent === "hide" || fields.intent === "show") {
    return switchVenue(app, { ...deed, isHidden: fields.intent === "hide" });
  }
  return saveVenue(app, deed, fields);
}

async function switchVenue(app: App, deed: Parameters<typeof hideVenue>[1]) {
  if (!(await hideVenue(app.db, deed))) return gone();
  const title = deed.isHidden ? "Venue hidden" : "Venue shown again";
  // Not back to the form: what it holds may be older than the venue.
  return done(app, "/admin/venues", { title });
}

async function saveVenue(
  app: App,
  deed: { venueId: string; actor: string },
  fields: Record<string, string>,
) {
  const values = postedValues(fields);
  const checked = checkForm(venueInput, fields);
  if (!checked.ok) return data<VenueAnswer>({ values, errors: checked.errors }, 422);
  const version = Number(fields.version);
  const answer = await editVenue(app.db, { ...deed, version, input: checked.input }).catch(
    logFailure("changing a venue"),
  );
  if (!answer) return data<VenueAnswer>({ values, refusal: NOTHING_SAVED }, 500);
  if (answer.ok) return done(app, `/admin/venues/${deed.venueId}`, { title: "Venue saved" });
  if (answer.reason === "gone") return gone();
  const differences = venueDifferences(answer.current, values);
  return data<VenueAnswer>({ values, differences }, 409);
}

function gone() {
  return data<VenueAnswer>({ values: postedValues() }, 404);
}

async function done({ env }: App, to: string, message: Omit<ToastMessage, "id">) {
  return redirect(to, { headers: { "Set-Cookie": await toastCookie(env, message) } });
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(siteOf(matches), { title: loaderData?.venue?.name ?? "Venue not found" });

export default function EditVenue({ loaderData, actionData }: Route.ComponentProps) {
  const { venue } = loaderData;
  if (!venue) return <VenueNotFound />;
  return (
    <section aria-labelledby="venue" className="grid gap-6">
      <div>
        <BackLink to="/admin/venues">Venues</BackLink>
        <div className="flex items-center justify-between gap-4">
          <h2 id="venue" className="text-lg">
            {venue.name}
          </h2>
          {venue.isHidden && <Badge>Hidden</Badge>}
        </div>
      </div>
      <PhotoStrip venueId={venue.id} photos={venue.photos} />
      <EditForm key={venue.id} venue={venue} answer={actionData} />
      <HideForm isHidden={venue.isHidden} />
    </section>
  );
}
