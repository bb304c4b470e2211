import { readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { log } from "#app/platform/log.server.ts";
import { migrate } from "#app/platform/migrate.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { CHECKS, checkStep, type StepState } from "./checks.server.ts";
import { readChangelog, type Step } from "./steps.ts";

export interface UpgradeStep extends Step {
  state: StepState;
}

export interface Upgrade {
  /** The newest release that the database has run; null on an empty one. */
  from: string | null;
  to: string;
  /** What is between both, the newest first. */
  steps: UpgradeStep[];
}

/** From before databases knew it. */
export const EARLIER = "an earlier release";

/** What a human has to do between the version that the database has run and this one. Writes nothing. */
export async function readUpgrade(
  pool: pg.Pool,
  { changelog, root = "/" }: { changelog?: string; root?: string } = {},
): Promise<Upgrade> {
  const { release, steps } = readChangelog(changelog ?? (await readOwnChangelog()));
  const { from, known } = await readRun(pool);
  const place = { pool, root, env: process.env };
  const between = from === null ? [] : steps.filter(({ id }) => !known.has(id));
  const checked = between.map(async (step) => ({
    ...step,
    state: await checkStep(CHECKS[step.id], place),
  }));
  return { from, to: release, steps: await Promise.all(checked) };
}

/**
 * Migrates, once no required step is missing but those of `without`, and keeps which release runs.
 * Returns what was applied, and the steps that are left to a human.
 */
export async function upgradeDatabase(
  pool: pg.Pool,
  { without = [], ...source }: { without?: string[]; changelog?: string; root?: string } = {},
): Promise<{ applied: string[]; open: UpgradeStep[] }> {
  const { steps } = await readUpgrade(pool, source);
  const mistyped = without.find((id) => !steps.some((step) => step.id === id));
  if (mistyped) throw new Error(`Nothing was changed: ${mistyped} is no step of this upgrade`);
  const missing = steps.filter((step) => isBlocking(step) && !without.includes(step.id));
  if (missing.length > 0) throw new Error(describeMissing(missing));
  const applied = await migrate(pool);
  await keepRelease(pool, source.changelog ?? (await readOwnChangelog()));
  return { applied, open: steps.filter(({ state }) => state !== "done") };
}

/** For a start, whose output is the log. */
export async function upgradeAtStart(pool: pg.Pool): Promise<void> {
  const { applied, open } = await upgradeDatabase(pool);
  if (applied.length > 0) log.info({ applied }, `applied ${applied.join(", ")}`);
  for (const { id, release, text } of open) {
    log.warn({ step: id, release }, `to do for this upgrade: ${text}`);
  }
}

export function isBlocking({ isRequired, state }: UpgradeStep): boolean {
  return isRequired && state === "missing";
}

function describeMissing(missing: UpgradeStep[]): string {
  const lines = missing.map(({ id, text }) => `${id}: ${text}`);
  return `Nothing was changed. Before this upgrade (if one is no step for this site: npm run db:migrate -- --without STEP):\n${lines.join("\n")}`;
}

function readOwnChangelog(): Promise<string> {
  return readFile(path.join(projectRoot, "CHANGELOG.md"), "utf8");
}

async function readRun(pool: pg.Pool): Promise<{ from: string | null; known: Set<string> }> {
  const { rows: tables } = await pool.query(`select
    to_regclass('public.schema_migrations') is not null as "isMigrated",
    to_regclass('public.releases') is not null as "hasReleases"`);
  const { isMigrated, hasReleases } = tables[0];
  const none = { from: isMigrated ? EARLIER : null, known: new Set<string>() };
  if (!hasReleases) return none;
  const { rows } = await pool.query<{ release: string; steps: string[] }>(
    "select release, steps from releases order by release desc",
  );
  if (!rows[0]) return none;
  return { from: rows[0].release, known: new Set(rows.flatMap(({ steps }) => steps)) };
}

/** A step that is added to a release later is still one that the database does not know. */
async function keepRelease(pool: pg.Pool, changelog: string): Promise<void> {
  const { release, steps } = readChangelog(changelog);
  await pool.query(
    `insert into releases (release, steps) values ($1, $2)
    on conflict (release) do update
      set steps = array(select distinct unnest(releases.steps || excluded.steps))
      where not releases.steps @> excluded.steps`,
    [release, steps.map(({ id }) => id)],
  );
}
