import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { startLoad } from "./load.ts";
import { type Stage, until } from "./proxy.ts";

type Load = ReturnType<typeof startLoad>;

/** What SIGKILL ends, and what says once it is back. */
const LOSSES = [
  {
    what: "a web process",
    kill: "systemctl kill --signal=SIGKILL kickabout-web@3001",
    isBack: "curl --silent --fail http://127.0.0.1:3001/readyz",
    mayFail: true,
  },
  {
    what: "the worker",
    kill: "systemctl kill --signal=SIGKILL kickabout-worker",
    isBack:
      'test "$(systemctl show --property=NRestarts --value kickabout-worker)" = 1 && systemctl is-active kickabout-worker',
    mayFail: false,
  },
  {
    // After which PostgreSQL ends all others, and recovers.
    what: "a process of the database",
    kill: "pkill --signal KILL --full 'postgres: 17/main: checkpointer'",
    isBack: "curl --silent --fail http://127.0.0.1:3001/readyz",
    mayFail: true,
  },
];
const AFTERWARDS_MS = 2_000;

/** Under load, each comes back by itself, and nothing fails from then on. */
export async function checkLosses(stage: Stage, start: () => Load) {
  for (const { what, kill, isBack, mayFail } of LOSSES) {
    process.stdout.write(`▸ SIGKILL for ${what}\n`);
    const load = start();
    await delay(AFTERWARDS_MS);
    const { status, out } = await stage(kill);
    assert.equal(status, 0, out);
    const killedAt = performance.now();
    await until(async () => (await stage(isBack)).status === 0);
    const backMs = Math.round(performance.now() - killedAt);
    await delay(AFTERWARDS_MS);
    const { failures, failedForMs, statuses } = await load.stop();
    const figures = { backMs, failed: failures.length, failedForMs, statuses };
    process.stdout.write(`  ${JSON.stringify({ ...figures, found: failures.slice(0, 3) })}\n`);
    if (!mayFail) assert.deepEqual(failures, []);
    // Of what was asked after the proxy has had time to see it.
    assert.equal(load.countFailuresSince(killedAt + backMs + AFTERWARDS_MS / 2), 0);
  }
}
