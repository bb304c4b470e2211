import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type pg from "pg";

/** Stands between the app and PostgreSQL, and can swallow what goes through without a word. */
export interface SilentProxy {
  /** Connects through it to the same database. */
  connection: pg.ClientConfig;
  /** Nothing of the connections that are open goes through any more, in either direction. */
  silence(): void;
  /** So are those that are opened from now on, until they are let through again. */
  silenceAll(): void;
  /** Every connection is closed, and so is each new one. */
  refuseAll(): void;
  letThrough(): void;
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function startSilentProxy(server: pg.ClientConfig): Promise<SilentProxy> {
  const open = new Set<() => void>();
  const sockets = new Set<Socket>();
  let mode: "open" | "silent" | "refusing" = "open";
  const proxy = createServer((client) => {
    if (mode === "refusing") return void client.destroy();
    const database = connectTo(server);
    for (const socket of [client, database]) {
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
    connection: throughPort(server, port),
    silence,
    silenceAll() {
      mode = "silent";
      silence();
    },
    refuseAll() {
      mode = "refusing";
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

function connectTo(server: pg.ClientConfig): Socket {
  const { hostname, port } = addressOf(server);
  return hostname.startsWith("/")
    ? connect(`${hostname}/.s.PGSQL.${port}`)
    : connect(port, hostname);
}

function addressOf({ connectionString, host, port }: pg.ClientConfig) {
  if (!connectionString) return { hostname: host ?? "127.0.0.1", port: port ?? 5432 };
  const url = new URL(connectionString);
  return { hostname: url.hostname, port: Number(url.port || 5432) };
}

function throughPort(server: pg.ClientConfig, port: number): pg.ClientConfig {
  if (!server.connectionString) return { ...server, host: "127.0.0.1", port };
  const url = new URL(server.connectionString);
  url.host = `127.0.0.1:${port}`;
  return { connectionString: url.href };
}
