/** A message from this browser that is not known to be in the chat yet. */
export interface Unsent {
  /** The message's own id, so that it is stored once however often it is sent. */
  id: string;
  text: string;
  /** "failed" goes by itself once it can; the server did not accept "rejected". */
  state: "sending" | "sent" | "failed" | "rejected";
  why?: string | undefined;
  /** The server takes no more before this instant, in milliseconds. */
  notBefore?: number | undefined;
}

/** What somebody has typed for a chat; the browser keeps it for a while. */
interface Box {
  unsent: Unsent[];
  draft: string;
  changedAt: number;
}

const PREFIX = "chat ";
const KEPT_MS = 7 * 86_400_000;
const NOTHING: Box = { unsent: [], draft: "", changedAt: 0 };

export const outboxKey = (gameId: string, userId: string) => `${PREFIX}${gameId} ${userId}`;

// As this page has them; the storage keeps them for the next one.
const boxes = new Map<string, Box>();
const listeners = new Set<() => void>();

export const readOutbox = (key: string): Unsent[] => readBox(key).unsent;

export const noOutbox = () => NOTHING.unsent;

export function onOutbox(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener("storage", onOtherTab);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener("storage", onOtherTab);
  };
}

function onOtherTab({ key }: StorageEvent): void {
  if (key) boxes.delete(key);
  else boxes.clear();
  tellListeners();
}

/** The others stay as they are; null removes the message. */
export function changeUnsent(key: string, to: (message: Unsent) => Unsent | null): void {
  writeOutbox(
    key,
    readOutbox(key).flatMap((each) => to(each) ?? []),
  );
}

/** Where the server takes none for a while, it waits with the others. */
export function addUnsent(key: string, text: string): void {
  const held = readOutbox(key).find(({ notBefore = 0 }) => notBefore > Date.now());
  const state = held ? "failed" : "sending";
  const message: Unsent = { ...held, id: crypto.randomUUID(), text, state };
  writeOutbox(key, [...readOutbox(key), message]);
}

function writeOutbox(key: string, unsent: Unsent[]): void {
  writeBox(key, { ...readBox(key), unsent });
  tellListeners();
}

export const readDraft = (key: string): string => readBox(key).draft;

export const writeDraft = (key: string, draft: string) => writeBox(key, { ...readBox(key), draft });

/** That one, or all. */
export function deleteOutboxes(of = PREFIX): void {
  boxes.clear();
  deleteStored((key) => key.startsWith(of));
}

function readBox(key: string): Box {
  const box = boxes.get(key) ?? stored(key);
  boxes.set(key, box);
  return box;
}

function writeBox(key: string, { unsent, draft }: Box): void {
  const changedAt = Date.now();
  boxes.set(key, { unsent, draft, changedAt });
  const kept = { unsent: unsent.filter(({ state }) => state !== "sent"), draft, changedAt };
  // A browser may have no storage, or none left.
  try {
    if (kept.unsent.length === 0 && !draft) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(kept));
  } catch {}
}

function tellListeners(): void {
  for (const listener of listeners) listener();
}

/** Drops what is too old, in any chat; what another account has typed waits for it. */
function stored(key: string): Box {
  deleteStored((each) => each.startsWith(PREFIX) && isOld(parse(each)));
  return parse(key) ?? NOTHING;
}

const isOld = (box: Box | null) => !box || Date.now() - box.changedAt > KEPT_MS;

function parse(key: string): Box | null {
  try {
    const box = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<Box> | null;
    return Array.isArray(box?.unsent) ? { ...NOTHING, ...box } : null;
  } catch {
    return null;
  }
}

function deleteStored(is: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(localStorage).filter(is)) localStorage.removeItem(key);
  } catch {}
}
