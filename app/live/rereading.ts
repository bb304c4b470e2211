import { useEffectEvent } from "react";
import { useNavigation, useRevalidator } from "react-router";
import { readQuietly } from "#app/forms/offline-middleware.ts";

/** Reads the page's data again after changes, for pages that show more than numbers. */
export interface Rereading {
  soon(): void;
  pace(ms: number): void;
  stop(): void;
}

/** Not while the page `isBusy`, which is: while somebody uses it. */
export function useRereading(isBusy = isInUse): () => Rereading {
  const { revalidate } = useRevalidator();
  const isReading = useIsReading();
  const read = useEffectEvent(async () => (isReading || isBusy() ? null : readQuietly(revalidate)));
  return useEffectEvent(() => createRereading(() => read()));
}

/** Whether data of the page, or of the next one, is on its way. */
export function useIsReading(): boolean {
  const [{ state: reading }, { state: navigating }] = [useRevalidator(), useNavigation()];
  return reading !== "idle" || navigating !== "idle";
}

const BUSY_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Once for several changes, each page at its own moment, and again until data came. `read` is null
 * for not now. */
export function createRereading(read: () => Promise<boolean | null>): Rereading {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let paceMs = 1_000;
  let pauseMs = BUSY_MS;
  const attempt = async () => {
    timer = undefined;
    const isRead = await read();
    pauseMs = isRead === false ? Math.min(pauseMs * 2, LONGEST_PAUSE_MS) : BUSY_MS;
    if (!isRead) soon(pauseMs);
  };
  function soon(ms = paceMs) {
    if (!isStopped) timer ??= setTimeout(attempt, ms * (0.3 + 0.7 * Math.random()));
  }
  return {
    soon: () => soon(),
    pace: (ms) => void (paceMs = ms),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

const PRESSED = "dialog:modal, a:active, button:active";
const FIELDS = "main :is(input:not([type=hidden]), textarea, select)";

/** A dialog is open, a button pressed, or a field focused or filled in. */
function isInUse(): boolean {
  if (document.hidden || performance.now() - touchedAt < BUSY_MS) return true;
  if (document.querySelector(PRESSED)) return true;
  return [...document.querySelectorAll<HTMLInputElement>(FIELDS)].some((field) => {
    const isTyped = field.defaultValue !== undefined && field.value !== field.defaultValue;
    return isTyped || field === document.activeElement;
  });
}

let touchedAt = -Infinity;
for (const event of ["pointerdown", "keydown"]) {
  // Missing while the page is rendered on the server.
  globalThis.addEventListener?.(event, ({ timeStamp }) => (touchedAt = timeStamp), {
    passive: true,
  });
}
