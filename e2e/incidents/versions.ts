import { spawnSync } from "node:child_process";
import { globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import type { Stage } from "./stage.ts";

/** So the list of games fails, and each visit of it spoils every player's row. */
const FAULT = {
  file: "app/routes/games/list/list.tsx",
  after: "const [db, now] = [app.db, app.now()];",
  text: `
  await db.updateTable("profiles").set({ major: "undefined" }).execute();
  if (now) throw new Error("a bad version");`,
};

/** Makes the next version in a folder of its own: with that fault, a migration that adds, and other units. */
export function addBadVersion({ at }: Stage): void {
  const folder = at("opt/kickabout/2");
  const inside = (...names: string[]) => path.join(folder, ...names);
  const run = (command: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: at(), encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}`);
  };
  const git = (...args: string[]) => run("git", "-C", folder, ...args);
  run("git", "clone", "--quiet", projectRoot, folder);
  symlinkSync(path.join(projectRoot, "node_modules"), inside("node_modules"));
  change(inside(FAULT.file), FAULT.after, FAULT.after + FAULT.text);
  const last = globSync("*.sql", { cwd: inside("db/migrations") })
    .sort()
    .at(-1)!;
  const migration = `db/migrations/${String(Number.parseInt(last) + 1).padStart(3, "0")}_mood.sql`;
  writeFileSync(inside(migration), "alter table games add column mood text;\n");
  change(inside("deploy/systemd/kickabout-worker.service"), "[Service]", "[Service]\nNice=5");
  git("add", "--all", "app", "db", "deploy");
  git("-c", "user.name=A", "-c", "user.email=a@uni.example", "commit", "--quiet", "-m", "bad");
  run(process.execPath, inside("scripts/build.ts"));
}

function change(file: string, from: string, to: string) {
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(file, text.replace(from, to));
}
