import type { VenuePhoto } from "#app/features/venues/admin-venues.server.ts";
import { ALT_MAX } from "#app/features/venues/rules.ts";
import { Badge } from "#app/ui/badge.tsx";
import { DialogTrigger } from "#app/ui/dialog.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { MoveButton } from "#app/routes/admin/move-button.tsx";
import { altId } from "./arrange-form.ts";

export interface ListedPhoto extends VenuePhoto {
  /** Its address where our pages show it. */
  shown: string | null;
}

interface PhotoItemProps {
  photo: ListedPhoto;
  index: number;
  count: number;
  error: Record<string, string> | undefined;
}

/** One photo with its description, its place and the way out. */
export function PhotoItem({ photo, index, count, error }: PhotoItemProps) {
  const number = index + 1;
  const id = altId(index);
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
        id={id}
        name="alt"
        label={`What photo ${number} shows`}
        defaultValue={photo.alt}
        error={error?.[id]}
        maxLength={ALT_MAX}
        autoComplete="off"
      />
      <div className="flex flex-wrap gap-1">
        <MoveButton name="deed" value={`up:${index}`} isAtEnd={index === 0}>
          Move up<span className="sr-only"> photo {number}</span>
        </MoveButton>
        <MoveButton name="deed" value={`down:${index}`} isAtEnd={number === count}>
          Move down<span className="sr-only"> photo {number}</span>
        </MoveButton>
        <DialogTrigger dialog={`remove-${number}`} variant="quiet">
          Remove<span className="sr-only"> photo {number}</span>
        </DialogTrigger>
      </div>
    </li>
  );
}
