import { isDatabaseAway } from "#app/platform/db.server.ts";
import { NO_SESSION } from "#app/platform/postgres/session.server.ts";

/** For a terminal: what failed in one line, and what to do where PostgreSQL says it badly. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const { code, syscall } = first as NodeJS.ErrnoException;
  // PgBouncer, which is given settings of a session.
  if (first.message.startsWith("unsupported startup parameter")) return NO_SESSION;
  // undefined_table, in PostgreSQL's appendix A.
  if (code === "42P01") return `${first.message}: run \`npm run db:migrate\` first`;
  const isOfFile = syscall !== undefined && !/^(connect|getaddrinfo|read|write)$/.test(syscall);
  const isRejected = code === "28P01" || code === "3D000" || first.message.startsWith("SASL");
  const isOfDatabase = isRejected || (isDatabaseAway(first) && !isOfFile);
  return isOfDatabase ? `The database of DATABASE_URL: ${first.message}` : first.message;
}
