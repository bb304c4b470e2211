import { type ChangeEvent, useState } from "react";
import { data } from "react-router";
import { findAdminVenue } from "#app/features/venues/admin-venues.server.ts";
import { PHOTOS_AT_ONCE_BYTES, PHOTOS_MAX } from "#app/features/venues/rules.ts";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { AdminPage, panelClass } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { FileField } from "#app/ui/field.tsx";
import { ownPath } from "#app/ui/picture.tsx";
import type { Route } from "./+types/photos";
import { photosAction } from "./photo-actions.server.ts";
import { PhotoList } from "./photo-list.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const venue = await findAdminVenue(db, params.venueId);
  if (!venue) throw data(null, 404);
  const { id, name, version } = venue;
  // Photos from other sites are never shown, but listed so that they can be removed.
  const photos = venue.photos.map((photo) => ({ ...photo, shown: ownPath(photo.url) }));
  return { id, name, version, photos };
}

export const action = photosAction;

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const name = loaderData?.name;
  const title = name ? `Photos of ${name}` : "Venue not found";
  return pageMeta(siteOf(matches), { title });
};

export const ErrorBoundary = missingBoundary("Venue not found", "/admin/venues", "All venues");

export default function VenuePhotos({ loaderData: venue, actionData }: Route.ComponentProps) {
  return (
    <AdminPage
      back={{ to: `/admin/venues/${venue.id}`, label: <span translate="no">{venue.name}</span> }}
      title={`Photos of ${venue.name}`}
      className="grid gap-6"
    >
      <UploadForm
        key={venue.photos.length}
        count={venue.photos.length}
        result={resultOf(actionData, "upload", "")}
      />
      <PhotoList key={venue.id} venue={venue} result={resultOf(actionData, "arrange")} />
    </AdminPage>
  );
}

const TOO_MUCH = {
  title: "No photo was added",
  fieldErrors: {
    photos: "These photos are larger than 60 MB together. Please add them in several turns.",
  },
};

type UploadFormProps = { count: number; result: FormResult | undefined };

/** Several photos at once; the result lists those that cannot be used. */
function UploadForm({ count, result }: UploadFormProps) {
  const [isTooMuch, setIsTooMuch] = useState(false);
  const shown = isTooMuch ? TOO_MUCH : result;
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const bytes = [...(target.files ?? [])].reduce((sum, { size }) => sum + size, 0);
    setIsTooMuch(bytes > PHOTOS_AT_ONCE_BYTES);
    if (bytes > PHOTOS_AT_ONCE_BYTES) target.value = "";
  };
  return (
    <IntentForm
      intent="upload"
      result={shown}
      fieldId={() => "new-photos"}
      encType="multipart/form-data"
      preventScrollReset
      className={panelClass}
    >
      {count < PHOTOS_MAX ? (
        <>
          <FileField
            id="new-photos"
            name="photos"
            error={Object.values(shown?.fieldErrors ?? {}).join(" ")}
            multiple
            label="Choose photos"
            hint={`JPG or PNG, each at most 10 MB and together 60 MB; ${count} of ${PHOTOS_MAX} so far. Pages show the middle, 16:9. We remove the location from your photos.`}
            accept="image/jpeg,image/png"
            onChange={choose}
          />
          <SubmitButton variant="primary" className="justify-self-start" pendingLabel="Uploading…">
            Add photos
          </SubmitButton>
        </>
      ) : (
        <p>A venue has at most {PHOTOS_MAX} photos. Remove one to add another.</p>
      )}
    </IntentForm>
  );
}
