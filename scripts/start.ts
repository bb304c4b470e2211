import "./load-env.ts";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { readOptions } from "./arguments.ts";
import { BUILT, build } from "./build.ts";

readOptions("npm start", {});
process.env.NODE_ENV = "production";
process.chdir(projectRoot);

const bundle = path.join(projectRoot, "build", "server", "index.js");
const settings = ["package.json", "react-router.config.ts", "vite.config.ts"];
const sources = ["app", "db", "public", "server.ts", "worker.ts", ...settings];

try {
  if (!existsSync(BUILT) || newest(sources) > statSync(BUILT).mtimeMs) await build();
  const { startServer } = await import(bundle);
  await startServer();
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : error}\n\n`);
  if (process.env.LOG_LEVEL === "debug") console.error(error);
  process.exit(1);
}

/** The newest file's time, so that an old build is never served after a pull. */
function newest(entries: string[]): number {
  const times = entries.map((entry) => {
    const stats = statSync(entry);
    if (!stats.isDirectory()) return stats.mtimeMs;
    return newest(readdirSync(entry).map((name) => path.join(entry, name)));
  });
  return Math.max(0, ...times);
}
