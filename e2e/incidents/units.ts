import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { projectRoot } from "#app/platform/root.server.ts";
import { endWith, freePort, untilReady } from "../site.ts";

/** Of deploy/systemd, with the port that each has there. */
const ROLES = {
  "kickabout-web@3001": { role: "web", port: 3001 },
  "kickabout-web@3002": { role: "web", port: 3002 },
  "kickabout-worker": { role: "worker", port: 3009 },
};
export type Unit = keyof typeof ROLES;

/** One that is none of ours, by what systemctl can do with it. */
type Service = Record<string, () => void | Promise<void>>;

export type Units = Awaited<ReturnType<typeof openUnits>>;

/** The processes of the units; `others` are services that are none of ours. */
export async function openUnits(root: string, others: Record<string, Service>, enter: string[]) {
  const names = Object.keys(ROLES) as Unit[];
  const running = new Map<Unit, ChildProcess>();
  /** Ended by themselves, which no incident may cause. */
  const lost: string[] = [];
  const ports: Record<string, number> = {};
  for (const { port } of Object.values(ROLES)) {
    ports[port] = await freePort();
    ports[`1${port}`] = await freePort();
  }
  const urlOf = (unit: Unit) => `http://127.0.0.1:${ports[ROLES[unit].port]}`;
  const logOf = (unit: Unit) => path.join(root, "var", "log", "units", `${unit}.log`);

  async function start(unit: Unit) {
    const { role, port } = ROLES[unit];
    const log = openSync(logOf(unit), "a");
    const script = path.join(root, "opt/kickabout/current/scripts/start.ts");
    const node = [process.execPath, "--import", path.join(root, "stripe.mjs"), script];
    const [program = "", ...args] = [...enter, ...node];
    const child = spawn(program, args, {
      cwd: root,
      stdio: ["ignore", log, log],
      env: {
        ...{ PATH: process.env.PATH, NODE_ENV: "production", ROLE: role },
        ...{ PORT: String(ports[port]), METRICS_PORT: String(ports[`1${port}`]) },
        NODE_COMPILE_CACHE: path.join(projectRoot, ".cache", "compiled"),
      },
    });
    running.set(unit, child);
    child.once("exit", (code, signal) => {
      if (running.get(unit) === child) lost.push(`${unit}: ${code ?? signal}`);
    });
    await untilReady(urlOf(unit), child);
  }
  async function stop(unit: Unit) {
    const child = running.get(unit);
    running.delete(unit);
    if (child) await endWith(child, "SIGTERM");
  }
  const verbs: Record<string, (unit: Unit) => Promise<void>> = {
    start: (unit) => (running.has(unit) ? Promise.resolve() : start(unit)),
    stop,
    restart: (unit) => stop(unit).then(() => start(unit)),
  };
  async function run(line: string) {
    const [verb = "", ...services] = line.split(" ");
    if (line === "daemon-reload") return;
    const done = services.map((service) => {
      if (names.includes(service as Unit)) return verbs[verb]!(service as Unit);
      const other = others[service]?.[verb];
      if (!other) throw new Error(`systemctl ${line}: not on this stage`);
      return other();
    });
    await Promise.all(done);
  }
  const server = createServer(async (request, response) => {
    try {
      await run(await text(request));
      response.end();
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(path.join(root, "systemd"));
  await once(server, "listening");
  return {
    ...{ ports, lost, urlOf, run },
    add: (name: string, service: Service) => void (others[name] = service),
    url: urlOf("kickabout-web@3001"),
    log: (unit: Unit) => readFileSync(logOf(unit), "utf8"),
    /** Gives none a chance to end well. */
    async kill() {
      const killed = [...running.values()];
      running.clear();
      await Promise.all(killed.map((child) => endWith(child, "SIGKILL")));
    },
    async close() {
      server.close();
      await Promise.all(names.map(stop));
    },
  };
}
