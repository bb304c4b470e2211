import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { networkInterfaces } from "node:os";
import type { Socket } from "node:net";

// Together with closing jobs and database below the 10 s that a stop may take after DRAIN_SECONDS.
const IN_FLIGHT_MS = 7_000;

export function listen(
  handler: RequestListener,
  { port, hosts }: { port: number; hosts: (string | undefined)[] },
): Promise<Server[]> {
  const newServer = () => createServer(SOCKET_OPTIONS, oneAtATime(handler));
  return Promise.all(hosts.map((host) => listenOn(newServer(), port, host)));
}

export function loopbackHosts(): string[] {
  const addresses = Object.values(networkInterfaces()).flat();
  const hasIpv6 = addresses.some((address) => address?.address === "::1");
  return hasIpv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"];
}

/** npm forwards a Ctrl-C that the terminal has already sent: both count as one signal. */
const SAME_SIGNAL_MS = 400;

/** Resolves at the first SIGTERM, SIGINT or SIGHUP; a second one ends the process with code 1. */
export function stopSignal(): Promise<void> {
  let first: number | null = null;
  return new Promise((resolve) => {
    const stop = () => {
      first ??= performance.now();
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(1);
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
  });
}

export async function closeServers(servers: Server[]): Promise<void> {
  await Promise.all(servers.map(closeOne));
}

function listenOn(server: Server, port: number, host: string | undefined): Promise<Server> {
  letGoOfSockets(server);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, port, host)));
    server.listen({ port, host }, () => resolve(server));
  });
}

function explain(error: NodeJS.ErrnoException, port: number, host: string | undefined): Error {
  if (error.code === "EADDRINUSE") {
    return new Error(`Port ${port} is taken. Choose another one: PORT=3001 npm start`);
  }
  if (error.code === "EACCES") {
    return new Error(`Port ${port} needs more rights. Choose one above 1023: PORT=3000 npm start`);
  }
  if (["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL"].includes(error.code ?? "")) {
    return new Error(`HOST is no address of this machine: ${host}`);
  }
  return error;
}

function closeOne(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A kept-alive connection becomes idle only once its last response is out.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const forced = setTimeout(() => server.closeAllConnections(), IN_FLIGHT_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(forced);
      resolve();
    });
  });
}

const SILENCE_MS = 30_000;
/** Requests that wait behind the current one; browsers do not pipeline. */
const MAX_WAITING = 10;
const LINGER_MS = 500;

const SOCKET_OPTIONS: ServerOptions = {
  // Node's own error for a request without a host would lack our headers.
  requireHostHeader: false,
  headersTimeout: 15_000,
  // Longer than the largest body may take (request-body.server.ts).
  requestTimeout: 330_000,
  // Longer than proxies keep theirs (60 s), or they would reuse one that is closing.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

const BARE_HEADERS = [
  "Connection: close",
  "Content-Security-Policy: default-src 'none'",
  "X-Content-Type-Options: nosniff",
  "Content-Length: 0",
].join("\r\n");

function letGoOfSockets(server: Server): void {
  server.setTimeout(SILENCE_MS, (socket: Socket) => {
    const response = inProgress.get(socket);
    const isOurTurn = response?.req.complete && socket.writableLength === 0;
    if (!isOurTurn) socket.destroy();
  });
  // Node's own responses to malformed requests, with our headers.
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = inProgress.get(socket);
    const isAnswered = response?.headersSent || response?.req.complete;
    if (!socket.writable || isAnswered || error.code === "ECONNRESET") return socket.destroy();
    socket.end(`HTTP/1.1 ${statusOf(error)}\r\n${BARE_HEADERS}\r\n\r\n`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  server.on("checkExpectation", (_request, response) => {
    response.writeHead(417, { "Content-Security-Policy": "default-src 'none'" }).end();
  });
}

const inProgress = new WeakMap<Socket, ServerResponse>();

/** One by one: a client that pipelines and reads nothing holds one response, then is cut off. */
function oneAtATime(handler: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const send = () => {
      inProgress.set(socket, response);
      response.once("finish", () => dropRest(request));
      response.once("close", () => {
        inProgress.delete(socket);
        if (!socket.destroyed) waiting.get(socket)?.shift()?.();
      });
      handler(request, response);
    };
    if (!inProgress.has(socket)) return send();
    const ahead = waiting.get(socket) ?? [];
    if (ahead.length >= MAX_WAITING) return void socket.destroy();
    waiting.set(socket, [...ahead, send]);
  };
}

/** Above what a proxy lets through (deploy/caddy/Caddyfile). Its time is that of the request. */
const MOST_DROPPED = 80 * 1024 * 1024;

/** What still comes of a body after its response: a sender that is cut off may miss the response. */
function dropRest(request: IncomingMessage) {
  if (request.complete || request.destroyed) return;
  let dropped = 0;
  request.removeAllListeners("data");
  request.on("data", (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > MOST_DROPPED) request.destroy();
  });
  request.resume();
}

function statusOf({ code }: NodeJS.ErrnoException): string {
  if (code === "HPE_HEADER_OVERFLOW") return "431 Request Header Fields Too Large";
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request";
}
