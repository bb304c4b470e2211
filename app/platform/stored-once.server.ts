import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** If two processes start together, the first one wins. */
export function storedOnce<Secrets>(
  dataDir: string,
  name: string,
  generate: () => Secrets,
): Secrets {
  const file = path.join(dataDir, name);
  mkdirSync(dataDir, { recursive: true });
  return read<Secrets>(file) ?? create(file, generate());
}

function create<Secrets>(file: string, secrets: Secrets): Secrets {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(secrets), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return read<Secrets>(file) ?? secrets;
}

function read<Secrets>(file: string): Secrets | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Secrets) : null;
}
