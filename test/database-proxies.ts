import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import path from "node:path";
import type pg from "pg";

/**
 * What becomes of a COMMIT: it passes; the connection breaks before the server has seen it, or after
 * the server has done it and before its response arrives; or it breaks and the server never notices.
 */
type Fate = "passes" | "cut-before" | "cut-after" | "stuck";

export interface CuttingProxy {
  /** Leads to the same database through the proxy. */
  connection: pg.ClientConfig;
  /** Decides about each COMMIT. */
  fate: () => Fate;
  /** Breaks the next COMMIT alone; `then` runs as it does. */
  breakNext(fate: Fate, then?: () => void): void;
  /** No new connection gets through. */
  isClosed: boolean;
  /** What has been answered arrives, but the end of a connection does not. */
  isEndless: boolean;
  /** How many connections were broken. */
  cuts: number;
  close(): Promise<void>;
}

/** A TCP proxy before PostgreSQL that knows enough of its protocol to break a connection at COMMIT. */
export async function openCuttingProxy(server: pg.ClientConfig): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    return socket.on("error", () => {});
  };
  const listener = net.createServer({ allowHalfOpen: true }, (client) => {
    keep(client).once("end", () => proxy.isEndless || client.end());
    if (proxy.isClosed) return client.destroy();
    connectBoth(proxy, client, keep(connectTo(server)));
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const proxy: CuttingProxy = {
    connection: through(server, port),
    fate: () => "passes",
    breakNext(fate, then = () => {}) {
      proxy.fate = () => {
        proxy.fate = () => "passes";
        then();
        return fate;
      };
    },
    isClosed: false,
    isEndless: false,
    cuts: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
  return proxy;
}

function through(server: pg.ClientConfig, port: number): pg.ClientConfig {
  const { connectionString } = server;
  if (!connectionString) return { ...server, host: "127.0.0.1", port };
  const url = new URL(connectionString);
  url.host = `127.0.0.1:${port}`;
  return { connectionString: url.href };
}

function connectTo({ connectionString, ...server }: pg.ClientConfig): Socket {
  const url = connectionString ? new URL(connectionString) : null;
  const host = url?.hostname || server.host || "127.0.0.1";
  const port = Number(url?.port || server.port || 5432);
  if (host.startsWith("/")) return net.connect(path.join(host, `.s.PGSQL.${port}`));
  return net.connect(port, host);
}

function connectBoth(proxy: CuttingProxy, client: Socket, server: Socket): void {
  let fate: Fate = "passes";
  const cut = () => {
    proxy.cuts += 1;
    client.destroy();
    if (fate !== "stuck") server.destroy();
  };
  client.on("data", (bytes: Buffer) => {
    if (isCommit(bytes)) fate = proxy.fate();
    if (fate === "cut-before" || fate === "stuck") return cut();
    server.write(bytes);
  });
  server.on("data", (bytes: Buffer) => (fate === "cut-after" ? cut() : client.write(bytes)));
  client.once("close", () => fate !== "stuck" && server.destroy());
  server.once("close", () => proxy.isEndless || client.destroy());
}

/** A simple query: its type, the length of what follows, the text and a zero. It comes alone, or last. */
function isCommit(bytes: Buffer): boolean {
  const last = bytes.toString("latin1", Math.max(0, bytes.length - 12));
  return last.startsWith("Q") && last.endsWith("commit\0");
}

/** A proxy between the app and PostgreSQL that can drop what goes through without a sign. */
export interface SilentProxy {
  /** Connects through it to the same database. */
  connection: pg.ClientConfig;
  /** Nothing of the connections that are open goes through any more, in either direction. */
  silence(): void;
  /** So are those that are opened from now on, until they are let through again. */
  silenceAll(): void;
  /** Every connection is closed, and so is each new one. */
  closeAll(): void;
  letThrough(): void;
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function startSilentProxy(server: pg.ClientConfig): Promise<SilentProxy> {
  const open = new Set<() => void>();
  const sockets = new Set<Socket>();
  let mode: "open" | "silent" | "closed" = "open";
  const proxy = net.createServer((client) => {
    if (mode === "closed") return void client.destroy();
    const database = connectTo(server);
    for (const socket of [client, database]) {
      // Set like PostgreSQL's own, or each commit that waits for a replica takes 40 ms.
      socket.setNoDelay();
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    const cut = () => {
      client.unpipe(database);
      database.unpipe(client);
      client.pause();
      database.pause();
    };
    if (mode === "silent") return cut();
    client.pipe(database).pipe(client);
    open.add(cut);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const silence = () => {
    for (const cut of open) cut();
    open.clear();
  };
  return {
    connection: through(server, port),
    silence,
    silenceAll() {
      mode = "silent";
      silence();
    },
    closeAll() {
      mode = "closed";
      for (const socket of sockets) socket.destroy();
    },
    letThrough: () => void (mode = "open"),
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
