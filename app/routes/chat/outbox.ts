/** A message of this browser's that is not known to be in the chat yet. */
export interface Unsent {
  /** The message's own, so that it is there once however often it is sent. */
  id: string;
  text: string;
  state: "sending" | "sent" | "failed";
  /** What the server says of it. */
  why?: string | undefined;
}

const PREFIX = "chat ";
const EMPTY: Unsent[] = [];

export const outboxKey = (gameId: string, userId: string) => `${PREFIX}${gameId} ${userId}`;

// As this page has them; the storage keeps them over a reload.
const boxes = new Map<string, Unsent[]>();
const listeners = new Set<() => void>();

export function readOutbox(key: string): Unsent[] {
  const unsent = boxes.get(key) ?? stored(key);
  boxes.set(key, unsent);
  return unsent;
}

export const noOutbox = () => EMPTY;

export function onOutbox(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Null takes a message out; others stay as they are. */
export function changeUnsent(key: string, id: string, to: (message: Unsent) => Unsent | null) {
  writeOutbox(
    key,
    readOutbox(key).flatMap((each) => (each.id === id ? (to(each) ?? []) : each)),
  );
}

export function forgetUnsent(key: string, id: string): void {
  if (readOutbox(key).some((each) => each.id === id)) changeUnsent(key, id, () => null);
}

export function writeOutbox(key: string, unsent: Unsent[]): void {
  boxes.set(key, unsent.length > 0 ? unsent : EMPTY);
  const kept = unsent.filter(({ state }) => state !== "sent");
  // A browser may have no storage, or none left.
  try {
    if (kept.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {}
  for (const listener of listeners) listener();
}

/** Of one game, or of all. */
export function deleteOutboxes(gameId = ""): void {
  boxes.clear();
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX + gameId)) sessionStorage.removeItem(key);
    }
  } catch {}
}

/** What was on its way when the page was left counts as not sent. */
function stored(key: string): Unsent[] {
  try {
    const unsent = JSON.parse(sessionStorage.getItem(key) ?? "[]") as Unsent[];
    return unsent.map(({ id, text, why }) => ({ id, text, why, state: "failed" }));
  } catch {
    return EMPTY;
  }
}
