import { createServer, type RequestListener, type Server } from "node:http";
import { networkInterfaces } from "node:os";
import { letGoOfSockets, oneAtATime, SOCKET_OPTIONS } from "./sockets.server.ts";

// With closing the jobs and the database it stays below the 10 seconds that a stop may take after
// DRAIN_SECONDS.
const DRAIN_MS = 7_000;

/** Listens on every address, or rejects with one sentence where the port cannot be had. */
export function listen(
  handler: RequestListener,
  { port, hosts }: { port: number; hosts: (string | undefined)[] },
): Promise<Server[]> {
  const newServer = () => createServer(SOCKET_OPTIONS, oneAtATime(handler));
  return Promise.all(hosts.map((host) => listenOn(newServer(), port, host)));
}

/** Loopback in both families, where this machine has IPv6. */
export function loopbackHosts(): string[] {
  const addresses = Object.values(networkInterfaces()).flat();
  const hasIpv6 = addresses.some((address) => address?.address === "::1");
  return hasIpv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"];
}

/** npm hands Ctrl-C on to a process that the terminal has told already: that is one signal. */
const SAME_SIGNAL_MS = 400;

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once, with code 1. */
export function stopSignal(): Promise<void> {
  let first: number | null = null;
  return new Promise((resolve) => {
    const stop = () => {
      first ??= performance.now();
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(1);
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  });
}

/** Stops accepting and lets what is in flight finish, for 7 seconds at most. */
export async function drain(servers: Server[]): Promise<void> {
  await Promise.all(servers.map(drainOne));
}

function listenOn(server: Server, port: number, host: string | undefined): Promise<Server> {
  letGoOfSockets(server);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, { port, host })));
    server.listen({ port, host }, () => resolve(server));
  });
}

interface Place {
  port: number;
  host: string | undefined;
}

function explain(error: NodeJS.ErrnoException, { port, host }: Place): Error {
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

function drainOne(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is kept alive becomes idle only when its last answer is out.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(forced);
      resolve();
    });
  });
}
