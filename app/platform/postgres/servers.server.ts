import type pg from "pg";

export interface Address extends pg.PoolConfig {
  /** Replaces `connectionString`; only the primary among them is used. */
  servers?: Servers;
  /** Set if `servers` is a pooler in transaction mode: for what needs a session. */
  direct?: Servers;
}

/** The servers of one URL, `postgres://user@db1,db2/name`: a failover changes which is the primary. */
export class Servers {
  readonly #urls: string[];
  #index = 0;

  constructor(url: string) {
    const { hostname } = new URL(url);
    // WHATWG URLs have one port, so all servers use the same.
    this.#urls = hostname.split(",").map((host) => url.replace(hostname, host));
  }

  get current(): string {
    return this.#urls[this.#index]!;
  }

  /** `connect` to the current one; after each that fails to the next, until all were tried. */
  async tryEach<T>(connect: () => Promise<T>): Promise<T> {
    const tried = new Set<string>();
    for (;;) {
      const url = this.current;
      try {
        return await connect();
      } catch (error) {
        if (tried.add(url).has(this.current)) throw error;
      }
    }
  }

  /** `url` could not be reached, or is a replica; several connections may find that at once. */
  leave(url: string): void {
    if (url === this.current) this.#index = (this.#index + 1) % this.#urls.length;
  }
}

/** Options whose `connectionString`, in copies too, is the current server. */
export function followServers<Options extends pg.PoolConfig>(options: Options, servers?: Servers) {
  if (!servers) return options;
  const connectionString = { enumerable: true, configurable: true, get: () => servers.current };
  return Object.defineProperty(options, "connectionString", connectionString);
}

/** PostgreSQL's cannot_connect_now, which counts as an outage. */
export class NotPrimaryError extends Error {
  readonly code = "57P03";

  constructor() {
    super("this server is a replica");
  }
}
