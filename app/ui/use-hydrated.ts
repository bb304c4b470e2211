import { useSyncExternalStore } from "react";

/** False in the server's HTML and in the first pass over it, true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(neverChanges, inBrowser, onServer);
}

const neverChanges = () => () => {};
const inBrowser = () => true;
const onServer = () => false;
