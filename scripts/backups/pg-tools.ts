import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { type ConnectionOptions, getCACertificates } from "node:tls";
import pg from "pg";
import { applicationName } from "#app/platform/postgres/bounded-pool.server.ts";

type Tool = "pg_dump" | "pg_restore";

/** Runs PostgreSQL's own program on a database; its password is in the environment only. */
export async function runTool(
  tool: Tool,
  args: string[],
  connection: pg.ClientConfig,
): Promise<void> {
  const env = toolEnv(connection);
  const folder = await mkdtemp(path.join(tmpdir(), "kickabout-authorities-"));
  // libpq trusts nobody by itself, and checks unasked by a file that is there.
  const PGSSLROOTCERT = path.join(folder, "authorities.pem");
  try {
    if (env.PGSSLMODE!.startsWith("verify-")) await writeFile(PGSSLROOTCERT, trusted(connection));
    await run(tool, args, { ...env, PGSSLROOTCERT });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(tool: Tool, args: string[], env: Record<string, string>): Promise<void> {
  const child = spawn(tool, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const [code, said] = await Promise.all([ended, text(child.stderr)]).catch((error: Error) => {
    throw new Error(`${tool} does not run here (${error.message}). ${INSTALL}`, { cause: error });
  });
  if (code === 0) return;
  if (/server version mismatch|unsupported version/.test(said)) {
    throw new Error(`${firstLines(said)}. ${INSTALL}`);
  }
  throw new Error(`${tool} failed: ${firstLines(said) || `code ${code}`}`);
}

const INSTALL =
  "Install PostgreSQL's client of the server's version or newer. Debian 12 has 15, Debian 13 has 17 " +
  "(apt-get install postgresql-client); newer ones are at https://apt.postgresql.org, such as postgresql-client-18";

const firstLines = (said: string) =>
  said.trim().split("\n").slice(0, 3).join(" ").replace(/\s+/g, " ");

/** libpq's variables of what pg reads from a URL. */
export function toolEnv(config: pg.ClientConfig): Record<string, string> {
  const { host, port, user, database, password } = new pg.Client(config);
  const url = config.connectionString ? new URL(config.connectionString).searchParams : null;
  const given = {
    ...{ PGHOST: host, PGPORT: String(port), PGUSER: user, PGDATABASE: database },
    PGPASSWORD: password,
    PGSSLMODE: sslMode(config),
    PGSSLCERT: url?.get("sslcert"),
    PGSSLKEY: url?.get("sslkey"),
    PGAPPNAME: applicationName("command"),
  };
  const set = Object.entries(given).filter(([, value]) => typeof value === "string" && value);
  return Object.fromEntries(set) as Record<string, string>;
}

/** By what pg checks, which is more than libpq does in a mode of the same name. */
function sslMode(config: pg.ClientConfig): string {
  const ssl = readSsl(config);
  if (!ssl) return "disable";
  if (ssl.rejectUnauthorized === false) return "require";
  return ssl.checkServerIdentity ? "verify-ca" : "verify-full";
}

/** The authorities that the site trusts. */
const trusted = (config: pg.ClientConfig) =>
  String(readSsl(config)?.ca ?? getCACertificates().join("\n"));

function readSsl(config: pg.ClientConfig): ConnectionOptions | null {
  const { ssl } = new pg.Client(config) as { ssl: boolean | ConnectionOptions };
  return ssl === true ? {} : ssl || null;
}
