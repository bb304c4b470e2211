import { adoptFormerName } from "./kept-before.ts";

/**
 * What this browser keeps, where, and for how many days after the last change (decision 063). A value
 * that the storage does not take lasts as long as the page, like those of the page alone.
 */
const KINDS = {
  /** An organiser's taps on a roster, and how the last one of each booking ended. */
  taps: { days: 30, in: "localStorage" },
  results: { days: 1, in: "page" },
  /** Messages to a game's chat, those about to be in it, and what stands in the field. */
  chat: { days: 7, in: "localStorage" },
  sent: { days: 1, in: "page" },
  field: { days: 7, in: "localStorage" },
  draft: { days: 7, in: "localStorage" },
  tickets: { days: 60, in: "localStorage" },
  /** Filters of an admin list, which may name a player. */
  filters: { days: 1, in: "sessionStorage" },
} as const;

export type Kind = keyof typeof KINDS;

/** A key of the page's account, unless another one is named. */
export const keptKey = (kind: Kind, name: string, account = pageAccount()) =>
  `kept ${kind} ${account} ${name}`;

const pageAccount = () => document.documentElement.dataset["account"] ?? "";

interface Entry {
  at: number;
  value: unknown;
}

/** Entries by the text in the storage, so that a value stays the same object until another tab changes it. */
const known = new Map<string, { text: string | null; entry: Entry | null }>();

export function readKept<T>(key: string): T | null {
  const text = textOf(key);
  let found = known.get(key);
  if (found?.text !== text) {
    found = { text, entry: attempt(() => JSON.parse(text!) as Entry) };
    known.set(key, found);
  }
  const entry = found?.entry;
  return entry && entry.at > Date.now() - kindOf(key).days * DAY_MS ? (entry.value as T) : null;
}

/** Writes a value, or deletes it with null. False if it lasts no longer than the page. */
export function writeKept(key: string, value: unknown): boolean {
  const entry = value === null ? null : { at: Date.now(), value };
  const isStored = attempt(() => {
    if (entry) storageOf(key)!.setItem(key, JSON.stringify(entry));
    else storageOf(key)!.removeItem(key);
    return true;
  });
  known.set(key, { text: textOf(key), entry });
  notifyKept();
  return isStored ?? false;
}

/** Names of what is kept of a kind for an account. */
export function listKept(kind: Kind, account: string): string[] {
  const prefix = keptKey(kind, "", account);
  const keys = keysOf(prefix).filter((key) => readKept(key) !== null);
  return keys.map((key) => key.slice(prefix.length));
}

/** Deletes these kinds, of every account. */
export function deleteKept(...kinds: Kind[]): void {
  for (const kind of kinds) {
    for (const key of keysOf(`kept ${kind} `)) writeKept(key, null);
  }
}

const DAY_MS = 86_400_000;

const kindOf = (key: string) => KINDS[key.split(" ")[1] as Kind];

function storageOf(key: string): Storage | null {
  const { in: name } = kindOf(key);
  return name === "page" ? null : attempt(() => globalThis[name]);
}

const textOf = (key: string) => attempt(() => storageOf(key)!.getItem(key));

const keysOf = (prefix: string) =>
  [...new Set([...listStorages().flatMap(Object.keys), ...known.keys()])].filter((key) =>
    key.startsWith(prefix),
  );

const listStorages = () =>
  [attempt(() => localStorage), attempt(() => sessionStorage)].filter((storage) => !!storage);

/** A browser may have no storage, or none left, and something else in it. */
function attempt<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}

const listeners = new Set<() => void>();

export function onKept(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function notifyKept(): void {
  for (const listener of listeners) listener();
}

for (const storage of listStorages()) {
  for (const key of Object.keys(storage)) attempt(() => adoptFormerName(storage, key));
}
for (const kind of Object.keys(KINDS)) {
  for (const key of keysOf(`kept ${kind} `)) if (readKept(key) === null) writeKept(key, null);
}
if (typeof window !== "undefined") addEventListener("storage", notifyKept);
