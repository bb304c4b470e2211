import { type DestinationStream, levels, pino } from "pino";
import { countRepeats } from "./observability/repeats.server.ts";
import { currentRequest } from "./observability/request-scope.server.ts";

export function createLog(destination: DestinationStream = pino.destination(1), level = "info") {
  const { flush, logMethod } = countRepeats();
  const options = {
    level,
    base: undefined,
    redact: { paths: ["email", "password", "token", "*.email", "*.password", "*.token"] },
    serializers: { err: describeError },
    mixin() {
      const request = currentRequest();
      return request ? { requestId: request.id } : {};
    },
    hooks: { logMethod },
  };
  return { log: pino(options, destination), logRepeats: flush };
}

/** Log ids, not people. Libraries quote addresses and values in their errors. */
export const { log, logRepeats } = createLog(
  undefined,
  isLevel(process.env.LOG_LEVEL) ? process.env.LOG_LEVEL : undefined,
);

function isLevel(text: string | undefined): text is string {
  return text === "silent" || (text !== undefined && text in levels.values);
}

export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutAddresses(textOf(error)) };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    name: error.name,
    code,
    constraint,
    message: withoutAddresses(error.message),
    stack: withoutAddresses(error.stack ?? ""),
    ...(error.cause ? { cause: describeError(error.cause) } : {}),
  };
}

/** Routers throw responses, and pg-boss passes plain objects. */
function textOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  const { message, status, statusText } = thrown as Record<string, unknown>;
  return String(message ?? `${status} ${statusText}`);
}

export function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>"'(=/:,]+/g, (word) => word.replace(/^.+@[\w.-]+/, "[address]"));
}
