import { createHash } from "node:crypto";
import type { DatabaseError } from "pg";
import type { LogFn, Logger } from "pino";
import { isOutage } from "#app/platform/postgres/database-time.server.ts";
import { errorsLogged } from "./metrics.server.ts";
import { currentRequest } from "./request-scope.server.ts";

const EVERY_MS = 60_000;
const KINDS_MAX = 500;
const IDS_MAX = 50;
const [WARN, ERROR] = [40, 50];

/** pg and Kysely use up Node's ten before the first line of ours. */
export const STACK_LINES = 30;

/** Marks a line that is logged however often it repeats. */
export const EACH = Symbol("each");

interface Kind {
  repeat: (held: { count: number; ids?: unknown[] }) => void;
  count: number;
  ids: Set<unknown>;
}

type LogMethod = (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void;

// Logs a repeated error once, then once a minute with how often it came and for which jobs, players
// or games. Errors are the same if message, queue, name, code and place are, or PostgreSQL's
// constraint.
export function countRepeats(): { logMethod: LogMethod; flush(): void } {
  const kinds = new Map<string, Kind>();
  // An error that stayed away for a whole minute is logged in full when it returns.
  const flush = () => {
    for (const [failure, kind] of kinds) {
      const { count, ids } = kind;
      if (count === 0) kinds.delete(failure);
      else kind.repeat({ count, ...(ids.size > 0 && { ids: [...ids] }) });
      kind.count = 0;
      ids.clear();
    }
  };
  setInterval(flush, EVERY_MS).unref();
  return {
    flush,
    logMethod(args, method, level) {
      const failure = level < WARN ? null : failureOf(args, level);
      if (!failure) return method.apply(this, args);
      if (level >= ERROR) note(failure);
      const [facts, ...message] = args as unknown as [LogFields, ...[string]];
      const known = facts[EACH] ? undefined : kinds.get(failure);
      if (known) return hold(known, facts);
      const repeat: Kind["repeat"] = (held) =>
        method.call(this, { ...held, failure, ...facts }, ...message);
      const isHeld = !facts[EACH] && kinds.size < KINDS_MAX;
      if (isHeld) kinds.set(failure, { repeat, count: 0, ids: new Set() });
      method.call(this, { failure, ...facts }, ...message);
    },
  };
}

type LogFields = Record<string | typeof EACH, unknown>;

function hold(kind: Kind, facts: LogFields): void {
  kind.count += 1;
  const [, id] = Object.entries(facts).find(([name]) => /^id$|Id$/.test(name)) ?? [];
  if (id !== undefined && kind.ids.size < IDS_MAX) kind.ids.add(id);
}

function note(failure: string): void {
  errorsLogged.inc();
  const request = currentRequest();
  if (request) request.failure = failure;
}

/** Null for lines that are no errors: each says something of its own. */
function failureOf([facts, message]: unknown[], level: number): string | null {
  if (typeof facts !== "object" || facts === null) return null;
  const { err, code, status, type, queue } = facts as Record<string, unknown>;
  if (!err && level < ERROR) return null;
  const error = (err ?? {}) as Partial<DatabaseError>;
  // Without the database all fail alike, wherever they ask it and however it is away.
  if (isOutage(error)) return hash([level, message, queue]);
  const parts = [level, message, queue, error.name, error.code ?? code ?? status ?? type];
  return hash([...parts, ...wordingOf(error), ...placesOf(error)]);
}

function hash(parts: unknown[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 8);
}

/** PostgreSQL quotes names and values, and one code covers a whole class of errors. */
function wordingOf({ severity, constraint, table, message = "" }: Partial<DatabaseError>) {
  if (!severity) return [];
  const words = message.replace(/".*"/s, "").split(" ");
  return [constraint, table, words.filter((word) => !/\d/.test(word)).join(" ")];
}

// Only our own lines of the stack: pg's are the same in all database errors.
function placesOf({ stack = "", message = "" }: Partial<DatabaseError>): string[] {
  const lines = stack.replace(message, "").split("\n").slice(1);
  const own = lines.filter((line) => !/node_modules|node:|<anonymous>/.test(line));
  return own.length > 0 ? own : lines.slice(0, 1);
}
