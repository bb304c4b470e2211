import type { KeyboardEvent } from "react";

/** Shift and Enter: a new line. Enter that ends a composition (Chinese, Japanese) sends nothing. */
export function sendByEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  const { key, shiftKey, nativeEvent, currentTarget } = event;
  // Safari ends the composition before it sends the key, as 229.
  const isComposing = nativeEvent.isComposing || nativeEvent.keyCode === 229;
  if (key !== "Enter" || shiftKey || isComposing) return;
  event.preventDefault();
  currentTarget.form?.requestSubmit();
}
