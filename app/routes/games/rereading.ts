import { useEffectEvent } from "react";
import { useNavigation, useRevalidator } from "react-router";
import { readQuietly } from "#app/routes/offline-middleware.ts";

/** Reads the page's data again after changes, for pages that show more than numbers. */
export interface Rereading {
  soon(): void;
  pace(ms: number): void;
  stop(): void;
}

export function useRereading(): () => Rereading {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const read = useEffectEvent(() => {
    const isIdle = state === "idle" && navigation.state === "idle";
    if (isIdle) void readQuietly(revalidate);
    return isIdle;
  });
  return useEffectEvent(() => createRereading(() => read()));
}

const BUSY_MS = 1_000;

/** Once for several changes, each page at its own moment, and never while somebody uses it. */
function createRereading(read: () => boolean): Rereading {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let paceMs = 1_000;
  const attempt = () => {
    const isDone = !isInUse() && read();
    timer = isDone ? undefined : setTimeout(attempt, BUSY_MS);
  };
  return {
    soon() {
      timer ??= setTimeout(attempt, paceMs * (0.3 + 0.7 * Math.random()));
    },
    pace: (ms) => void (paceMs = ms),
    stop: () => clearTimeout(timer),
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
