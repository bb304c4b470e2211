import {
  FormDataParseError,
  MaxFilesExceededError,
  MaxHeaderSizeExceededError,
  MaxPartsExceededError,
  parseFormData,
} from "@remix-run/form-data-parser";
import { createCounts } from "./counts.server.ts";
import { timeBody } from "./observability/request-scope.server.ts";

const MEGABYTE = 1024 * 1024;

type Role = "player" | "admin";

export interface BodyLimit {
  bytes: number;
  /** If set, bodies are read only if the account has this role. */
  from?: Role;
}

export interface Sender {
  /** Network of its address (networkOf). */
  network: string;
  findAccountId(role: Role): Promise<string | null>;
}

/** Smaller forms need no room, however many slow bodies fill the rooms. */
const TINY_BYTES = 16 * 1024;
/** From anybody; larger bodies share a room of their own. */
const SMALL_BYTES = 64 * 1024;
const ROOMS = { small: createRoom(32 * MEGABYTE), large: createRoom(96 * MEGABYTE) };
const MOST_OF_ACCOUNT = 2;
const largeOfAccounts = createCounts();
/** Bodies that keep us waiting. One that is there with its request never counts. */
const arriving = createCounts();
/** Generous to a campus behind one address. */
const ARRIVING_MAX = { perNetwork: 300, perProcess: 2_000 };
/** Time allowed for each such share of a body's declared length. */
const [SHARE_BYTES, SHARE_MS] = [6 * MEGABYTE, 30_000];
/** A body that is too large is read and dropped up to here, or the client would miss the 413. */
const MOST_DROPPED = 8 * MEGABYTE;

type Failure = "too-large" | "too-slow" | "busy" | "too-many" | "overloaded";

const FAILURES: Record<Failure, [status: number, text: string]> = {
  "too-large": [413, "The request is too large."],
  "too-slow": [
    408,
    "The request took too long to arrive. Please try again on a faster connection.",
  ],
  busy: [503, "Too many files are being sent right now. Please try again in a moment."],
  "too-many": [429, "Too many forms are being sent from your address. Please try again soon."],
  overloaded: [503, "Too many forms are being sent right now. Please try again in a moment."],
};

// The request with its body, or a response that ends it: 413 over its limit, 503 without room, 408
// too slow, 429 or 503 where too many keep us waiting. A large body is read only from senders who
// may send it; others' are dropped, and the route says why.
export async function receiveBody(
  request: Request,
  limit: BodyLimit,
  sender: Sender,
): Promise<Request | Response> {
  if (!request.body) return request;
  const account = limit.from ? await sender.findAccountId(limit.from) : null;
  const isWelcome = !limit.from || account !== null;
  const bytes = isWelcome ? limit.bytes : SMALL_BYTES;
  const length = Number(request.headers.get("content-length")) || 0;
  if (isWelcome && length > Math.max(bytes, MOST_DROPPED)) return fail("too-large");
  const body = await read(request.body, {
    limit: bytes,
    network: sender.network,
    place: enter(sender.network, account),
    ms: Math.max(1, Math.min(length, bytes) / SHARE_BYTES) * SHARE_MS,
  });
  const isDropped = !isWelcome && (body === "too-large" || body === "busy");
  if (typeof body === "string" && !isDropped) return fail(body);
  const { method, headers, signal } = request;
  const kept = typeof body === "string" ? "" : body;
  return new Request(request.url, { method, headers, signal, body: kept });
}

function fail(reason: Failure): Response {
  const [status, text] = FAILURES[reason];
  const headers = new Headers();
  if (status === 429 || status === 503) headers.set("Retry-After", "10");
  // The rest is unread, so no request can follow on this connection. Of one that is too large the rest
  // is dropped (serve.server.ts): where a sender is cut off, it may miss the response.
  if (reason !== "busy" && reason !== "too-large") headers.set("Connection", "close");
  return new Response(text, { status, headers });
}

type Place = ReturnType<typeof enter>;

function enter(address: string, account: string | null) {
  const small = ROOMS.small.enter(address);
  const large = account ? ROOMS.large.enter(address) : small;
  let isCounted = false;
  return {
    take(bytes: number, size: number): boolean {
      if (size <= TINY_BYTES) return true;
      if (size <= SMALL_BYTES) return small.take(bytes);
      if (account && !isCounted) {
        if (largeOfAccounts.of(account) >= MOST_OF_ACCOUNT) return false;
        largeOfAccounts.add(account, 1);
        isCounted = true;
      }
      return large.take(bytes);
    },
    leave() {
      small.leave();
      large.leave();
      if (account && isCounted) largeOfAccounts.add(account, -1);
      isCounted = false;
    },
  };
}

