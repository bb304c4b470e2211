import { useEffect, useRef, useState, useSyncExternalStore } from "react";

/** A stream is away for moments whenever a server or a network changes. */
const AWAY_MS = 5_000;

/** Whether new messages cannot come: the browser is offline, or the stream has been away for long. */
export function useConnection() {
  const isOffline = useSyncExternalStore(onConnection, () => !navigator.onLine, never);
  const [isAway, setAway] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    isLost: isOffline || isAway,
    opened() {
      clearTimeout(timer.current);
      timer.current = undefined;
      setAway(false);
    },
    closed() {
      timer.current ??= setTimeout(() => setAway(!document.hidden), AWAY_MS);
    },
  };
}

function onConnection(changed: () => void) {
  for (const event of ["online", "offline"]) addEventListener(event, changed);
  return () => {
    for (const event of ["online", "offline"]) removeEventListener(event, changed);
  };
}

const never = () => false;
