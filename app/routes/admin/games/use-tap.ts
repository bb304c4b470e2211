import { type MouseEvent, useRef, useState } from "react";
import { NOT_SAVED, type Now, type TapAnswer } from "./sheet-answer.ts";

/** Longer than the two taps of a double tap lie apart. */
const DOUBLE_TAP_MS = 500;
/** On a signal that is all but gone an answer may never come. */
const PATIENCE_MS = 15_000;

/**
 * A form of one row, sent beside the page: whatever the connection does, the sheet stays as it is,
 * and nothing else is read again. A tap may be repeated, for it says what it wants.
 */
export function useTap(path: string, onNow: (now: Now) => void) {
  const [pressed, setPressed] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const changedAt = useRef(-Infinity);
  const send = async (fields: FormData) => {
    setPressed(String(fields.get("to") ?? ""));
    setProblem(null);
    const answer = await post(`${path}/tap`, fields);
    setPressed(null);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.now) return;
    changedAt.current = performance.now();
    onNow(answer.now);
  };
  return {
    isPending: pressed !== null,
    /** The button that was pressed, while it is being saved. */
    pressed,
    problem,
    // Not by the form's own event: without a connection that one is held for the whole page.
    onClick(event: MouseEvent<HTMLButtonElement>) {
      const { form } = event.currentTarget;
      if (!form) return;
      event.preventDefault();
      // "Undo" stands where "Check in" stood: the second of two quick taps is not meant for it.
      if (pressed !== null || event.timeStamp - changedAt.current < DOUBLE_TAP_MS) return;
      void send(new FormData(form, event.currentTarget));
    },
  };
}

/** What is no answer of ours, such as of a proxy, saved nothing that we know of. */
async function post(path: string, body: FormData): Promise<TapAnswer> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(path, { method: "POST", body, signal });
    return (await response.json()) as TapAnswer;
  } catch {
    return { ok: false, problem: NOT_SAVED };
  }
}
