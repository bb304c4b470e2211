import { createServer, type RequestListener, type Server } from "node:http";
import { networkInterfaces } from "node:os";
import { log } from "./log.server.ts";

const DRAIN_MS = 10_000;

/** Listens on every address, or rejects with one sentence where the port cannot be had. */
export function listen(
  handler: RequestListener,
  { port, hosts }: { port: number; hosts: (string | undefined)[] },
): Promise<Server[]> {
  return Promise.all(hosts.map((host) => listenOn(createServer(handler), port, host)));
}

/** Loopback in both families, where this machine has IPv6. */
export function loopbackHosts(): string[] {
  const addresses = Object.values(networkInterfaces()).flat();
  const hasIpv6 = addresses.some((address) => address?.address === "::1");
  return hasIpv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"];
}

/**
 * Waits for SIGTERM or SIGINT, then stops accepting, lets what is in flight finish (10 s at most),
 * closes and exits 0. A second signal exits at once.
 */
export async function serveUntilSignal(
  servers: Server[],
  { onDrain, close }: { onDrain(): void; close(): Promise<void> },
): Promise<never> {
  await nextSignal();
  void nextSignal().then(() => process.exit(1));
  onDrain();
  await Promise.all(servers.map(drain));
  await close();
  log.info("stopped");
  process.exit(0);
}

function listenOn(server: Server, port: number, host: string | undefined): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, port)));
    server.listen({ port, host }, () => resolve(server));
  });
}

function explain(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new Error(`Port ${port} is taken. Choose another one: PORT=3001 npm start`);
  }
  if (error.code === "EACCES") {
    return new Error(`Port ${port} needs more rights. Choose one above 1023: PORT=3000 npm start`);
  }
  return error;
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(forced);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
}
