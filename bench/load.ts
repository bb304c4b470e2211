import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Reply {
  status: number;
  head: string;
  body: Buffer;
}

export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  statuses: Map<number, number>;
}

/**
 * Sends what `next` gives, one request at a time on each of `clients` kept-alive connections,
 * until it gives null. Several ports share the clients. Plain sockets, so that the generator takes
 * little of the shared cores.
 */
export async function load(
  port: number | number[],
  clients: number,
  next: () => string | null,
): Promise<Measured> {
  const times: number[] = [];
  const statuses = new Map<number, number>();
  const started = performance.now();
  const ports = [port].flat();
  const drive = async (_: unknown, client: number) => {
    const socket = connect(ports[client % ports.length]!, "127.0.0.1").setNoDelay();
    await once(socket, "connect");
    for (let text = next(); text !== null; text = next()) {
      const sent = performance.now();
      const { status } = await exchange(socket, text);
      times.push(performance.now() - sent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: clients }, drive));
  const perSecond = times.length / ((performance.now() - started) / 1_000);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
  return { perSecond, p50: at(0.5), p99: at(0.99), statuses };
}

/** The same request over and over, for that long. */
export function loadFor(port: number, clients: number, seconds: number, text: string) {
  const end = performance.now() + seconds * 1_000;
  return load(port, clients, () => (performance.now() < end ? text : null));
}

/** One request on a connection of its own. */
export async function ask(port: number, text: string): Promise<Reply> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const reply = await exchange(socket, text);
  socket.destroy();
  return reply;
}

interface Wanted {
  cookie?: string | undefined;
  encoding?: string | undefined;
  form?: string | undefined;
}

/** The text of a request: a GET, or a POST of `form`. */
export function request(path: string, { cookie, encoding, form }: Wanted = {}): string {
  const lines = [`${form === undefined ? "GET" : "POST"} ${path} HTTP/1.1`, "Host: 127.0.0.1"];
  lines.push("User-Agent: Mozilla/5.0 bench", "Accept: text/html");
  if (encoding) lines.push(`Accept-Encoding: ${encoding}`);
  if (cookie) lines.push(`Cookie: ${cookie}`);
  if (form !== undefined) {
    lines.push("Content-Type: application/x-www-form-urlencoded", `Content-Length: ${form.length}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${form ?? ""}`;
}

const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

function exchange(socket: Socket, text: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const lost = () => reject(new Error("the server closed the connection"));
    const read = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = received.toString("latin1", 0, headEnd);
      const body = received.subarray(headEnd + HEAD_END.length);
      if (!isWhole(head, body)) return;
      socket.off("data", read).off("close", lost);
      resolve({ status: Number(head.slice(9, 12)), head, body });
    };
    socket.on("data", read).once("close", lost);
    socket.write(text);
  });
}

function isWhole(head: string, body: Buffer): boolean {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  return length ? body.length >= Number(length) : body.subarray(-5).equals(LAST_CHUNK);
}