function createRoom(most: number) {
  let held = 0;
  const ofAddresses = new Map<string, number>();
  return {
    enter(address: string) {
      let own = 0;
      const change = (bytes: number) => {
        const left = (ofAddresses.get(address) ?? 0) + bytes;
        if (left > 0) ofAddresses.set(address, left);
        else ofAddresses.delete(address);
        held += bytes;
        own += bytes;
      };
      return {
        /** False if the room, or this address's half of it, is full. */
        take(bytes: number) {
          if (held >= most || (ofAddresses.get(address) ?? 0) >= most / 2) return false;
          change(bytes);
          return true;
        },
        leave: () => change(-own),
      };
    },
  };
}

interface Reading {
  limit: number;
  network: string;
  place: Place;
  ms: number;
}

async function read(
  body: ReadableStream<Uint8Array>,
  { limit, network, place, ms }: Reading,
): Promise<Buffer<ArrayBuffer> | Failure> {
  const reader = body.getReader();
  const late = Promise.withResolvers<"too-slow">();
  const timeout = setTimeout(() => late.resolve("too-slow"), ms);
  const endTime = timeBody();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let failure: Failure | null = null;
  let isAwaited = false;
  try {
    while (true) {
      const reading = reader.read();
      if (!isAwaited && !(await isThere(reading))) {
        if (arriving.of(network) >= ARRIVING_MAX.perNetwork) return "too-many";
        if (arriving.total() >= ARRIVING_MAX.perProcess) return "overloaded";
        arriving.add(network, 1);
        isAwaited = true;
      }
      const next = await Promise.race([reading, late.promise]);
      if (next === "too-slow") return next;
      if (next.done) return failure ?? Buffer.concat(chunks);
      size += next.value.byteLength;
      if (size > Math.max(limit, MOST_DROPPED)) return "too-large";
      if (size > limit) failure = "too-large";
      else if (!failure && !place.take(next.value.byteLength, size)) failure = "busy";
      if (!failure) {
        chunks.push(next.value);
        continue;
      }
      chunks.length = 0;
      place.leave();
    }
  } finally {
    clearTimeout(timeout);
    endTime();
    reader.releaseLock();
    place.leave();
    if (isAwaited) arriving.add(network, -1);
  }
}

/** Whether it comes with what the process has received by now. */
function isThere(reading: Promise<unknown>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setImmediate(resolve, false));
  return Promise.race([reading.then(() => true), later]);
}

/** The largest form: a game's result has two fields for each of 200 players. */
const FIELDS_MAX = 500;
const PARTS_MAX = 150;
const FILES_MAX = 100;
const NAME_MAX = 100;
/** Characters; every field's own limit is lower. */
const TEXT_MAX = 60_000;
const PART_HEADER_MAX = 1_024;
// Header as browsers write it; a boundary has at most 70 characters (RFC 2046, section 5.1.1).
const FORM =
  /^(?:application\/x-www-form-urlencoded(?:;|$)|multipart\/form-data; ?boundary="?[\w'()+,./:=?-]{1,70}"?$)/;

export class FormLimitError extends Error {}

/** No fields for a body that is not a form. receiveBody limits its size. Throws FormLimitError. */
export async function parseBody(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  if (type.length > 200 || !FORM.test(type)) return new FormData();
  const parsed = await parseFormData(request, {
    maxParts: type.startsWith("multipart/") ? PARTS_MAX : FIELDS_MAX,
    maxFiles: FILES_MAX,
    maxHeaderSize: PART_HEADER_MAX,
    maxFileSize: Infinity,
    maxTotalSize: Infinity,
  }).catch(emptyOrThrow);
  const form = new FormData();
  for (const [name, value] of parsed) {
    if (name.length > NAME_MAX) throw new FormLimitError("the name of a field is too long");
    form.append(name, typeof value === "string" ? value.slice(0, TEXT_MAX) : value);
  }
  return form;
}

const LIMITS = [MaxFilesExceededError, MaxHeaderSizeExceededError, MaxPartsExceededError];

function emptyOrThrow(error: unknown): FormData {
  if (LIMITS.some((limit) => error instanceof limit)) {
    throw new FormLimitError("too many fields, or too long ones", { cause: error });
  }
  if (error instanceof FormDataParseError) return new FormData();
  throw error;
}
