import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { programOfDebian } from "./debian.ts";

export type Offsite = ReturnType<typeof openOffsite>;

/**
 * The other machine of docs/deploy.md, 8, with the scripts that the page gives it, as folders of
 * this one: rsync goes without ssh.
 */
export function openOffsite(backups: string, rsync: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-offsite-"));
  const copies = path.join(folder, "copies");
  mkdirSync(copies);
  writeFileSync(path.join(folder, "rsync"), `#!/bin/sh\nexec ${rsync.join(" ")} "$@"\n`, {
    mode: 0o755,
  });
  const page = readFileSync(path.join(projectRoot, "docs", "deploy.md"), "utf8");
  const run = (name: string) => {
    const script = new RegExp(`^cat > ${name} <<'END'\n(.*?)^END$`, "ms").exec(page)![1]!;
    const here = script
      .replaceAll("/var/backups/kickabout-copy", copies)
      .replaceAll("root@kickabout.example:", backups);
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    const ended = spawnSync("sh", ["-c", here], { env, encoding: "utf8" });
    return { code: ended.status, out: ended.stdout, problems: ended.stderr };
  };
  return {
    copies,
    copy: () => run("/usr/local/bin/kickabout-copy"),
    checkAge: () => run("/usr/local/bin/kickabout-copy-age"),
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** Command of RSYNC, this machine's, otherwise Debian's. */
export function findRsync(): string[] {
  if (process.env.RSYNC) return [process.env.RSYNC];
  if (existsSync("/usr/bin/rsync")) return ["/usr/bin/rsync"];
  const libraries = ["libacl1", "libpopt0", "liblz4-1", "libzstd1", "libxxhash0", "libssl3t64"];
  return programOfDebian("usr/bin/rsync", ["rsync", ...libraries, "zlib1g"]);
}
