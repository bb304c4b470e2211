import { ownPath } from "#app/ui/picture.tsx";
export interface Photo {
  src: string;
  alt: string;
  /** The picture in its largest form, as an address. */
  large: string;
}

/** A venue's photos, each with a name for those who do not see it. */
export function photosOf(venue: { name: string; photoUrls: string[]; photoAlts: string[] }) {
  const photos = venue.photoUrls.map((src, index): Photo => {
    const alt = venue.photoAlts[index] || `${venue.name}, photo ${index + 1}`;
    return { src, alt, large: src.replace(ownPhoto, "$1-1280.webp") };
  });
  return photos.filter(({ src }) => ownPath(src));
}

const ownPhoto = /^((?:\/files)?\/photos\/.+)-\d+\.webp$/;
