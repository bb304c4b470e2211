import { randomUUID } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Player } from "./players.ts";

/** What a page that follows a chat has heard, over all its connections. */
export interface Page {
  /** The order in which they were sent. */
  numbers: number[];
  /** Numbers of the messages that were sent to it, or read. */
  ids: Set<string>;
  /** How often it was connected. */
  opened: number;
  /** How often it had missed so much that it read the chat's pages again. */
  rereads: number;
  close(): void;
}

interface Follower {
  /** Its next one, after each end. */
  nextUrl: () => string;
  gameId: string;
  cookie: string;
  onMessage(id: string): void;
}

/** Behaves like EventSource: it comes back at once, with the last number that it was sent. */
export function followChat({ nextUrl, gameId, cookie, onMessage }: Follower): Page {
  const page = { numbers: [] as number[], ids: new Set<string>(), opened: 0, rereads: 0 };
  let reading = Promise.resolve();
  /** After this number it has missed some, which it has not begun to read. */
  let missedFrom: number | null = null;
  let paceMs = 1_000;
  let isClosed = false;
  let last = 0;
  let request: ReturnType<typeof get> | undefined;
  function open() {
    if (isClosed) return;
    const headers = { cookie, "Last-Event-ID": String(last) };
    request = get(`${nextUrl()}/live?chat=${gameId}&after=0`, { headers, agent: false }, hear);
    request.on("error", () => {});
    request.on("close", () => void delay(50).then(open));
  }
  function hear(response: IncomingMessage) {
    if (response.statusCode === 200) page.opened += 1;
    let text = "";
    response.on("error", () => {});
    response.setEncoding("utf8").on("data", (part: string) => {
      const events = (text + part).split("\n\n");
      text = events.pop()!;
      for (const event of events) take(event);
    });
  }
  function take(event: string) {
    paceMs = Number(/^event: pace\ndata: (\d+)$/.exec(event)?.[1] ?? paceMs);
    const [, id, data] = /^event: chat\nid: (\d+)\ndata: (.*)$/s.exec(event) ?? [];
    if (!id) return;
    if (data === '{"messages":null}') {
      page.rereads += 1;
      missAfter(last);
    }
    last = Number(id);
    for (const [, messageId = "", number] of data!.matchAll(/\{"id":"([^"]+)","number":(\d+)/g)) {
      page.numbers.push(Number(number));
      page.ids.add(messageId);
      onMessage(messageId);
    }
  }
  function missAfter(number: number) {
    const isDue = missedFrom !== null;
    missedFrom = Math.min(missedFrom ?? number, number);
    // At its own moment, as pages do (rereading.ts).
    const readInTime = () => delay(paceMs * (0.3 + 0.7 * Math.random())).then(readAgain);
    if (!isDue) reading = reading.then(readInTime);
  }
  /** The newest page, and those before it until all that was missed is read. */
  async function readAgain() {
    const path = `/events/${gameId}/chat`;
    const from = missedFrom!;
    missedFrom = null;
    let { ids, first } = await readPage(nextUrl, cookie, path);
    for (const id of ids) page.ids.add(id);
    while (first > from + 1) {
      const before = Math.ceil((first - 1) / 100) * 100 + 1;
      const read = await readEarlier(nextUrl, cookie, `${path}?before=${before}`);
      if (read.first >= first) throw new Error(`Nothing earlier than ${first} is linked`);
      ({ ids, first } = read);
      for (const id of ids) page.ids.add(id);
    }
  }
  open();
  return {
    ...page,
    get opened() {
      return page.opened;
    },
    get rereads() {
      return page.rereads;
    },
    close() {
      isClosed = true;
      request?.destroy();
    },
  };
}

interface Read {
  /** Ids of the messages, oldest first. */
  ids: string[];
  /** The first one's number. */
  first: number;
}

/** Earlier messages are the same for all: each page of them is read once. */
const earlier = new Map<string, Promise<Read>>();

function readEarlier(nextUrl: () => string, cookie: string, path: string): Promise<Read> {
  const read = earlier.get(path) ?? readPage(nextUrl, cookie, path);
  earlier.set(path, read);
  return read;
}

/** Again until a process answers. */
async function readPage(nextUrl: () => string, cookie: string, path: string): Promise<Read> {
  const response = await fetch(nextUrl() + path, { headers: { cookie } }).catch(() => null);
  const html = response?.ok && (await response.text().catch(() => null));
  if (!html) return delay(100).then(() => readPage(nextUrl, cookie, path));
  const ids = [...html.matchAll(/ id="message-([^"]+)"/g)].map(([, id]) => id!);
  // The link to earlier messages: forms lead to a `before` of their own page.
  const [, before = 1] = / href="[^"]*\?before=(\d+)#latest"/.exec(html) ?? [];
  return { ids, first: Number(before) };
}

interface Writer {
  nextUrl: () => string;
  gameId: string;
  player: Player;
  /** Until `performance.now()` says so, one message after the other. */
  until: number;
  everyMs: number;
  onSend(id: string): void;
}

export interface Written {
  id: string;
  status: string;
  /** How often nothing came back, and the same was sent again. */
  cutOff: number;
}

export async function writeOn(writer: Writer): Promise<Written[]> {
  const { nextUrl, gameId, player, until, everyMs, onSend } = writer;
  const written: Written[] = [];
  await delay(Math.random() * everyMs);
  while (performance.now() < until) {
    const startedAt = performance.now();
    const id = randomUUID();
    onSend(id);
    let status = await send(nextUrl(), gameId, player, id);
    let cutOff = 0;
    // 503 is a process that starts.
    for (; [CUT_OFF, "503"].includes(status); cutOff += 1) {
      await delay(100);
      status = await send(nextUrl(), gameId, player, id);
    }
    written.push({ id, status, cutOff });
    await delay(Math.max(0, everyMs - (performance.now() - startedAt)));
  }
  return written;
}

const CUT_OFF = "cut off";

/** Sends like the page's script. */
function send(url: string, gameId: string, { cookie }: Player, messageId: string) {
  const form = { intent: "send", stay: "1", messageId, message: `Message ${messageId}` };
  const options = { method: "POST", headers: { Cookie: cookie }, body: new URLSearchParams(form) };
  return fetch(`${url}/events/${gameId}/chat.data`, options)
    .then(async (response) => (await response.arrayBuffer(), String(response.status)))
    .catch(() => CUT_OFF);
}
