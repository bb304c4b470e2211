import { data } from "react-router";
import { findAdminVenue } from "#app/features/venues/admin-venues.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { readForm } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import type { Route } from "./+types/photos";
import { answerAdd, answerArrange } from "./photo-answers.server.ts";
import { PhotoList } from "./photo-list.tsx";
import { UploadForm } from "./upload-form.tsx";
import { VenueNotFound } from "./venue-not-found.tsx";
import { ownPath } from "#app/ui/picture.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const venue = await findAdminVenue(db, params.venueId);
  if (!venue) return data({ venue: null }, { status: 404 });
  const { id, name, version } = venue;
  // An address that our pages load nothing from is listed, so that it can be removed.
  const photos = venue.photos.map((photo) => ({ ...photo, shown: ownPath(photo.url) }));
  return data({ venue: { id, name, version, photos } });
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const form = await readForm(request);
  const deed = { venueId: params.venueId, actor };
  return form.get("intent") === "add-photos"
    ? answerAdd(app, deed, form)
    : answerArrange(app, deed, form);
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const name = loaderData?.venue?.name;
  const title = name ? `Photos of ${name}` : "Venue not found";
  return pageMeta(siteOf(matches), { title });
};

export default function VenuePhotos({ loaderData, actionData }: Route.ComponentProps) {
  const { venue } = loaderData;
  if (!venue) return <VenueNotFound />;
  return (
    <section aria-labelledby="photos" className="grid gap-6">
      <div>
        <BackLink to={`/admin/venues/${venue.id}`}>{venue.name}</BackLink>
        <h2 id="photos" className="text-lg">
          Photos of {venue.name}
        </h2>
      </div>
      <UploadForm
        key={venue.photos.length}
        count={venue.photos.length}
        answer={actionData?.form === "upload" ? actionData : undefined}
      />
      <PhotoList
        key={venue.id}
        venue={venue}
        answer={actionData?.form === "list" ? actionData : undefined}
      />
    </section>
  );
}
