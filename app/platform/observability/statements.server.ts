import { isOutage } from "#app/platform/postgres/database-time.server.ts";
import { log } from "#app/platform/log.server.ts";
import { slowStatements, statementSeconds } from "./metrics.server.ts";
import { currentRequest } from "./request-scope.server.ts";
import { inSpan } from "./traces.server.ts";

let slowMs = Infinity;

/** Only in servers: a command's output could be mistaken for it. */
export function logSlowStatements(ms: number): void {
  slowMs = ms;
}

export async function watchStatement<T>(
  pool: string,
  statement: unknown,
  run: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  let isAnswered = true;
  try {
    return await inSpan(() => spanOf(textOf(statement)), run);
  } catch (error) {
    isAnswered = !isOutage(error);
    throw error;
  } finally {
    const ms = performance.now() - started;
    statementSeconds.observe({ pool }, ms / 1_000);
    if (ms > slowMs && isAnswered) logSlow(pool, textOf(statement), ms);
  }
}

function logSlow(pool: string, text: string, ms: number): void {
  slowStatements.inc();
  const route = currentRequest()?.route;
  const query = askerIn(new Error().stack ?? "");
  const known = { ...(query && { query }), ...(route && { route }) };
  log.warn({ ...known, ms: Math.round(ms), pool, statement: text }, "slow query");
}

const FRAME = /^\s*at (?:async )?(?:Object\.)?([\w.#]+) \(/;

/** The function whose query it is: of our own, the first that a library was called by. */
export function askerIn(stack: string): string | undefined {
  const lines = stack.split("\n");
  const ofLibrary = lines.findIndex((line) => line.includes("node_modules"));
  if (ofLibrary < 0) return undefined;
  const own = lines.slice(ofLibrary).filter((line) => !/node_modules|node:|Promise\./.test(line));
  return own.map((line) => FRAME.exec(line)?.[1]).find(Boolean);
}

/** Enough for the tables and conditions behind long lists of columns. */
const TEXT_MAX = 4_000;

function textOf(statement: unknown): string {
  const { text = statement } = (statement ?? {}) as { text?: unknown };
  return withoutValues(typeof text === "string" ? text : "").slice(0, TEXT_MAX);
}

const SHOWN_AS: Record<string, string> = { "'": "'…'", "-": "" };

/** Statements have placeholders, but a value written into one may be personal. */
export function withoutValues(text: string): string {
  return (
    text
      // An apostrophe in a comment would make the quotes after it look unquoted.
      .replace(/--[^\n]*|'[^']*'?|"[^"]*"/g, (part) => SHOWN_AS[part[0]!] ?? part)
      .replace(/\s+/g, " ")
      .trim()
  );
}

function spanOf(text: string) {
  const operation = text.split(" ", 1)[0]?.toUpperCase() || "QUERY";
  const attributes = { "db.system.name": "postgresql", "db.query.text": text };
  return { name: operation, attributes };
}
