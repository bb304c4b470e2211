import { type ChangeEvent, useState } from "react";
import { data, Form, useNavigation } from "react-router";
import { findAdminVenue } from "#app/features/venues/admin-venues.server.ts";
import { PHOTOS_AT_ONCE_BYTES, PHOTOS_MAX } from "#app/features/venues/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { ownPath } from "#app/ui/picture.tsx";
import type { Route } from "./+types/photos";
import { photosAction } from "./photo-actions.server.ts";
import { PhotoList } from "./photo-list.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const venue = await findAdminVenue(db, params.venueId);
  if (!venue) return data({ venue: null }, { status: 404 });
  const { id, name, version } = venue;
  // An address that our pages load nothing from is listed, so that it can be removed.
  const photos = venue.photos.map((photo) => ({ ...photo, shown: ownPath(photo.url) }));
  return data({ venue: { id, name, version, photos } });
}

export const action = photosAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const name = loaderData?.venue?.name;
  const title = name ? `Photos of ${name}` : "Venue not found";
  return pageMeta(siteOf(matches), { title });
};

export default function VenuePhotos({ loaderData, actionData }: Route.ComponentProps) {
  const { venue } = loaderData;
  if (!venue) {
    return <Missing title="Venue not found" back={{ to: "/admin/venues", label: "All venues" }} />;
  }
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
        result={resultOf(actionData, "upload", "")}
      />
      <PhotoList key={venue.id} venue={venue} result={resultOf(actionData, "arrange")} />
    </section>
  );
}

const TOO_MUCH = {
  title: "No photo was added",
  fieldErrors: {
    photos: "These photos are larger than 60 MB together. Please add them in several turns.",
  },
};

type UploadFormProps = { count: number; result: FormResult | undefined };

/** Several photos at once; each is named that cannot be used. */
function UploadForm({ count, result }: UploadFormProps) {
  const [isTooMuch, setIsTooMuch] = useState(false);
  const isSending = useNavigation().formData?.get("intent") === "upload";
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const bytes = [...(target.files ?? [])].reduce((sum, { size }) => sum + size, 0);
    setIsTooMuch(bytes > PHOTOS_AT_ONCE_BYTES);
    if (bytes > PHOTOS_AT_ONCE_BYTES) target.value = "";
  };
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      preventScrollReset
      noValidate
      className="grid gap-4 rounded-card bg-surface p-4 shadow-card"
    >
      <input type="hidden" name="intent" value="upload" />
      <FormErrors result={isTooMuch ? TOO_MUCH : result} fieldId={() => "new-photos"} />
      {count < PHOTOS_MAX ? (
        <>
          <TextField
            id="new-photos"
            name="photos"
            type="file"
            multiple
            label="Choose photos"
            hint={`JPG or PNG, each at most 10 MB and together 60 MB; ${count} of ${PHOTOS_MAX} so far. Pages show the middle, 16:9. We remove the location from your photos.`}
            accept="image/jpeg,image/png"
            onChange={choose}
            className={fileClass}
          />
          <Button
            variant="primary"
            className="justify-self-start"
            pending={isSending}
            pendingLabel="Uploading…"
          >
            Add photos
          </Button>
        </>
      ) : (
        <p>A venue has at most {PHOTOS_MAX} photos. Remove one to add another.</p>
      )}
    </Form>
  );
}

const fileClass =
  "[&_::file-selector-button]:mr-3 [&_::file-selector-button]:font-semibold [&_::file-selector-button]:underline";
