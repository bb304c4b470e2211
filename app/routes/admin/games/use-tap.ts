import { type MouseEvent, useRef, useState } from "react";
import type { Attendance, PaymentStatus } from "#app/platform/schema.ts";

/** A row's new state. */
export interface RowChange {
  attendance?: Attendance | null;
  paymentStatus?: PaymentStatus;
}

/** The server's response to a tap. */
export type TapResult =
  | { ok: true; now: RowChange }
  | { ok: false; problem: string; now?: RowChange };

export const NOT_SAVED = "Not saved. Try again";

/** Longer than the pause within a double tap. */
const DOUBLE_TAP_MS = 500;
/** On a poor connection a response may never come. */
const TIMEOUT_MS = 15_000;

/**
 * A form of one row, sent beside the page: whatever the connection does, the roster stays as it is,
 * and nothing else is read again. A tap may be repeated, for it says what it wants.
 */
export function useTap(path: string, onChange: (change: RowChange) => void) {
  const [pressed, setPressed] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const changedAt = useRef(-Infinity);
  const send = async (fields: FormData) => {
    setPressed(String(fields.get("to") ?? ""));
    setProblem(null);
    const result = await post(`${path}/tap`, fields);
    setPressed(null);
    setProblem(result.ok ? null : result.problem);
    if (!result.now) return;
    changedAt.current = performance.now();
    onChange(result.now);
  };
  return {
    isPending: pressed !== null,
    /** The pressed button, while it is being saved. */
    pressed,
    problem,
    // Not by the form's own event: without a connection that one is held for the whole page.
    onClick(event: MouseEvent<HTMLButtonElement>) {
      const { form } = event.currentTarget;
      if (!form) return;
      event.preventDefault();
      // "Undo" replaces "Check in", and a double tap must not undo.
      if (pressed !== null || event.timeStamp - changedAt.current < DOUBLE_TAP_MS) return;
      void send(new FormData(form, event.currentTarget));
    },
  };
}

async function post(path: string, body: FormData): Promise<TapResult> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(path, { method: "POST", body, signal });
    const json: unknown = await response.json();
    if (isTapResult(json)) return json;
  } catch {
    // No connection, or HTML instead of JSON.
  }
  return { ok: false, problem: NOT_SAVED };
}

/** Anything else, such as a proxy's page, counts as not saved. */
function isTapResult(json: unknown): json is TapResult {
  if (typeof json !== "object" || json === null || !("ok" in json)) return false;
  return json.ok ? "now" in json : "problem" in json && typeof json.problem === "string";
}
