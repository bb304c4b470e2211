import type { Attendance } from "#app/platform/schema.ts";

/** What was tapped for a booking in place of `from`; "" means not marked. */
export interface Tap {
  /** A tap that is sent again is saved once. */
  id: string;
  bookingId: string;
  from: Attendance | "";
  to: Attendance | "";
  /** Of the mark that was tapped on; none if that is itself a waiting tap. */
  version?: number | undefined;
}

export type TapResult =
  | { ok: true; current: Attendance | null; version?: number }
  | { ok: false; problem: string; current?: Attendance | null; version?: number };

export const NOT_SAVED = "Not saved. Try again";
const SIGN_IN_AGAIN = "Not saved: sign in again.";
const NO_ADMIN = "Not saved: this account is not an admin any more. Sign in again.";
const REJECTED = "Not saved yet: the server does not take it. Open this page again.";

/** What the page says of a booking, and its mark as far as the page knows. */
export interface RowStatus {
  state: "saving" | "saved" | "waiting" | "failed";
  problem?: string;
  attendance?: Attendance | null;
  version?: number | undefined;
}

export interface TapStore {
  /** In order, including those of a closed browser. */
  taps: Tap[];
  statuses: Record<string, RowStatus>;
}

const EMPTY: TapStore = { taps: [], statuses: {} };
export const noTaps = () => EMPTY;

const PREFIX = "taps ";
/** One game and one account: nobody sends what somebody else has tapped. */
export const tapKey = (gameId: string, userId: string) => `${PREFIX}${gameId} ${userId}`;

/** A game with taps that are not saved. */
export interface Unsaved {
  gameId: string;
  waiting: number;
  failed: number;
}

/** What this browser could not send for this account so far, without what is being sent. */
export function listUnsaved(userId: string): Unsaved[] {
  return keysOf(userId)
    .filter((key) => !sending.has(key))
    .map((key) => {
      const { taps, statuses } = readTaps(key);
      const kept = new Set(taps.map(({ bookingId }) => bookingId));
      const failed = Object.keys(statuses).filter(
        (id) => statuses[id]?.state === "failed" && !kept.has(id),
      );
      return { gameId: gameOf(key), waiting: kept.size, failed: failed.length };
    })
    .filter(({ waiting, failed }) => waiting + failed > 0);
}

export function sendWaiting(userId: string): void {
  for (const key of keysOf(userId)) if (readTaps(key).taps.length > 0) void sendTaps(key);
}

/** Once they were seen on the roster. */
export function clearFailures(key: string): void {
  const { taps, statuses } = readTaps(key);
  const isKept = (id: string) => taps.some(({ bookingId }) => bookingId === id);
  const rest = Object.entries(statuses).filter(
    ([id, { state }]) => state !== "failed" || isKept(id),
  );
  show(key, { taps, statuses: Object.fromEntries(rest) });
}

function keysOf(userId: string): string[] {
  const isOwn = (key: string) => key.startsWith(PREFIX) && key.endsWith(` ${userId}`);
  return [...new Set([...storedKeys(), ...boxes.keys()])].filter(isOwn);
}

const gameOf = (key: string) => key.slice(PREFIX.length).split(" ")[0] ?? "";

// As this page has them; the storage keeps the taps over a reload.
const boxes = new Map<string, TapStore>();
const listeners = new Set<() => void>();

export function readTaps(key: string): TapStore {
  const box = boxes.get(key) ?? withWaiting(stored(key));
  boxes.set(key, box);
  return box;
}

