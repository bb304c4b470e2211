import { useState, useSyncExternalStore } from "react";

export function useHydrated(): boolean {
  return useSyncExternalStore(neverChanges, inBrowser, onServer);
}

/** Whether the result came after the document, whose own HTML would show it already. */
export function useIsLater(result: unknown): boolean {
  const hydrated = useHydrated();
  const [ofDocument] = useState(hydrated ? null : result);
  return result !== ofDocument;
}

const neverChanges = () => () => {};
const inBrowser = () => true;
const onServer = () => false;
