import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { startLoad } from "./load.ts";
import { type Stage, until } from "./proxy.ts";

type Load = ReturnType<typeof startLoad>;

/** In which the proxy, that asks each second, has seen who is gone or back. */
const SEEN_MS = 1_000;

/** What SIGKILL ends, what says once it is back, and how long requests may begin that fail. */
const LOSSES = [
  {
    what: "a web process",
    kill: "systemctl kill --signal=SIGKILL kickabout-web@3001",
    isBack: "curl --silent --fail http://127.0.0.1:3001/readyz",
    // What it was answering: a connection that is refused is tried at the other one.
    failsForMs: () => SEEN_MS,
  },
  {
    what: "the worker",
    kill: "systemctl kill --signal=SIGKILL kickabout-worker",
    isBack:
      'test "$(systemctl show --property=NRestarts --value kickabout-worker)" = 1 && systemctl is-active kickabout-worker',
    failsForMs: () => -Infinity,
  },
  {
    // After which PostgreSQL ends all others, and recovers.
    what: "a process of the database",
    kill: "pkill --signal KILL --full 'postgres: 17/main: checkpointer'",
    isBack: "curl --silent --fail http://127.0.0.1:3001/readyz",
    failsForMs: (backMs: number) => backMs + SEEN_MS,
  },
];
const AFTERWARDS_MS = 2_000;

/** Under load, each comes back by itself; with a web process or the worker the site is not gone. */
export async function checkLosses(stage: Stage, start: () => Load) {
  for (const { what, kill, isBack, failsForMs } of LOSSES) {
    process.stdout.write(`▸ SIGKILL for ${what}\n`);
    const load = start();
    await delay(AFTERWARDS_MS);
    const { status, out } = await stage(kill);
    assert.equal(status, 0, out);
    const killedAt = performance.now();
    await until(async () => (await stage(isBack)).status === 0);
    const backMs = Math.round(performance.now() - killedAt);
    await delay(AFTERWARDS_MS);
    const { failures, statuses, ...rest } = await load.stop();
    const measured = { backMs, failed: failures.length, ...rest, statuses };
    process.stdout.write(`  ${JSON.stringify({ ...measured, found: failures.slice(0, 3) })}\n`);
    assert.equal(load.countFailuresSince(killedAt + failsForMs(backMs)), 0);
  }
}
