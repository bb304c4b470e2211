import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Statement } from "./statements.ts";
import { idOf, type Kind, sqlIdOf, type Scenario } from "./scenario.ts";
import { median } from "./table.ts";

/** A transaction with ids in it that every run of it replaces by other ones. */
export interface Transaction {
  statements: Statement[];
  /** An id as captured, its kind, and its number as a pgbench variable. */
  ids: { captured: string; kind: Kind; variable: string }[];
}

export interface FloorRun {
  perSecond: number;
  p50: number;
}

interface Runs {
  clients: number;
  seconds: number;
  /** So many players are each client's own. */
  each: number;
  games: number;
  firstGame: number;
  firstBooking: number;
}

export const hasPgbench = canRun("pgbench");

/**
 * Runs the transaction as often and as parallel as asked, by distinct players: in pgbench with
 * prepared statements, or where that is missing in a small loop over `pg` with the same SQL.
 */
export function runFloor(
  scenario: Scenario,
  transaction: Transaction,
  runs: Runs,
): Promise<FloorRun> {
  return hasPgbench
    ? runPgbench(scenario, transaction, runs)
    : runLoop(scenario, transaction, runs);
}

async function runPgbench(
  scenario: Scenario,
  transaction: Transaction,
  runs: Runs,
): Promise<FloorRun> {
  const { host, port, user, database } = scenario.pool.options;
  const file = path.join(scenario.dataDir, "join.sql");
  writeFileSync(file, pgbenchScript(transaction, runs));
  const args = [
    "-n",
    "-M",
    "prepared",
    "-c",
    `${runs.clients}`,
    "-j",
    "2",
    "-T",
    `${runs.seconds}`,
  ];
  const target = ["-h", `${host}`, "-p", `${port}`, "-U", `${user}`, `${database}`];
  const logs = mkdtempSync(path.join(scenario.dataDir, "pgbench-"));
  const logging = ["-l", `--log-prefix=${path.join(logs, "run")}`];
  const script = ["-D", "n=0", "-f", file];
  const output = await outputOf("pgbench", [...args, ...logging, ...script, ...target]);
  const perSecond = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  if (!/failed transactions: 0 /.test(output)) throw new Error(`pgbench: ${output}`);
  const p50 = median(readTimes(logs));
  rmSync(logs, { recursive: true });
  return { perSecond, p50 };
}

/** Milliseconds of each transaction: the third column of pgbench's logs, in microseconds there. */
function readTimes(logs: string): number[] {
  const files = readdirSync(logs).map((name) => readFileSync(path.join(logs, name), "utf8"));
  const lines = files.flatMap((file) => file.trimEnd().split("\n"));
  return lines.map((line) => Number(line.split(" ")[2]) / 1_000);
}

function pgbenchScript({ statements, ids }: Transaction, runs: Runs): string {
  const lines = [
    `\\set player :client_id * ${runs.each} + :n`,
    `\\set game ${runs.firstGame} + :player % ${runs.games}`,
    `\\set booking ${runs.firstBooking} + :player`,
    "\\set n :n + 1",
    ...statements.map(({ text, values }) => {
      const filled = text.replace(/\$(\d+)/g, (_, n: string) => literal(values[Number(n) - 1]!));
      return `${filled.replaceAll(/\s+/g, " ")};`;
    }),
  ];
  return lines.join("\n");

  function literal(value: string | null): string {
    if (value === null) return "null";
    // pgbench takes a colon for a variable, in quotes too; \\x3a is one to PostgreSQL only.
    const escaped = value.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll(":", "\\x3a");
    const quoted = `E'${escaped}'`;
    const id = ids.find(({ captured }) => value.includes(captured));
    if (!id) return quoted;
    const expression = sqlIdOf(id.kind, `:${id.variable}::int`);
    if (value === id.captured) return expression;
    return `(${quoted.replace(id.captured, `' || (${expression})::text || E'`)})`;
  }
}

async function runLoop(scenario: Scenario, { statements, ids }: Transaction, runs: Runs) {
  const times: number[] = [];
  const started = performance.now();
  const drive = async (_: unknown, client: number) => {
    const connection = await scenario.pool.connect();
    const until = performance.now() + runs.seconds * 1_000;
    for (let n = client * runs.each; n < (client + 1) * runs.each; n += 1) {
      const begun = performance.now();
      if (begun > until) break;
      const numbers: Record<string, number> = {
        player: n,
        game: runs.firstGame + (n % runs.games),
        booking: runs.firstBooking + n,
      };
      for (const { text, values } of statements) {
        await connection.query(
          text,
          values.map((value) => replaceIds(value, numbers)),
        );
      }
      times.push(performance.now() - begun);
    }
    connection.release();
  };
  const replaceIds = (value: string | null, numbers: Record<string, number>) =>
    ids.reduce<string | null>(
      (text, { captured, kind, variable }) =>
        text?.replaceAll(captured, idOf(kind, numbers[variable]!)) ?? null,
      value,
    );
  await Promise.all(Array.from({ length: runs.clients }, drive));
  const perSecond = times.length / ((performance.now() - started) / 1_000);
  return { perSecond, p50: median(times) };
}

function canRun(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function outputOf(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${code}`));
    });
  });
}
