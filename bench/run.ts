import { mkdtempSync, rmSync, chmodSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { benchAdmin } from "./admin.ts";
import { startApp } from "./app-under-test.ts";
import { benchBlocking } from "./blocking.ts";
import { benchIdle } from "./idle.ts";
import { benchJoins } from "./joins.ts";
import { benchLighthouse } from "./lighthouse.ts";
import { benchLive } from "./live.ts";
import { benchPages } from "./pages.ts";
import { benchProcesses } from "./processes.ts";
import { benchQueries } from "./queries.ts";
import { benchScale } from "./scale.ts";
import { openScenario } from "./scenario.ts";
import { benchSignedIn } from "./signed-in.ts";
import { benchWaitlist } from "./waitlist.ts";

// Lighthouse comes first: the others put games of their own into the demo data.
const BENCHES = {
  lighthouse: benchLighthouse,
  blocking: benchBlocking,
  idle: benchIdle,
  pages: benchPages,
  "signed-in": benchSignedIn,
  queries: benchQueries,
  processes: benchProcesses,
};

/**
 * Measures the production build and prints each benchmark beside its floor, as ratios from one
 * run. It reports and never gates. Names choose some: `npm run bench -- pages joins`; `--scale`
 * adds the players' pages on a hundred times the rows.
 */
async function run(wanted: string[]) {
  const isWanted = (name: string) =>
    wanted.includes(name) || !wanted.some((w) => !w.startsWith("-"));
  const folder = mkdtempSync(path.join(tmpdir(), "bench-"));
  chmodSync(folder, 0o755);
  console.log(`node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? "?"}`);
  const tidy = () => rmSync(folder, { recursive: true, force: true });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  process.once("exit", tidy);
  try {
    const dataDir = path.join(folder, "data");
    const app = await startApp(dataDir);
    const scenario = await openScenario(dataDir);
    try {
      for (const [name, bench] of Object.entries(BENCHES)) {
        if (isWanted(name)) await bench(app, scenario);
      }
      if (isWanted("joins")) await benchJoins(path.join(folder, "joins"));
      if (isWanted("waitlist")) await benchWaitlist(app, scenario);
      if (isWanted("live")) await benchLive(path.join(folder, "live"));
      if (isWanted("admin")) await benchAdmin(path.join(folder, "admin"));
      if (wanted.includes("--scale")) await benchScale(path.join(folder, "scale"));
    } finally {
      await scenario.close();
      await app.stop();
    }
  } finally {
    tidy();
  }
}

await run(process.argv.slice(2));
