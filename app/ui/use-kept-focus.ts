import { useEffect, useRef } from "react";

/**
 * For what takes the focus when `state` changes and the pressed button went with it: without that,
 * readers and the next Tab would begin anew. The element needs `tabIndex={-1}`.
 */
export function useKeptFocus<E extends HTMLElement>(state: unknown) {
  const ref = useRef<E>(null);
  const before = useRef(state);
  useEffect(() => {
    if (Object.is(before.current, state)) return;
    before.current = state;
    if (document.activeElement === document.body) ref.current?.focus();
  }, [state]);
  return ref;
}
