import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { projectRoot } from "#app/platform/root.server.ts";

/** A Debian of its own on this machine, with its own systemd and network; see boot.sh. */
interface Stage {
  pid: number;
  /** Its files, as this machine sees them. */
  root: string;
  close(): Promise<void>;
}

const CACHE = path.join(projectRoot, ".cache");
const BASE = path.join(CACHE, "debian-trixie");
const MIRROR = "http://deb.debian.org/debian";
const NAMESPACES = ["--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup"];

export async function openStage(): Promise<Stage> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    throw new Error("The rehearsal boots a Debian in namespaces: it needs root on Linux.");
  }
  if (!existsSync(BASE)) installDebian();
  const work = mkdtempSync(path.join("/var/tmp", "kickabout-rehearsal-"));
  const cgroup = createCgroup(path.basename(work));
  const boot = path.join(import.meta.dirname, "boot.sh");
  // The cgroup is entered first, or systemd would take over the one that this process is in.
  const enter = 'echo $$ > "$0/cgroup.procs"; exec "$@"';
  const unshare = ["unshare", ...NAMESPACES, "--fork", "--kill-child", "sh", boot];
  const machine = spawn("sh", ["-c", enter, cgroup, ...unshare], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env.PATH, BASE, WORK: work },
  });
  const close = async () => {
    const isEnded = machine.exitCode !== null || machine.signalCode !== null;
    if (!isEnded) {
      machine.kill("SIGKILL");
      await once(machine, "exit");
    }
    await removeCgroup(cgroup);
    rmSync(work, { recursive: true, force: true });
  };
  try {
    const pid = await untilBooted(path.join(work, "pid"));
    return { pid, root: `/proc/${pid}/root`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What runs a command inside; in the network of the process `networkOf`, for downloads. */
export function inStage(pid: number, networkOf = pid): string[] {
  const joined = ["--mount", "--uts", "--ipc", "--pid", "--cgroup", "--root", "--wd"];
  return ["nsenter", `--target=${pid}`, ...joined, `--net=/proc/${networkOf}/ns/net`];
}

function installDebian() {
  process.stdout.write(`▸ Debian from ${MIRROR}, once\n`);
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(path.join(CACHE, "debian-"));
  const tool = path.join(draft, "tool");
  const system = path.join(draft, "system");
  const script = `set -e
    mkdir -p "$1" && cd "$1"
    command -v debootstrap > found || { apt-get download debootstrap && dpkg --extract debootstrap_*.deb .; }
    [ -s found ] || export DEBOOTSTRAP_DIR="$1/usr/share/debootstrap"
    sh "$(cat found | grep . || echo "$1/usr/sbin/debootstrap")" --variant=minbase \\
      --include=systemd-sysv,iproute2,ca-certificates trixie "$2" ${MIRROR}`;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script, "sh", tool, system], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (status === 0) renameSync(system, BASE);
  rmSync(draft, { recursive: true, force: true });
  if (status !== 0) {
    throw new Error(`Debian could not be installed.\n${(stdout + stderr).slice(-1_500)}`);
  }
}

function createCgroup(name: string): string {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const found = mounts.map((line) => line.split(" ")).find(([, , type]) => type === "cgroup2");
  if (!found) throw new Error("The rehearsal needs cgroup2.");
  const folder = path.join(found[1]!, name);
  mkdirSync(folder);
  return folder;
}

/** The kernel removes a group's last processes a moment after they have ended. */
async function removeCgroup(folder: string) {
  const remove = 'find "$0" -depth -type d -exec rmdir {} +';
  for (let tries = 0; existsSync(folder) && tries < 100; tries += 1) {
    spawnSync("sh", ["-c", remove, folder], { stdio: "ignore" });
    await delay(100);
  }
}

async function untilBooted(pidFile: string): Promise<number> {
  for (let tries = 0; tries < 300; tries += 1) {
    const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8")) : 0;
    if (pid > 0) {
      const asked = [...inStage(pid), "systemctl", "is-system-running"];
      const { stdout } = spawnSync(asked[0]!, asked.slice(1), { encoding: "utf8" });
      if (/^(running|degraded)/.test(stdout ?? "")) return pid;
    }
    await delay(100);
  }
  throw new Error("The Debian did not boot within 30 seconds.");
}
