import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";

/** What the history holds of a page: the router's name of it, and the photo that is open on it. */
interface Entry {
  key?: string;
  photo?: number;
}

/**
 * Which photo is open, as an entry of the history: the way back closes it, a reload opens it again.
 * The entry is a copy of the page's own, and the router does not hear of the steps between the two
 * (`ui/steps.ts`): it would load the page again, and fail without a connection.
 */
export function useOpenPhoto() {
  const opened = useSyncExternalStore(listen, openPhoto, noPhoto);
  const { key, hash } = useLocation();
  useEffect(() => {
    const take = (step: Event) => {
      const isCopy = (entry().key ?? "default") === key;
      // The router gives no name to the entries of jumps within a page.
      if (isCopy && window.location.hash === hash) step.preventDefault();
    };
    window.addEventListener("step", take);
    return () => window.removeEventListener("step", take);
  }, [key, hash]);
  return { opened, open, close };
}

function open(index: number) {
  // A second press while the lightbox is still on its way makes no second entry.
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
