import { levels, pino } from "pino";

/**
 * Ids in place of people. Libraries quote addresses and values in their errors: only this is
 * kept.
 */
export const log = pino({
  level: isLevel(process.env.LOG_LEVEL) ? process.env.LOG_LEVEL : "info",
  base: undefined,
  redact: { paths: ["email", "password", "token", "*.email", "*.password", "*.token"] },
  serializers: { err: describeError },
});

// Anything else is told by the check of the environment, which comes later.
function isLevel(text: string | undefined): text is string {
  return text === "silent" || (text !== undefined && text in levels.values);
}

/** An error without what it may quote of people: details, parameters and mail addresses. */
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

/** Routers throw their answers, and pg-boss hands on what only looks like an error. */
function textOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  const { message, status, statusText } = thrown as Record<string, unknown>;
  return String(message ?? `${status} ${statusText}`);
}

export function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>"'(=/:,]+/g, (word) => word.replace(/^.+@[\w.-]+/, "[address]"));
}
