import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";

/** Closes a dialog once its form, known by its intents, was sent and not refused. */
export function useCloseWhenDone(dialog: string, intents: string[], isRefused: boolean) {
  const { state, formData } = useNavigation();
  const wasSent = useRef(false);
  const intent = formData?.get("intent");
  useEffect(() => {
    if (typeof intent === "string" && intents.includes(intent)) wasSent.current = true;
    if (state !== "idle" || !wasSent.current) return;
    wasSent.current = false;
    if (!isRefused) document.querySelector<HTMLDialogElement>(`dialog#${dialog}[open]`)?.close();
  });
}
