import { useEffect, useRef } from "react";
import { useActionData, useNavigation } from "react-router";

/** Closes a dialog once its form, known by its intents, was sent and not refused. */
export function useCloseWhenDone(dialog: string, intents: string[], isRefused: boolean) {
  const { state, formData } = useNavigation();
  const wasSent = useRef(false);
  // No answer at all (keep-page.ts): the form may have to be sent again.
  const isLost = useActionData() === null;
  const intent = formData?.get("intent");
  useEffect(() => {
    if (typeof intent === "string" && intents.includes(intent)) wasSent.current = true;
    if (state !== "idle" || !wasSent.current) return;
    wasSent.current = false;
    if (!isRefused && !isLost)
      document.querySelector<HTMLDialogElement>(`dialog#${dialog}[open]`)?.close();
  });
}
