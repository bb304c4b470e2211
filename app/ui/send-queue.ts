import { notifyKept, readKept, writeKept } from "./kept.ts";

/** An entry is kept until it is sent, and counted once by its id, however often it is sent. */
export type Queued<T> = T & {
  id: string;
  /** "waiting" goes by itself once it can; the server did not accept "rejected". */
  state: "sending" | "waiting" | "rejected";
  why?: string | undefined;
  /** The server takes no more before this instant, in milliseconds. */
  notBefore?: number | undefined;
};

/** A reason for which all wait; empty where no answer came. */
export type Reason = Pick<Queued<object>, "why" | "notBefore">;

/** Sends an entry: takes it out of the queue or rejects it, and returns null. */
type Post<T> = (item: Queued<T>) => Promise<Reason | null>;

interface Sender {
  post: Post<object>;
  isSending: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

/** More than a match or a chat brings while there is no connection. */
const MOST = 200;
const RETRY_MS = 10_000;
/** After which an answer is no longer waited for. */
const LIMIT_MS = 20_000;
const NONE: never[] = [];
const senders = new Map<string, Sender>();

export const readQueue = <T>(key: string) => readKept<Queued<T>[]>(key) ?? NONE;

export const noQueue = () => NONE;

/** Returns false if it is full. While the server takes none, the new one waits with the others. */
export function addToQueue<T>(key: string, item: T & { id: string }): boolean {
  const items = readQueue<T>(key);
  if (items.length >= MOST) return false;
  const held = items.find(({ notBefore = 0 }) => notBefore > Date.now());
  const { why, notBefore } = held ?? {};
  const state = held ? "waiting" : "sending";
  writeKept(key, [...items, { ...item, state, why, notBefore }]);
  return true;
}

/** Changes each entry; null removes it. */
export function changeQueue<T>(key: string, to: (each: Queued<T>) => Queued<T> | null): void {
  const items = readQueue<T>(key);
  const next = items.flatMap((each) => to(each) ?? []);
  if (next.length === items.length && next.every((each, index) => each === items[index])) return;
  writeKept(key, next.length > 0 ? next : null);
}

/** Sends what the queue has and will have, until what it returns is called. */
export function startSending<T>(key: string, post: Post<T>): () => void {
  if (!senders.has(key)) {
    senders.set(key, { post: post as Post<object>, isSending: false });
    // What an earlier page was asked for, such as to sign in, may be done by now.
    const isOld = (each: Queued<object>) => each.state === "waiting" && isDue(each);
    changeQueue(key, (each) => (isOld(each) ? waiting(each, {}) : each));
  }
  void resumeSending(key);
  return () => {
    clearTimeout(senders.get(key)?.timer);
    senders.delete(key);
  };
}

export const isSending = (key: string) => senders.get(key)?.isSending ?? false;

/** Sends one after the other, so that none overtakes, until there is no answer. */
export async function resumeSending(key: string): Promise<void> {
  const sender = senders.get(key);
  if (!sender || sender.isSending) return;
  clearTimeout(sender.timer);
  sender.isSending = true;
  for (let next = firstOf(key); next && isDue(next); next = firstOf(key)) {
    const reason = await withinLimit(sender.post(next));
    const isOver = !reason && firstOf(key)?.id !== next.id;
    if (!isOver) changeQueue(key, (each) => waiting(each, reason ?? {}));
    if (!isOver || senders.get(key) !== sender) break;
  }
  sender.isSending = false;
  planRetry(key, sender);
  notifyKept();
}

async function withinLimit(posted: Promise<Reason | null>): Promise<Reason | null> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<Reason>((resolve) => {
    timer = setTimeout(() => resolve({}), LIMIT_MS);
  });
  return Promise.race([posted.catch(() => ({})), late]).finally(() => clearTimeout(timer));
}

const firstOf = (key: string) => readQueue(key).find(({ state }) => state !== "rejected");

const isDue = ({ notBefore = 0 }: Queued<object>) => notBefore <= Date.now();

function waiting(each: Queued<object>, { why, notBefore }: Reason): Queued<object> {
  const { state } = each;
  const isSame = state === "waiting" && each.why === why && each.notBefore === notBefore;
  return isSame || state === "rejected" ? each : { ...each, state: "waiting", why, notBefore };
}

/** Waits for the connection or the instant; another reason waits for the next page or press. */
function planRetry(key: string, sender: Sender): void {
  const next = firstOf(key);
  if (!next || senders.get(key) !== sender || (next.why && !next.notBefore)) return;
  const waitMs = next.notBefore ? Math.max(0, next.notBefore - Date.now()) : RETRY_MS;
  // Offline, the browser's event says when.
  sender.timer = setTimeout(() => navigator.onLine !== false && void resumeSending(key), waitMs);
}

function resumeAll(): void {
  for (const key of senders.keys()) void resumeSending(key);
}

if (typeof window !== "undefined") {
  addEventListener("online", resumeAll);
  document.addEventListener("visibilitychange", resumeAll);
}
