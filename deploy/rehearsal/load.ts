import * as https from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "./client.ts";

const PER_SECOND = 100;
/** In each twenty: what visitors see, and of a player a page, a navigation's data and a form. */
const TURN = [
  ...["/", "game", "/", "/healthz", "player /events", "asset", "game", "/robots.txt", "/", "form"],
  ...["/", "game", "asset", "/healthz", "player /events.data", "/", "game", "/offline", "asset"],
  "/healthz",
];
const ASSET = /\/assets\/[\w.-]+\.(?:js|css)/g;

/** A hundred requests a second, however long their answers take, until `stop`. */
export function startLoad(ca: string, player: Client, gameId: string) {
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  const failedAt: number[] = [];
  /** Whatever a page has asked for meanwhile, of either version and at either process. */
  const assets = new Set<string>();
  const visitor = createClient(ca, new https.Agent({ keepAlive: true, maxSockets: 200 }));
  const open = new Set<Promise<void>>();
  let slowestMs = 0;
  let isOver = false;
  let turn = 0;
  const addressOf = (asked: string) => {
    if (asked === "game") return `/events/${gameId}`;
    // None is known before the first page.
    if (asked === "asset") return [...assets][(turn += 1) % assets.size] ?? "/";
    return asked.replace("player ", "");
  };
  const one = async (n: number) => {
    const asked = TURN[n % TURN.length]!;
    const path = addressOf(asked);
    const start = performance.now();
    const reply = await (
      asked === "form"
        ? player.post(`/events/${gameId}`, { intent: "join", priceShown: "10" })
        : (asked.startsWith("player") ? player : visitor).get(path)
    ).catch((error: Error) => ({ status: error.message, body: "" }));
    if (asked === "game") for (const [name] of reply.body.matchAll(ASSET)) assets.add(name);
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - start));
    statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
    // 409: the player is in the game already.
    if (![200, 202, 302, 409].includes(Number(reply.status))) {
      failures.push(`${asked} ${path}: ${reply.status} ${reply.body.slice(0, 80)}`);
      failedAt.push(start);
    }
  };
  const running = (async () => {
    const begun = performance.now();
    for (let n = 0; !isOver; n += 1) {
      const ahead = (n * 1_000) / PER_SECOND - (performance.now() - begun);
      if (ahead > 0) await delay(ahead);
      const asked = one(n);
      open.add(asked);
      void asked.finally(() => open.delete(asked));
    }
    await Promise.all(open);
    return (performance.now() - begun) / 1_000;
  })();
  return {
    async stop() {
      isOver = true;
      const seconds = await running;
      const failedForMs = Math.round(Math.max(...failedAt, 0) - Math.min(...failedAt, Infinity));
      const measured = { statuses, assets: assets.size, slowestMs, seconds: Math.round(seconds) };
      return { ...measured, failures, failedForMs: failures.length ? failedForMs : 0 };
    },
    /** Counts requests that began after that time, by performance.now(). */
    countFailuresSince: (time: number) => failedAt.filter((at) => at > time).length,
  };
}
