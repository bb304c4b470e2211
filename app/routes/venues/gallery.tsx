import {
  type ComponentType,
  lazy,
  type MouseEvent,
  Suspense,
  useEffect,
  useSyncExternalStore,
} from "react";
import { useLocation } from "react-router";
import { classNames } from "#app/ui/class-names.ts";
import { Picture } from "#app/ui/picture.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import type { LightboxProps } from "./lightbox.tsx";
import type { Photo } from "./venue-view.ts";

const load = () => import("./lightbox.tsx");
const Lightbox = lazy<ComponentType<LightboxProps>>(() =>
  load().catch(() => ({ default: LargePicture })),
);

/** Photos link to their large version; with JavaScript they open in a lightbox. */
export function Gallery({ name, photos }: { name: string; photos: Photo[] }) {
  const { opened, open, close } = useOpenPhoto();
  if (photos.length === 0) return <NoPhotos />;
  const press = (event: MouseEvent<HTMLAnchorElement>, index: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    // Safari does not focus a pressed link, to which the lightbox returns the focus.
    event.currentTarget.focus({ preventScroll: true });
    open(index);
  };
  const preload = () => void load().catch(() => {});
  return (
    <>
      <ul
        aria-label={`Photos of ${name}`}
        className={classNames(
          "grid grid-cols-2 gap-1 md:gap-2",
          photos.length > 2 && "lg:grid-cols-3",
        )}
      >
        {photos.map((photo, index) => (
          <li key={photo.src} className={placeOf(index, photos.length)}>
            <a
              href={photo.large}
              aria-label={`View photo: ${photo.alt}`}
              onClick={(event) => press(event, index)}
              onPointerEnter={preload}
              onFocus={preload}
              className="block h-full overflow-hidden bg-night focus-visible:-outline-offset-4 md:rounded-card"
            >
              <Picture
                src={photo.src}
                alt={photo.alt}
                priority={index === 0}
                sizes={index === 0 ? FIRST : OTHERS}
                className={classNames(
                  "aspect-video size-full object-cover",
                  index === 0 && "vt-photo",
                )}
              />
            </a>
          </li>
        ))}
      </ul>
      {opened !== undefined && (
        <Suspense>
          <Lightbox photos={photos} index={opened} close={close} />
        </Suspense>
      )}
    </>
  );
}

const FIRST = "(min-width: 1152px) 740px, (min-width: 1024px) 66vw, 100vw";
const OTHERS = "(min-width: 1152px) 370px, (min-width: 1024px) 33vw, 50vw";

/** The first is large; the last one below it fills its row. */
function placeOf(index: number, count: number): string | undefined {
  if (index === 0) return count > 2 ? "col-span-2 lg:row-span-2" : "col-span-2";
  if (index === count - 1 && count % 2 === 0) return count > 2 ? "max-lg:col-span-2" : "col-span-2";
  return undefined;
}

function NoPhotos() {
  return (
    <div className="relative isolate aspect-video max-h-80 w-full overflow-hidden bg-night vt-photo md:rounded-card">
      <CentreCircle className="top-1/2 left-1/2 h-full -translate-1/2 text-chalk/30" />
    </div>
  );
}

/** Opens the large picture if the lightbox cannot be loaded. */
function LargePicture({ photos, index }: LightboxProps) {
  const large = photos[index]?.large;
  useEffect(() => {
    if (large) window.location.replace(large);
  }, [large]);
  return null;
}

/** A history entry: the router's key of the page, and the open photo. */
interface Entry {
  key?: string;
  photo?: number;
}

// Which photo is open, as a history entry: Back closes it, a reload opens it again. The entry
// copies the page's own. The router does not see steps between the two (`entry.client.tsx`): it
// would load the page again, and fail without a connection.
function useOpenPhoto() {
  const opened = useSyncExternalStore(listen, openPhoto, noPhoto);
  const { key, hash } = useLocation();
  useEffect(() => {
    const handle = (step: Event) => {
      const isCopy = (entry().key ?? "default") === key;
      // The router gives no key to in-page jumps.
      if (isCopy && window.location.hash === hash) step.preventDefault();
    };
    window.addEventListener("step", handle);
    return () => window.removeEventListener("step", handle);
  }, [key, hash]);
  return { opened, open, close };
}

function open(index: number) {
  // A double click must not add a second entry.
  if (openPhoto() !== undefined) return;
  window.history.pushState({ ...entry(), photo: index }, "");
  window.dispatchEvent(new Event("step"));
}

function close() {
  if (openPhoto() !== undefined) window.history.back();
}

const entry = () => (window.history.state ?? {}) as Entry;
const openPhoto = () => entry().photo;
const noPhoto = () => undefined;

function listen(onStep: () => void) {
  window.addEventListener("step", onStep);
  return () => window.removeEventListener("step", onStep);
}
