import { useEffect, useRef } from "react";
import { useActionData, useNavigation } from "react-router";

/** Closes a dialog once its form, known by its intents, was sent and did not fail. */
export function useCloseWhenDone(dialog: string, intents: string[], hasFailed: boolean) {
  const { state, formData } = useNavigation();
  const wasSent = useRef(false);
  // Null where no response came (offline-middleware.ts): the form may have to be sent again.
  const isLost = useActionData() === null;
  const intent = formData?.get("intent");
  useEffect(() => {
    if (typeof intent === "string" && intents.includes(intent)) wasSent.current = true;
    if (state !== "idle" || !wasSent.current) return;
    wasSent.current = false;
    if (!hasFailed && !isLost)
      document.querySelector<HTMLDialogElement>(`dialog#${dialog}[open]`)?.close();
  });
}
