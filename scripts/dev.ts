import "./load-env.ts";
import { createServer } from "vite";
import { projectRoot } from "#app/platform/root.server.ts";
import { readOptions } from "./arguments.ts";

readOptions("npm run dev", {});
process.chdir(projectRoot);

try {
  const vite = await createServer({ server: { middlewareMode: true }, appType: "custom" });
  const { startServer } = await vite.ssrLoadModule("/server.ts");
  await startServer(vite.middlewares);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : error}\n\n`);
  process.exit(1);
}
