import { useEffect, useRef } from "react";
import { useActionData, useNavigation } from "react-router";

// Closes a dialog that is still on the page once one of its intents was sent and did not fail. If
// several share an intent, it is the open one.
export function useCloseWhenDone(dialog: string, intents: string[], hasFailed: boolean) {
  const { state, formData } = useNavigation();
  const wasSent = useRef(false);
  // Null without a response (offline-middleware.ts): the form may be sent again.
  const isLost = useActionData() === null;
  const intent = formData?.get("intent");
  useEffect(() => {
    if (typeof intent === "string" && intents.includes(intent)) wasSent.current = true;
    if (state !== "idle" || !wasSent.current) return;
    wasSent.current = false;
    if (!hasFailed && !isLost)
      document.querySelector<HTMLDialogElement>(`dialog[id="${dialog}"][open]`)?.close();
  });
}
