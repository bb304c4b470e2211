import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseEnv } from "node:util";

interface Secrets {
  backup: string;
  dataDir: string;
  /** SESSION_SECRET of the environment. */
  given: string | undefined;
  /** Whether second factors stay as in the database from before. */
  isAccessKept: boolean;
}

/** What a restore loses where the backup's SESSION_SECRET is known and another one will run. */
export async function describeOtherSecret(secrets: Secrets): Promise<string | null> {
  const { backup, dataDir, given, isAccessKept } = secrets;
  const configured = parseEnv(await read(backup, "env")).SESSION_SECRET;
  const then = configured || (await readGenerated(backup));
  if (!then || then === (given || (await readGenerated(dataDir)))) return null;
  const file = path.join(backup, configured ? "env" : "secrets.json");
  const lost = isAccessKept
    ? "the links of emails that waited then are lost"
    : "second factors and the links of emails that waited then are lost";
  const advice = isAccessKept ? "" : ": set it before the first start";
  return `SESSION_SECRET is not that of ${file}: with another, ${lost}${advice}`;
}

/** The demo's. */
async function readGenerated(folder: string): Promise<string | undefined> {
  const { session } = JSON.parse((await read(folder, "secrets.json")) || "{}") as {
    session?: string;
  };
  return session;
}

function read(folder: string, name: string): Promise<string> {
  return readFile(path.join(folder, name), "utf8").catch(() => "");
}
