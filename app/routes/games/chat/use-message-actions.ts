import { type KeyboardEvent, type SyntheticEvent, useEffect, useEffectEvent, useRef } from "react";
import { useSubmit } from "react-router";
import { toast } from "#app/ui/toast.ts";
import type { ChatResult } from "./actions.server.ts";
import type { ChatPage } from "./chat-view.server.ts";

type Blocked = NonNullable<ChatResult["blocked"]>;

/** One's own focus is moved there: not into a field, which would open a phone's keyboard. */
export function focusMessage(message: HTMLElement) {
  const hidden = message.closest("details:not([open])");
  const to = hidden?.querySelector("summary") ?? message;
  to.focus({ preventScroll: true });
}

/** After a form about a message the focus stays there, and a block can be undone at once. */
export function useMessageActions(chat: ChatPage, blocked: Blocked | undefined) {
  const submit = useSubmit();
  const acted = useRef<string | null>(null);
  useEffect(() => {
    const message = acted.current && document.getElementById(`message-${acted.current}`);
    if (!message || document.activeElement?.matches("input, textarea")) return;
    acted.current = null;
    focusMessage(message);
  }, [chat]);
  const offerUndo = useEffectEvent(({ name, messageId }: Blocked) => {
    const undo = { intent: "unblock", account: chat.viewer.userId, messageId };
    const options = { method: "post", action: chat.page, preventScrollReset: true } as const;
    toast({
      title: `${name} is blocked`,
      description: "Their messages are hidden.",
      action: {
        label: "Undo",
        run() {
          acted.current = messageId;
          void submit(undo, options);
        },
      },
    });
  });
  useEffect(() => {
    if (blocked) offerUndo(blocked);
  }, [blocked]);
  return {
    onSubmit({ target }: SyntheticEvent) {
      const { elements } = target as HTMLFormElement;
      const id = elements.namedItem("messageId") as HTMLInputElement | null;
      acted.current = elements.namedItem("message") ? null : (id?.value ?? null);
    },
    /** Escape closes the menu that has the focus, or the pinned messages. */
    onKeyDown({ key, target }: KeyboardEvent) {
      const open = key === "Escape" && (target as Element).closest("details[open]");
      if (!open) return;
      (open as HTMLDetailsElement).open = false;
      open.querySelector("summary")?.focus();
    },
  };
}
