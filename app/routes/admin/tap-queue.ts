import type { Attendance } from "#app/platform/schema.ts";
import { keptKey, listKept, readKept, writeKept } from "#app/ui/kept.ts";
import {
  addToQueue,
  changeQueue,
  isSending,
  type Queued,
  readQueue,
  type Reason,
  startSending,
} from "#app/ui/send-queue.ts";

/** What was tapped for a booking in place of `from`; "" means not marked. */
export interface Tap {
  /** A tap that is sent again is saved once. */
  id: string;
  bookingId: string;
  from: Attendance | "";
  to: Attendance | "";
  /** Version of the mark that was tapped on; none if that is itself a waiting tap. */
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

type Statuses = Record<string, RowStatus>;

/** The taps of one account on one roster: nobody sends what somebody else has tapped. */
export interface TapsOf {
  gameId: string;
  userId: string;
}

const queueOf = ({ gameId, userId }: TapsOf) => keptKey("taps", gameId, userId);
const resultsOf = ({ gameId, userId }: TapsOf) => keptKey("results", gameId, userId);

/** Taps in their order, including those of a closed browser. */
export const readTaps = (of: TapsOf) => readQueue<Tap>(queueOf(of));

/** Results of the last tap of each booking on this page. */
export const readResults = (of: TapsOf) => readKept<Statuses>(resultsOf(of)) ?? NONE;

export const noResults = () => NONE;

const NONE: Statuses = {};

export const rowStatuses = (taps: Queued<Tap>[], results: Statuses): Statuses => ({
  ...results,
  ...Object.fromEntries(taps.map((tap) => [tap.bookingId, statusOf(tap)])),
});

function statusOf({ state, why }: Queued<Tap>): RowStatus {
  if (state === "sending") return { state: "saving" };
  return why ? { state: "failed", problem: why } : { state: "waiting" };
}

export interface Unsaved {
  gameId: string;
  waiting: number;
  failed: number;
}

/** What this browser could not send for this account so far, without what is being sent. */
export function listUnsaved(userId: string): Unsaved[] {
  const games = new Set([...listKept("taps", userId), ...listKept("results", userId)]);
  return [...games]
    .filter((gameId) => !isSending(queueOf({ gameId, userId })))
    .map((gameId) => {
      const waiting = new Set(readTaps({ gameId, userId }).map(({ bookingId }) => bookingId));
      const failed = Object.entries(readResults({ gameId, userId })).filter(
        ([id, { state }]) => state === "failed" && !waiting.has(id),
      );
      return { gameId, waiting: waiting.size, failed: failed.length };
    })
    .filter(({ waiting, failed }) => waiting + failed > 0);
}

export function sendWaiting(userId: string): void {
  for (const gameId of listKept("taps", userId)) sendTaps({ gameId, userId });
}

/** Once they were seen on the roster. */
export function clearFailures(of: TapsOf): void {
  const rest = Object.entries(readResults(of)).filter(([, { state }]) => state !== "failed");
  writeKept(resultsOf(of), Object.fromEntries(rest));
}

export function addTap(of: TapsOf, tap: Tap): void {
  const isKept = addToQueue<Tap>(queueOf(of), tap);
  if (!isKept) addResult(of, tap.bookingId, { state: "failed", problem: NOT_SAVED });
  sendTaps(of);
}

/** Sends taps from now on, also on other pages. */
export function sendTaps(of: TapsOf): void {
  startSending<Tap>(queueOf(of), (tap) => sendTap(of, tap));
}

async function sendTap(of: TapsOf, tap: Tap): Promise<Reason | null> {
  const result = await post(of, tap);
  if (!("ok" in result)) return result;
  const { current, version } = result;
  addResult(of, tap.bookingId, {
    ...(result.ok ? { state: "saved" } : { state: "failed", problem: result.problem }),
    ...(current !== undefined && { attendance: current, version }),
  });
  // The next tap was made on the result of this one.
  const isNext = ({ id, bookingId }: Tap) => id !== tap.id && bookingId === tap.bookingId;
  const next = readTaps(of).find(isNext);
  changeQueue<Tap>(queueOf(of), (each) => {
    if (each.id === tap.id || (!result.ok && isNext(each))) return null;
    return each.id === next?.id ? { ...each, version } : each;
  });
  return null;
}

const addResult = (of: TapsOf, bookingId: string, status: RowStatus) =>
  writeKept(resultsOf(of), { ...readResults(of), [bookingId]: status });

/** On a poor connection a response may never come. */
const TIMEOUT_MS = 15_000;

/** A result, or the reason for which the tap is sent again, which is not the tap itself. */
async function post({ gameId, userId: account }: TapsOf, tap: Tap): Promise<TapResult | Reason> {
  const { id: tapId, bookingId, from, to, version } = tap;
  const fields = new URLSearchParams({
    ...{ intent: "attendance", account, tapId, bookingId, from, to },
    ...(version !== undefined && { version: String(version) }),
  });
  const response = await fetch(`/admin/games/${gameId}/tap`, {
    method: "POST",
    body: fields,
    // A redirect would lead to the sign-in page.
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.type === "opaqueredirect") return { why: SIGN_IN_AGAIN };
  if (response.status >= 500) return {};
  // HTML instead of JSON is an error page, or a proxy's.
  const json: unknown = await response.json().catch(() => null);
  if (!isTapResult(json)) return reasonOf(response.status);
  return response.status === 403 && !json.ok ? { why: json.problem } : json;
}

/** Empty if the connection may be better later, so also after too many requests. */
function reasonOf(status: number): Reason {
  if (status < 400 || status === 408 || status === 429) return {};
  if (status === 401) return { why: SIGN_IN_AGAIN };
  return { why: status === 403 ? NO_ADMIN : REJECTED };
}

/** Anything else, such as a proxy's page, counts as no answer. */
function isTapResult(json: unknown): json is TapResult {
  if (typeof json !== "object" || json === null || !("ok" in json)) return false;
  return json.ok ? "current" in json : "problem" in json && typeof json.problem === "string";
}
