import { Badge } from "#app/ui/badge.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { AdminPage } from "#app/routes/admin/page.tsx";
import type { Route } from "./+types/edit";
import { data } from "react-router";
import { findAdminVenue, type VenuePhoto } from "#app/features/venues/admin-venues.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { editedVersion, resultOf } from "#app/forms/form-result.ts";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ownPath, Picture } from "#app/ui/picture.tsx";
import { editAction, photoCount, toVenueValues } from "./actions.server.ts";
import { VenueForm } from "./form.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const venue = await findAdminVenue(db, params.venueId);
  if (!venue) throw data(null, 404);
  const { id, name, isHidden, version } = venue;
  const photos = venue.photos.filter(({ url }) => ownPath(url));
  const count = photoCount(photos.length).replace(/^no/, "No");
  const values = toVenueValues(venue);
  return { id, name, isHidden, version, photos, count, values };
}

export const action = editAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(siteOf(matches), { title: loaderData?.name ?? "Venue not found" });

export const ErrorBoundary = missingBoundary("Venue not found", "/admin/venues", "All venues");

export default function EditVenue({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, isHidden, version, photos, count, values } = loaderData;
  const saved = resultOf(actionData, "save");
  return (
    <AdminPage
      back={{ to: "/admin/venues", label: "Venues" }}
      title={<span translate="no">{name}</span>}
      aside={isHidden && <Badge>Hidden</Badge>}
      className="grid gap-6"
    >
      <FormErrors result={resultOf(actionData, "hide", "show", "")} />
      <div className="grid gap-3">
        <div className="flex items-center justify-between gap-4">
          <p className="text-muted">{count}</p>
          <ButtonLink to={`/admin/venues/${id}/photos`}>
            {photos.length > 0 ? "Edit photos" : "Add photos"}
          </ButtonLink>
        </div>
        <PhotoStrip photos={photos} />
      </div>
      <VenueForm
        key={id}
        hidden={{ version: editedVersion(saved, version) }}
        values={values}
        result={saved}
        submit="Save venue"
        secondary={{ to: `/venues/${id}`, label: "View as player" }}
      />
      <div className="grid max-w-2xl gap-3 border-t border-line pt-6">
        <h3 className="text-base">Closed for a while?</h3>
        <p className="text-muted">
          Cancel all games here from one day to another, with refunds and emails.
        </p>
        <ButtonLink to={`/admin/venues/${id}/cancel-games`} className="justify-self-start">
          Cancel games here
        </ButtonLink>
      </div>
      <HideForm isHidden={isHidden} />
    </AdminPage>
  );
}

function PhotoStrip({ photos }: { photos: VenuePhoto[] }) {
  if (photos.length === 0) return null;
  return (
    <ul aria-label="Photos" className="grid grid-cols-3 gap-2 md:grid-cols-6">
      {photos.map(({ url, alt }, index) => (
        <li key={index}>
          <Picture
            src={url}
            alt={alt || `Photo ${index + 1}`}
            sizes="(min-width: 768px) 150px, 33vw"
            className="aspect-video w-full rounded-card bg-night object-cover"
          />
        </li>
      ))}
    </ul>
  );
}

function HideForm({ isHidden }: { isHidden: boolean }) {
  const intent = isHidden ? "show" : "hide";
  return (
    <IntentForm intent={intent} className="grid max-w-2xl gap-3 border-t border-line pt-6">
      <h3 className="text-base">{isHidden ? "This venue is hidden" : "Hide this venue"}</h3>
      <p className="text-muted">
        {isHidden ? "Players do not find it" : "Players no longer find it"}, and new games cannot be
        put there. Its games go on.
      </p>
      <SubmitButton className="justify-self-start">
        {isHidden ? "Show venue" : "Hide venue"}
      </SubmitButton>
    </IntentForm>
  );
}
