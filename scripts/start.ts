import "./compile-cache.ts";
import "./load-env.ts";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { readOptions } from "./arguments.ts";
import { build, isBuilt } from "./build.ts";
import { explain } from "./explain.ts";

readOptions("npm start", {});
process.env.NODE_ENV = "production";
process.chdir(projectRoot);

const bundle = path.join(projectRoot, "build", "server", "index.js");

try {
  if (!isBuilt()) await build();
  const { startServer } = await import(bundle);
  await startServer();
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n\n`);
  if (process.env.LOG_LEVEL === "debug") console.error(error);
  process.exit(1);
}
