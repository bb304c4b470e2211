import { useEffect } from "react";
import { useNavigation } from "react-router";
import type { VenuePhoto } from "#app/features/venues/admin-venues.server.ts";
import { ALT_MAX } from "#app/features/venues/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { PostForm } from "#app/forms/post-form.tsx";
import { MoveButton } from "#app/routes/admin/move-button.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Picture } from "#app/ui/picture.tsx";

const FORM = "photo-list";

interface ListedPhoto extends VenuePhoto {
  shown: string | null;
}

interface PhotoListProps {
  venue: { version: number; photos: ListedPhoto[] };
  result: FormResult | undefined;
}

export function PhotoList({ venue, result }: PhotoListProps) {
  const { photos } = venue;
  // The error is on the page behind the dialog.
  useEffect(() => {
    if (result) document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  }, [result]);
  return (
    <div tabIndex={-1} role="group" aria-label="Photos">
      {photos.length === 0 && <EmptyState>No photos yet</EmptyState>}
      {photos.length > 0 && <ListForm venue={venue} result={result} />}
      {photos.map((photo, index) => (
        <RemoveDialog key={photo.url} index={index} photo={photo} />
      ))}
    </div>
  );
}

/** One form, so that every button saves what was typed. */
function ListForm({ venue: { version, photos }, result }: PhotoListProps) {
  const isSaving = useNavigation().formData?.get("change") === "save";
  return (
    <PostForm id={FORM} preventScrollReset noValidate className="grid gap-4">
      {/* What the Enter key presses: the first button of a form. */}
      <button name="change" value="save" tabIndex={-1} aria-hidden className="sr-only" />
      <input type="hidden" name="intent" value="arrange" />
      <input type="hidden" name="version" value={version} />
      <FormErrors result={result} />
      <ol className="grid gap-4 md:grid-cols-2">
        {photos.map((photo, index) => (
          <PhotoItem
            key={photo.url}
            photo={{ ...photo, alt: result?.values?.[photo.url] ?? photo.alt }}
            index={index}
            isLast={index === photos.length - 1}
            error={result?.fieldErrors?.[`alt-${index + 1}`]}
          />
        ))}
      </ol>
      <Button
        name="change"
        value="save"
        variant="primary"
        className="justify-self-start"
        pending={isSaving}
        pendingLabel="Saving…"
      >
        Save descriptions
      </Button>
    </PostForm>
  );
}

interface PhotoItemProps {
  photo: ListedPhoto;
  index: number;
  isLast: boolean;
  error: string | undefined;
}

function PhotoItem({ photo, index, isLast, error }: PhotoItemProps) {
  const number = index + 1;
  const which = <span className="sr-only"> photo {number}</span>;
  return (
    <li
      id={`photo-${number}`}
      className="grid scroll-mt-20 content-start gap-3 rounded-card bg-surface p-4 shadow-card"
    >
      <div className="relative aspect-video overflow-hidden rounded-card bg-night text-chalk">
        {photo.shown ? (
          <Picture
            src={photo.shown}
            alt={photo.alt || `Photo ${number}`}
            sizes="(min-width: 768px) 400px, 100vw"
            className="size-full object-cover"
          />
        ) : (
          <p className="p-4 break-all">Players do not see this address: {photo.url}</p>
        )}
        {index === 0 && <Badge className="absolute top-3 left-3">First, on the card</Badge>}
      </div>
      <input type="hidden" name="url" value={photo.url} />
      <TextField
        id={`alt-${number}`}
        name="alt"
        label={`Description of photo ${number}`}
        defaultValue={photo.alt}
        error={error}
        maxLength={ALT_MAX}
        autoComplete="off"
      />
      <div className="flex flex-wrap gap-1">
        <MoveButton name="change" value={`up:${index}`} isAtEnd={index === 0}>
          Move up{which}
        </MoveButton>
        <MoveButton name="change" value={`down:${index}`} isAtEnd={isLast}>
          Move down{which}
        </MoveButton>
        <DialogTrigger dialog={`remove-${number}`} variant="quiet">
          Remove{which}
        </DialogTrigger>
      </div>
    </li>
  );
}

function RemoveDialog({ index, photo }: { index: number; photo: ListedPhoto }) {
  const id = `remove-${index + 1}`;
  const change = `remove:${index}`;
  const isRemoving = useNavigation().formData?.get("change") === change;
  return (
    <Dialog id={id} title={`Remove photo ${index + 1}?`}>
      {photo.shown && (
        <Picture
          src={photo.shown}
          alt={photo.alt || `Photo ${index + 1}`}
          sizes="100vw"
          className="aspect-video w-full rounded-card bg-night object-cover"
        />
      )}
      <p className="mt-3">It is deleted for good and cannot be brought back.</p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <DialogClose dialog={id}>Keep photo</DialogClose>
        <Button
          form={FORM}
          name="change"
          value={change}
          variant="danger"
          pending={isRemoving}
          pendingLabel="Removing…"
        >
          Remove photo
        </Button>
      </div>
    </Dialog>
  );
}
