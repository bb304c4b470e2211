import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import path from "node:path";

export interface SmallDisk {
  /** What a command is begun with, so that it sees the disk. */
  enter: string[];
  /** Then what PostgreSQL is begun with, which does not run as root. */
  asPostgres: string[];
  close(): Promise<void>;
}

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

/**
 * A disk of that size in memory, which these folders of `root` are on. It is mounted in a namespace of its
 * own: for root in one of mounts, for anybody else in one of users too. It goes with its last process.
 */
export async function openSmallDisk(
  root: string,
  { megabytes, folders }: { megabytes: number; folders: string[] },
): Promise<SmallDisk> {
  const disk = path.join(root, "disk");
  for (const folder of [disk, ...folders]) mkdirSync(folder, { recursive: true });
  const binds = folders.map((folder, n) => {
    // Its owner is that folder's, which may be PostgreSQL's.
    const own = `mkdir ${disk}/${n} && chown --reference=${folder} ${disk}/${n}`;
    return `${own} && mount --bind ${disk}/${n} ${folder}`;
  });
  const size = `size=${megabytes}m,mode=755`;
  const mounts = [`mount -t tmpfs -o ${size} kickabout ${disk}`, ...binds, "echo mounted"];
  const options = ["--mount", ...(isRoot ? [] : ["--map-root-user"])];
  const script = `${mounts.join(" && ")} && exec cat`;
  // It reads until this process ends.
  const holder = spawn("unshare", [...options, "sh", "-c", script], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let problems = "";
  holder.stderr.on("data", (part: Buffer) => (problems += part.toString()));
  const mounted = once(holder.stdout, "data").then(() => true);
  if (!(await Promise.race([mounted, once(holder, "exit").then(() => false)]))) {
    throw new Error(`A small disk needs root, or a kernel that lets users mount: ${problems}`);
  }
  const namespaces = isRoot ? ["--mount"] : ["--user", "--mount", "--preserve-credentials"];
  return {
    enter: ["nsenter", `--target=${holder.pid}`, ...namespaces, "env", `--chdir=${root}`],
    asPostgres: isRoot
      ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]
      : ["unshare", `--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`],
    async close() {
      holder.stdin.end();
      await once(holder, "exit");
    },
  };
}

/** How much of it is left, as the exporter of a server's disks says it. */
export function diskSamples({ enter }: SmallDisk, folder: string) {
  const [program = "", ...args] = [...enter, "df", "--block-size=1", "--output=avail,size", folder];
  const { stdout } = spawnSync(program, args, { encoding: "utf8" });
  const [avail, size] = stdout.trim().split("\n").at(-1)!.trim().split(/ +/).map(Number);
  const labels = { job: "kickabout-server", fstype: "ext4", mountpoint: "/" };
  return [
    { name: "node_filesystem_avail_bytes", labels, value: avail! },
    { name: "node_filesystem_size_bytes", labels, value: size! },
  ];
}
