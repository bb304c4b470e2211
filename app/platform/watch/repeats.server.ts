import { createHash } from "node:crypto";
import type { LogFn, Logger } from "pino";
import { errorsLogged } from "./metrics.server.ts";
import { currentRequest } from "./request-scope.server.ts";

const EVERY_MS = 60_000;
/** Kinds of errors that are remembered; further ones are logged each time. */
const KINDS_MAX = 500;
const [WARN, ERROR] = [40, 50];

interface Kind {
  /** Logs it again, with the count. */
  repeat: (count: number) => void;
  count: number;
}

type LogMethod = (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void;

/**
 * Logs an error that repeats once, and then once a minute with how often it came. An error is the
 * same if it has the message, name, code and place of an earlier one.
 */
export function countRepeats(): { logMethod: LogMethod; tell(): void } {
  const kinds = new Map<string, Kind>();
  // One that did not come again for a whole minute is told in full when it does.
  const tell = () => {
    for (const [failure, kind] of kinds) {
      if (kind.count === 0) kinds.delete(failure);
      else kind.repeat(kind.count);
      kind.count = 0;
    }
  };
  setInterval(tell, EVERY_MS).unref();
  return {
    tell,
    logMethod(args, method, level) {
      const failure = level < WARN ? null : failureOf(args, level);
      if (!failure) return method.apply(this, args);
      if (level >= ERROR) note(failure);
      const known = kinds.get(failure);
      if (known) return void (known.count += 1);
      const [facts, ...message] = args as unknown as [object, ...[string]];
      const repeat = (count: number) => method.call(this, { count, failure, ...facts }, ...message);
      if (kinds.size < KINDS_MAX) kinds.set(failure, { repeat, count: 0 });
      method.call(this, { failure, ...facts }, ...message);
    },
  };
}

function note(failure: string): void {
  errorsLogged.inc();
  const request = currentRequest();
  if (request) request.failure = failure;
}

/** Null for what is no error: each of those lines says something of its own. */
function failureOf([facts, message]: unknown[], level: number): string | null {
  if (typeof facts !== "object" || facts === null) return null;
  const { err, code, status } = facts as Record<string, unknown>;
  if (!err && level < ERROR) return null;
  const { name, code: own, stack = "" } = (err ?? {}) as Partial<NodeJS.ErrnoException>;
  const place = stack.split("\n").find((line) => line.trimStart().startsWith("at "));
  const parts = [level, message, name, own ?? code ?? status, place];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 8);
}
