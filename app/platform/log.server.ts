import { pino } from "pino";

/** Structured logs on stdout. Personal data and secrets are never passed in; the list is a net. */
export const log = pino({
  level: process.env.LOG_LEVEL ?? "info",
  base: undefined,
  redact: {
    paths: [
      "email",
      "password",
      "token",
      "cookie",
      "authorization",
      "*.email",
      "*.password",
      "*.token",
    ],
    censor: "[redacted]",
  },
});
