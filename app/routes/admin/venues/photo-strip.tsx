import type { VenuePhoto } from "#app/features/venues/admin-venues.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { photoCount } from "./photo-words.ts";

/** The photos of a venue at a glance, and the way to change them. */
export function PhotoStrip({ venueId, photos }: { venueId: string; photos: VenuePhoto[] }) {
  return (
    <div className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <p className="text-muted">{photoCount(photos.length).replace(/^no/, "No")}</p>
        <ButtonLink to={`/admin/venues/${venueId}/photos`}>
          {photos.length > 0 ? "Edit photos" : "Add photos"}
        </ButtonLink>
      </div>
      {photos.length > 0 && (
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
      )}
    </div>
  );
}
