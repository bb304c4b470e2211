import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { projectRoot } from "#app/platform/root.server.ts";

export interface Server {
  port: number;
  dataDir: string;
  /** CPU seconds used so far; NaN where the system does not say (it is read from /proc). */
  cpuSeconds(): number;
  /** The most memory that it has had so far, as the system counts it; NaN likewise. */
  peakMb(): number;
  /** What it has now. */
  rssMb(): number;
  stop(): Promise<void>;
}

/** A process as `npm start` starts it, on a port of its own; the first with a data folder makes it. */
export async function startApp(dataDir: string, role = "all"): Promise<Server> {
  const server = await startServer(["scripts/start.ts"], dataDir, { ROLE: role });
  const url = `http://127.0.0.1:${server.port}/readyz`;
  while ((await fetch(url)).status !== 200) await delay(50);
  return server;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});

/** Any program of ours that listens on PORT, in a process of its own; stopped by its id. */
export async function startServer(
  args: string[],
  dataDir: string,
  env: Record<string, string>,
): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: `${port}`,
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      DATABASE_URL: "",
      DEMO: "1",
      LOG_LEVEL: "warn",
      ...env,
    },
  });
  running.add(child);
  child.stdout.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().split("\n")) {
      if (line.startsWith('{"level":5')) console.error(line.slice(0, 500));
    }
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  void ended.then(() => running.delete(child));
  const stop = () => (child.kill("SIGTERM"), ended);
  while (!(await responds(port))) {
    if (child.exitCode !== null) throw new Error(`${path.basename(args[0]!)} did not start`);
    await delay(50);
  }
  const pid = child.pid!;
  const memory = { peakMb: () => memoryMb(pid, "VmHWM"), rssMb: () => memoryMb(pid, "VmRSS") };
  return { port, dataDir, cpuSeconds: () => cpuSeconds(pid), ...memory, stop };
}

function responds(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    () => true,
    () => false,
  );
}

function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

function memoryMb(pid: number, field: "VmHWM" | "VmRSS"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(status.split(`${field}:`)[1]?.trim().split(" ")[0]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
