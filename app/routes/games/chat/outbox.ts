import { addToQueue, type Queued } from "#app/ui/send-queue.ts";

export interface Message {
  text: string;
}

/** A message from this browser that is not known to be in the chat yet; "sent" is about to be. */
export type Unsent = Omit<Queued<Message>, "state"> & { state: Queued<Message>["state"] | "sent" };

/** Returns null, or why it was not added. */
export function addMessage(key: string, text: string): string | null {
  const isAdded = addToQueue<Message>(key, { id: crypto.randomUUID(), text });
  return isAdded ? null : "Too many messages wait to be sent. This one stays here.";
}
