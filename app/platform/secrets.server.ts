import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

interface DemoSecrets {
  session: string;
  webhook: string;
}

/**
 * The demo's secrets, generated once into `<dataDir>/secrets.json`. Two processes that start
 * together agree: the file appears whole, and the first one wins.
 */
export function demoSecrets(dataDir: string): DemoSecrets {
  const file = path.join(dataDir, "secrets.json");
  mkdirSync(dataDir, { recursive: true });
  return read(file) ?? create(file);
}

function create(file: string): DemoSecrets {
  const secrets = {
    session: randomBytes(32).toString("hex"),
    webhook: `whsec_${randomBytes(24).toString("hex")}`,
  };
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(secrets), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return read(file) ?? secrets;
}

function read(file: string): DemoSecrets | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
