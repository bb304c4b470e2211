import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";

/**
 * Installs a tool that few need, as the lock file of its folder pins it, into `.cache` when it is
 * first asked for. Returns where its packages are.
 */
export function fetchTool(folder: string): string {
  const pins = path.join(projectRoot, folder);
  const hash = createHash("sha256").update(fs.readFileSync(path.join(pins, "package-lock.json")));
  const name = `${path.basename(folder)}-${hash.digest("hex").slice(0, 12)}`;
  const place = path.join(projectRoot, ".cache", "tools", name);
  const packages = path.join(place, "node_modules");
  if (fs.existsSync(packages)) return packages;
  const staging = `${place}.${process.pid}`;
  fs.cpSync(pins, staging, { recursive: true });
  const { status, stderr } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit"], {
    cwd: staging,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The tool of ${folder} cannot be fetched: ${stderr}`);
  fs.renameSync(staging, place);
  return packages;
}
