import type { RequestListener, Server, ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A connection may be silent for so long while it is the client's turn: to send, or to read. */
const SILENCE_MS = 30_000;
/** So many requests may wait behind the one that is answered; browsers send none ahead. */
const MAX_WAITING = 10;
/** Closed at once, a connection could take the last answer with it. */
const LINGER_MS = 500;

/** Who sends nothing, or half a head, is let go; a slow upload has minutes. */
export const SOCKET_OPTIONS: ServerOptions = {
  // Node's own refusal of a request without a host would carry none of our headers.
  requireHostHeader: false,
  headersTimeout: 15_000,
  // Longer than the largest body may take (request-body.server.ts), which says so in words.
  requestTimeout: 330_000,
  // Longer than proxies keep theirs (60 s), so that they do not send on one that closes.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

const BARE_HEADERS = [
  "Connection: close",
  "Content-Security-Policy: default-src 'none'",
  "X-Content-Type-Options: nosniff",
  "Content-Length: 0",
].join("\r\n");

/** Lets go of connections on which the client neither sends nor reads, and of what is no HTTP. */
export function letGoOfSockets(server: Server): void {
  server.setTimeout(SILENCE_MS, (socket: Socket) => {
    const response = answering.get(socket);
    const isOurTurn = response?.req.complete && socket.writableLength === 0;
    if (!isOurTurn) socket.destroy();
  });
  // What Node would answer by itself, to requests that are none, without our headers.
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = answering.get(socket);
    const isAnswered = response?.headersSent || response?.req.complete;
    if (!socket.writable || isAnswered || error.code === "ECONNRESET") return socket.destroy();
    socket.end(`HTTP/1.1 ${statusOf(error)}\r\n${BARE_HEADERS}\r\n\r\n`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  server.on("checkExpectation", (_request, response) => {
    response.writeHead(417, { "Content-Security-Policy": "default-src 'none'" }).end();
  });
}

/** The response that each connection waits for or reads. */
const answering = new WeakMap<Socket, ServerResponse>();

/**
 * Answers one request of a connection after another, so that a client that sends many ahead and
 * reads nothing holds one answer and not all; with too many ahead it is cut off.
 */
export function oneAtATime(handler: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const answer = () => {
      answering.set(socket, response);
      response.once("close", () => {
        answering.delete(socket);
        if (!socket.destroyed) waiting.get(socket)?.shift()?.();
      });
      handler(request, response);
    };
    if (!answering.has(socket)) return answer();
    const ahead = waiting.get(socket) ?? [];
    if (ahead.length >= MAX_WAITING) return void socket.destroy();
    waiting.set(socket, [...ahead, answer]);
  };
}

function statusOf({ code }: NodeJS.ErrnoException): string {
  if (code === "HPE_HEADER_OVERFLOW") return "431 Request Header Fields Too Large";
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request";
}
