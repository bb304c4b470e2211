import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";

/** A program of a newer Debian beside this one, downloaded once: what starts it, without arguments. */
export function programOfDebian(program: string, packages: string[]): string[] {
  const cache = path.join(projectRoot, ".cache", `debian-${path.basename(program)}`);
  if (!fs.existsSync(cache)) download(cache, [...packages, "libc6"]);
  const libraries = fs.globSync("usr/lib/*-linux-gnu", { cwd: cache })[0]!;
  const loader = fs.globSync("usr/lib/**/ld-linux-*.so.*", { cwd: cache })[0]!;
  const inside = (file: string) => path.join(cache, file);
  return [inside(loader), "--library-path", inside(libraries), inside(program)];
}

/** Keeps apt's own check of the packages' signatures. */
function download(cache: string, packages: string[]) {
  fs.mkdirSync(path.dirname(cache), { recursive: true });
  const draft = fs.mkdtempSync(`${cache}-`);
  const script = `set -e; cd "$1"
    mkdir -p apt/lists/partial apt/archives/partial system; touch apt/status
    echo 'deb http://deb.debian.org/debian trixie main' > apt/sources.list
    for setting in 'State::lists "lists"' 'State::status "status"' 'Etc::sourcelist "sources.list"'; do
      echo "Dir::$setting" | sed "s|\\"|\\"$1/apt/|;s|\\$|;|"
    done > apt/config
    printf 'Dir::Cache "%s/apt";\\nDir::Etc::sourceparts "-";\\n' "$1" >> apt/config
    export APT_CONFIG="$1/apt/config"; shift
    apt-get update && apt-get download "$@"
    for package in *.deb; do dpkg-deb --extract "$package" system; done`;
  const result = spawnSync("sh", ["-c", script, "sh", draft, ...packages], { encoding: "utf8" });
  if (result.status === 0) keep(path.join(draft, "system"), cache);
  fs.rmSync(draft, { recursive: true, force: true });
  if (result.status === 0) return;
  const why = `${result.error?.message ?? ""}${result.stderr ?? ""}`.slice(-800);
  const name = path.basename(cache).replace("debian-", "").toUpperCase();
  throw new Error(`${name} has to name the program where Debian's cannot be downloaded: ${why}`);
}

/** Another test may have been quicker. */
function keep(downloaded: string, cache: string) {
  try {
    fs.renameSync(downloaded, cache);
  } catch (error) {
    if (!fs.existsSync(cache)) throw error;
  }
}
