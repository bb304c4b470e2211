import { readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { projectRoot } from "#app/platform/root.server.ts";

export type StepState = "done" | "missing" | "unknown";

interface Place {
  pool: pg.Pool;
  /** The folder that has `etc`. */
  root: string;
  env: Record<string, string | undefined>;
}

type Check = (place: Place) => Promise<StepState>;

/** Steps of CHANGELOG.md that we can look at ourselves. What a deployment does not have is done. */
export const CHECKS: Record<string, Check> = {
  "archive-command": checkArchiveCommand,
  "service-home": checkServiceHome,
  "cron-lines": isTakenOver("deploy/cron/kickabout", "etc/cron.d/kickabout"),
  caddyfile: isTakenOver("deploy/caddy/Caddyfile", "etc/caddy/Caddyfile"),
  "journal-settings": isTakenOver(
    "deploy/systemd/journald-90-days.conf",
    "etc/systemd/journald.conf.d/kickabout.conf",
  ),
  alerts: isTakenOver("deploy/prometheus/alerts.yml", "etc/prometheus/alerts.yml"),
  "kubernetes-labels": async ({ env }) => (env.KUBERNETES_SERVICE_HOST ? "unknown" : "done"),
  "seller-details": async ({ env }) => {
    const isDemo = env.DEMO ? env.DEMO === "1" : !env.DATABASE_URL;
    const isSet = env.SELLER_ADDRESS && env.SELLER_BUSINESS_ID && env.SELLER_VAT_ID;
    return isDemo || isSet ? "done" : "missing";
  },
};

/** A check that cannot look, such as at a file that this user may not read, knows nothing. */
export async function checkStep(check: Check | undefined, place: Place): Promise<StepState> {
  return (await check?.(place).catch(() => "unknown" as const)) ?? "unknown";
}

/** The former command fails for a file that PostgreSQL offers twice, and nothing after it is archived. */
async function checkArchiveCommand({ pool }: Place): Promise<StepState> {
  const { rows } = await pool.query(
    "select setting from pg_settings where name = 'archive_command'",
  );
  if (!rows[0]) return "unknown";
  return /^test ! -f \S+ && cp %p \S+$/.test(rows[0].setting) ? "missing" : "done";
}

async function checkServiceHome({ root }: Place): Promise<StepState> {
  const users = await readFile(path.join(root, "etc/passwd"), "utf8");
  const home = /^kickabout:(?:[^:]*:){4}([^:]*):/m.exec(users)?.[1];
  return home === undefined || home === "/nonexistent" ? "done" : "missing";
}

/**
 * Whether an installed file has every line of ours, apart from those that an operator replaces by a
 * name or address of the site.
 */
function isTakenOver(ours: string, installed: string): Check {
  return async ({ root }) => {
    const there = await readFile(path.join(root, installed), "utf8").catch(ifMissing);
    if (there === null) return "done";
    const lines = new Set(there.split("\n").map((line) => line.trim()));
    const wanted = (await readFile(path.join(projectRoot, ours), "utf8")).split("\n");
    const isLost = (line: string) => !lines.has(line.trim());
    return wanted.filter((line) => !/^\s*#|kickabout\.example/.test(line)).some(isLost)
      ? "missing"
      : "done";
  };
}

function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