export function onTaps(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function addTap(key: string, tap: Tap): void {
  const { taps, statuses } = readTaps(key);
  show(key, {
    taps: [...taps, tap],
    statuses: { ...statuses, [tap.bookingId]: { state: "saving" } },
  });
  store(key, [...stored(key), tap]);
  void sendTaps(key);
}

const RETRY_MS = 10_000;
/** On a poor connection a response may never come. */
const TIMEOUT_MS = 15_000;
let retry: ReturnType<typeof setTimeout> | undefined;
const sending = new Set<string>();
/** Stopped for another reason than the connection: sent again on opening the page or on a tap. */
const stopped = new Set<string>();

/** Sends kept taps one by one until the connection fails, and again once it may be back. */
export async function sendTaps(key: string): Promise<void> {
  if (sending.has(key)) return;
  sending.add(key);
  stopped.delete(key);
  for (let tap = readTaps(key).taps[0]; tap; tap = readTaps(key).taps[0]) {
    const result = await post(key, tap);
    if (result.isKept) {
      sending.delete(key);
      wait(key, result.problem);
      if (result.problem) stopped.add(key);
      else {
        clearTimeout(retry);
        retry = setTimeout(() => sendEach(stopped), RETRY_MS);
      }
      break;
    }
    settle(key, tap, result);
  }
  sending.delete(key);
  announce();
}

function settle(key: string, { id, bookingId }: Tap, result: TapResult): void {
  const { taps, statuses } = readTaps(key);
  const isOver = (tap: Tap) => tap.id === id || (!result.ok && tap.bookingId === bookingId);
  const next = taps.find((tap) => tap.id !== id && tap.bookingId === bookingId);
  const over = new Set(taps.filter(isOver).map((tap) => tap.id));
  // The next tap was made on the result of this one.
  const withoutOver = (all: Tap[]) =>
    all
      .filter((tap) => !over.has(tap.id))
      .map((tap) => (tap.id === next?.id ? { ...tap, version: result.version } : tap));
  const now: RowStatus = result.ok
    ? { state: next ? "saving" : "saved", ...marked(result) }
    : { state: "failed", problem: result.problem, ...marked(result) };
  show(key, { taps: withoutOver(taps), statuses: { ...statuses, [bookingId]: now } });
  // Another tab may have kept more.
  store(key, withoutOver(stored(key)));
}

const marked = ({ current, version }: TapResult) =>
  current === undefined ? {} : { attendance: current, version };

function wait(key: string, problem: string): void {
  const { taps, statuses } = readTaps(key);
  const state: RowStatus = problem ? { state: "failed", problem } : { state: "waiting" };
  const waiting = taps.map(({ bookingId }) => [bookingId, state]);
  show(key, { taps, statuses: { ...statuses, ...Object.fromEntries(waiting) } });
}

/** Also what was tapped on another game's page. */
function sendEach(except?: Set<string>): void {
  for (const [key, { taps }] of boxes) {
    if (taps.length > 0 && !except?.has(key)) void sendTaps(key);
  }
}

if (typeof window !== "undefined") {
  addEventListener("online", () => sendEach());
  document.addEventListener("visibilitychange", () => sendEach());
}

/** Kept to be sent again: not heard, or rejected for a `problem` other than the tap itself. */
type Kept = { ok: false; problem: string; isKept: true };

type Posted = Kept | (TapResult & { isKept?: never });

async function post(key: string, tap: Tap): Promise<Posted> {
  const [gameId, account = ""] = [gameOf(key), key.slice(key.lastIndexOf(" ") + 1)];
  const { id: tapId, bookingId, from, to, version } = tap;
  const fields = new URLSearchParams({
    ...{ intent: "attendance", account, tapId, bookingId, from, to },
    ...(version !== undefined && { version: String(version) }),
  });
  const kept = (problem = "") => ({ ok: false, problem, isKept: true }) as const;
  try {
    const response = await fetch(`/admin/games/${gameId}/tap`, {
      method: "POST",
      body: fields,
      // A redirect would lead to the sign-in page.
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.type === "opaqueredirect") return kept(SIGN_IN_AGAIN);
    if (response.status >= 500) return kept();
    // HTML instead of JSON is an error page, or a proxy's.
    const json: unknown = await response.json().catch(() => null);
    if (!isTapResult(json)) return kept(problemOf(response.status));
    return response.status === 403 && !json.ok ? kept(json.problem) : json;
  } catch {
    return kept();
  }
}

/** Empty if the connection may be better later, so also after too many requests. */
function problemOf(status: number): string {
  if (status < 400 || status === 408 || status === 429) return "";
  if (status === 401) return SIGN_IN_AGAIN;
  return status === 403 ? NO_ADMIN : REJECTED;
}

/** Anything else, such as a proxy's page, counts as not heard. */
function isTapResult(json: unknown): json is TapResult {
  if (typeof json !== "object" || json === null || !("ok" in json)) return false;
  return json.ok ? "current" in json : "problem" in json && typeof json.problem === "string";
}

function show(key: string, box: TapStore): void {
  boxes.set(key, box);
  announce();
}

function announce(): void {
  for (const listener of listeners) listener();
}

function withWaiting(taps: Tap[]): TapStore {
  if (taps.length === 0) return EMPTY;
  const statuses = taps.map(({ bookingId }) => [bookingId, { state: "waiting" }]);
  return { taps, statuses: Object.fromEntries(statuses) as TapStore["statuses"] };
}

function store(key: string, taps: Tap[]): void {
  // A browser may have no storage, or none left.
  try {
    if (taps.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(taps));
  } catch {}
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

function stored(key: string): Tap[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]") as Tap[];
  } catch {
    return [];
  }
}
