import { createHash } from "node:crypto";
import type { DatabaseError } from "pg";
import type { LogFn, Logger } from "pino";
import { isDatabaseAway } from "#app/platform/postgres/database-time.server.ts";
import { errorsLogged } from "./metrics.server.ts";
import { currentRequest } from "./request-scope.server.ts";

const EVERY_MS = 60_000;
/** Kinds of errors that are remembered; further ones are logged each time. */
const KINDS_MAX = 500;
/** Of those whose errors were held back, so many are named. */
const IDS_MAX = 50;
const [WARN, ERROR] = [40, 50];

/** Node's ten are used up by pg and Kysely before there is one of ours. */
export const STACK_LINES = 30;

/** A fact of a line that is logged however often it repeats. */
export const EACH = Symbol("each");

interface Kind {
  /** Logs it again, with what was held back. */
  repeat: (held: { count: number; ids?: unknown[] }) => void;
  count: number;
  ids: Set<unknown>;
}

type LogMethod = (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void;

/**
 * Logs an error that repeats once, and then once a minute with how often it came, and for which jobs,
 * players or games. An error is the same if it has the message, queue, name, code and place of an
 * earlier one, and one of PostgreSQL's the constraint and wording.
 */
export function countRepeats(): { logMethod: LogMethod; tell(): void } {
  const kinds = new Map<string, Kind>();
  // One that did not come again for a whole minute is told in full when it does.
  const tell = () => {
    for (const [failure, kind] of kinds) {
      const { count, ids } = kind;
      if (count === 0) kinds.delete(failure);
      else kind.repeat({ count, ...(ids.size > 0 && { ids: [...ids] }) });
      kind.count = 0;
      ids.clear();
    }
  };
  setInterval(tell, EVERY_MS).unref();
  return {
    tell,
    logMethod(args, method, level) {
      const failure = level < WARN ? null : failureOf(args, level);
      if (!failure) return method.apply(this, args);
      if (level >= ERROR) note(failure);
      const [facts, ...message] = args as unknown as [Facts, ...[string]];
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

type Facts = Record<string | typeof EACH, unknown>;

function hold(kind: Kind, facts: Facts): void {
  kind.count += 1;
  const [, id] = Object.entries(facts).find(([name]) => /^id$|Id$/.test(name)) ?? [];
  if (id !== undefined && kind.ids.size < IDS_MAX) kind.ids.add(id);
}

function note(failure: string): void {
  errorsLogged.inc();
  const request = currentRequest();
  if (request) request.failure = failure;
}

/** Null for what is no error: each of those lines says something of its own. */
function failureOf([facts, message]: unknown[], level: number): string | null {
  if (typeof facts !== "object" || facts === null) return null;
  const { err, code, status, type, queue } = facts as Record<string, unknown>;
  if (!err && level < ERROR) return null;
  const error = (err ?? {}) as Partial<DatabaseError>;
  const parts = [level, message, queue, error.name, error.code ?? code ?? status ?? type];
  // Without the database all of them fail alike, wherever they ask it.
  if (!isOutage(error)) parts.push(...wordingOf(error), ...placesOf(error));
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 8);
}

/** What slows down one statement is no outage. */
const TIMEOUT = /^(57014|55P03|25P0[34])$/;

function isOutage(error: Partial<DatabaseError>): boolean {
  return isDatabaseAway(error) && !TIMEOUT.test(error.code ?? "");
}

/** PostgreSQL quotes names and values, and one code stands for a whole class of errors. */
function wordingOf({ severity, constraint, table, message = "" }: Partial<DatabaseError>) {
  if (!severity) return [];
  const words = message.replace(/".*"/s, "").split(" ");
  return [constraint, table, words.filter((word) => !/\d/.test(word)).join(" ")];
}

// Our own lines of the stack: above them are those of pg and of what surrounds each statement, which
// all errors of the database have.
function placesOf({ stack = "", message = "" }: Partial<DatabaseError>): string[] {
  const lines = stack.replace(message, "").split("\n").slice(1);
  const own = lines.filter((line) => !/node_modules|node:|<anonymous>/.test(line));
  return own.length > 0 ? own : lines.slice(0, 1);
}
