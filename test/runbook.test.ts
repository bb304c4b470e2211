import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { useDatabase } from "./db.ts";

const database = useDatabase();
const read = (name: string) => readFileSync(path.join(projectRoot, name), "utf8");
const documents = globSync("{*.md,docs/**/*.md}", { cwd: projectRoot });
const runbook = read("docs/runbook.md");
const operations = read("docs/operations.md");

const incidents = runbook.split(/^## \d+\. /m).slice(1);

function found(text: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ([, it]) => it!))];
}

test("every npm command that a document names is there", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const text = documents.map(read).join("\n");
  const named = [
    ...found(text, /npm run (?:--silent )?([a-z][\w:-]*)/g),
    ...found(text, /^ *kickabout ([a-z][\w:-]*)/gm),
  ];
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("every option of a restore or a backup that a document names is one", () => {
  const text = `${operations}\n${runbook}\n${read("deploy/cron/kickabout")}`;
  const lines = found(text, /((?:restore|backup) -- [^\n`]*)/g).join("\n");
  const named = found(lines, / --([a-z][a-z-]*)/g);
  expect(named.length).toBeGreaterThan(5);
  const code = read("scripts/restore.ts") + read("scripts/backup.ts") + read("scripts/command.ts");
  expect(named.filter((name) => !new RegExp(`"?${name}"?: \\{ type`).test(code))).toEqual([]);
});

test("every backup that the runbook asks for says into which folder", () => {
  const commands = found(
    `${operations}\n${runbook}\n${read("docs/deploy.md")}`,
    /`?(?:kickabout|npm run) backup(?: --)?([^\n`]*)/g,
  );
  expect(commands.length).toBeGreaterThan(2);
  expect(commands.filter((rest) => !/^ (\/var\/backups\/kickabout|\[FOLDER\])/.test(rest))).toEqual(
    [],
  );
});

test("commands of the runbook name a folder, a unit and a database that deploy.md makes", () => {
  expect(runbook).not.toContain("$DATABASE_URL");
  expect(runbook).toContain("runuser --user kickabout -- psql kickabout");
  const units = found(runbook, /systemctl (?:start|stop|restart) ([^`\n]+)/g);
  expect(units.length).toBeGreaterThan(3);
  const running = /^((kickabout-(web@\d+|worker)|postgresql@17-main|caddy)( |$))+$/;
  expect(units.filter((names) => !running.test(names))).toEqual([]);
  const restores = found(
    `${runbook}\n${operations}`,
    /(?:`|^ *)(?:kickabout|npm run) restore(?: --)?([^`\n]*)/gm,
  );
  expect(restores.length).toBeGreaterThan(6);
  const target = /BACKUP|\/var\/backups\/kickabout|--send-mails|--recovered/;
  expect(restores.filter((rest) => !target.test(rest))).toEqual([]);
});

test("PostgreSQL understands every statement of the runbook", async () => {
  const statements = found(runbook, /--command="([^"]+)"$/gm);
  expect(statements.length).toBeGreaterThan(7);
  for (const statement of statements) {
    if (statement.includes("pg_terminate_backend")) continue; // PostgreSQL's own
    const text = statement.replaceAll("'ID'", "'00000000-0000-4000-8000-000000000000'");
    await expect(database.pool.query(text), statement).resolves.toBeDefined();
  }
});

test("what the runbook says to look for is what the alerts and the log say", () => {
  const alerts = read("deploy/prometheus/alerts.yml");
  const named = found(runbook, /`(Kickabout\w+)`/g);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !alerts.includes(`alert: ${name}\n`))).toEqual([]);
  const code = globSync("app/**/*.server.ts", { cwd: projectRoot }).map(read).join("\n");
  const messages = [
    "jobs paused: the database does not answer",
    "jobs resumed: the database answers again",
    "mail server accepts no emails; they wait",
    "mail server accepts emails again",
    "payment unmatched",
    "sign-in failed",
    "too many attempts",
  ];
  expect(messages.filter((it) => !runbook.includes(it) || !code.includes(`"${it}"`))).toEqual([]);
});

test("the runbook has thirteen incidents, each seen, ended and checked", () => {
  expect(incidents).toHaveLength(13);
  for (const incident of incidents) {
    const parts = Array.from(incident.matchAll(/^- \*\*(\w+)\b/gm), ([, it]) => it!);
    expect(parts.join(" ")).toMatch(/^See( Do)+ Over$/);
  }
});

test("what to do in an incident is numbered steps, with one command each that can be copied", () => {
  const parts = incidents.flatMap((incident) => incident.split(/^- (?=\*\*)/m).slice(1));
  for (const part of parts.filter((each) => each.startsWith("**Do"))) {
    const steps = part.split(/^ {2}(?=\d+\. )/m).slice(1);
    expect(steps.length, part).toBeGreaterThan(1);
    expect(steps.map((step) => Number.parseInt(step))).toEqual(steps.map((_, n) => n + 1));
    for (const step of steps) {
      expect(found(step, /^ +```sh\n(?: +(.*)\n) +```$/gm), step).toHaveLength(
        step.includes("```") ? 1 : 0,
      );
    }
  }
  const paragraphs = runbook.replaceAll(/^ *```sh\n.*?^ *```$/gms, "").split("\n");
  expect(paragraphs.filter((line) => line.length > 450)).toEqual([]);
});

test("the table of a restricted key has every call of Stripe's API that the code makes", () => {
  const code = globSync("{app,scripts}/**/*.ts", { cwd: projectRoot })
    .filter((name) => !name.includes(".test."))
    .map(read)
    .join("\n");
  const calls = [
    ...code.matchAll(/\bstripe\s*\.(\w+(?:\s*\.\w+)?)\s*\.(list\w*|retrieve|create|update)\(/g),
  ];
  expect(calls.length).toBeGreaterThan(15);
  for (const [call, resource = "", method = ""] of calls) {
    const right = /create|update/.test(method) ? "write" : "(?:read|write)";
    expect(operations, call).toMatch(
      new RegExp(`^\\| [^|]+ \\| ${right} \\| \`${resource}\``, "m"),
    );
  }
});

test("no paragraph of docs/operations.md is too long to be read at once", () => {
  const lines = operations.split("\n").filter((line) => !line.startsWith("|"));
  expect(lines.filter((line) => line.length > 900)).toEqual([]);
});
