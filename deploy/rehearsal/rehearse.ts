import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { openStage } from "./stage.ts";

// Opens an empty Debian and goes through docs/deploy.md there, with this machine's Node in its network.
try {
  const stage = await openStage();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => void stage.close().finally(() => process.exit(1)));
  }
  try {
    const walk = path.join(import.meta.dirname, "walk.ts");
    const own = ["--net", `--target=${stage.pid}`, process.execPath, walk];
    const child = spawn("nsenter", own, {
      stdio: "inherit",
      env: { ...process.env, STAGE_PID: String(stage.pid), OUTSIDE: String(process.pid) },
    });
    const [code] = (await once(child, "exit")) as [number | null];
    process.exitCode = code ?? 1;
  } finally {
    await stage.close();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
