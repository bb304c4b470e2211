import type pg from "pg";
import { connectWithoutLimits } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { BoundedClient } from "./bounded-pool.server.ts";

export interface Listener {
  close(): Promise<void>;
}

interface Handlers {
  /** Also after each outage: whatever was notified meanwhile is lost. */
  onListening(): void;
  onPayload: Record<string, (payload: string) => void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const CHECK_MS = 15_000;
const ANSWER_MS = 5_000;

/** LISTEN on a connection beside the pool, reopened whenever it ends. */
export function listenTo(pool: pg.Pool, { onListening, onPayload }: Handlers): Listener {
  let client: BoundedClient | null = null;
  let isClosed = false;
  let pauseMs = FIRST_PAUSE_MS;
  let retry: NodeJS.Timeout | undefined;
  // A silent connection, as behind a firewall, notifies of nothing and does not end by itself.
  const check = setInterval(() => void client?.query("select 1").catch(() => {}), CHECK_MS).unref();

  async function open() {
    retry = undefined;
    try {
      const opened = await connectWithoutLimits(pool);
      opened.limitMs = ANSWER_MS;
      opened.on("notification", ({ channel, payload = "" }) => onPayload[channel]?.(payload));
      opened.once("end", () => openLater(opened));
      client = opened;
      if (isClosed) return void (await opened.end());
      await opened.query(
        Object.keys(onPayload)
          .map((channel) => `listen ${channel}`)
          .join("; "),
      );
      pauseMs = FIRST_PAUSE_MS;
      onListening();
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, "not listening to the database");
      // Ending it opens another one; a connection that was never there needs the same.
      if (client) void client.end().catch(() => {});
      else openLater(null);
    }
  }

  function openLater(ended: BoundedClient | null) {
    if (client === ended) client = null;
    if (isClosed || retry) return;
    retry = setTimeout(() => void open(), pauseMs * (0.5 + Math.random()));
    retry.unref();
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }

  void open();
  return {
    async close() {
      isClosed = true;
      clearInterval(check);
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
