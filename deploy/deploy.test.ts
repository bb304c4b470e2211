import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readEnv } from "#app/platform/env.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { SOURCES } from "../scripts/build.ts";
import { readBlocks, unusedDifferences } from "./rehearsal/page.ts";

const read = (name: string) => readFileSync(path.join(projectRoot, name), "utf8");
const blocks = readBlocks();
const commands = blocks.map(({ script }) => script).join("\n");
/** Variables of the files here, not of the application: the process's part, and compose's own. */
const OTHERS = new Set(["SITE", "UPSTREAMS", "POSTGRES_PASSWORD"]);

/** The variables of step 4. */
function pageEnv() {
  const [, text = ""] = /^cat > \/etc\/kickabout\.env <<'END'\n(.*?)^END$/ms.exec(commands) ?? [];
  return parseEnv(text) as Record<string, string>;
}

function raise(): never {
  throw new Error("not in the file");
}

test("the page's configuration is complete", () => {
  const env = readEnv({ ...pageEnv(), SESSION_SECRET: "x".repeat(32) });
  expect(env).toMatchObject({ demo: false, trustProxy: 1, drainSeconds: 5 });
  const { CONTACT_EMAIL: _, ...without } = pageEnv();
  expect(() => readEnv({ ...without, SESSION_SECRET: "x".repeat(32) })).toThrow("CONTACT_EMAIL");
});

test("Debian's npm 9 installs it: no override is an alias, at which it ends", () => {
  const { overrides = {} } = JSON.parse(read("package.json")) as { overrides?: object };
  expect(JSON.stringify(overrides)).not.toMatch(/"[a-z]+:/);
});

test("a password with every sign reaches the mail server as it is", () => {
  const password = "a$b#c@d:e/f?g%h i\"j'k";
  const encoded = encodeURIComponent(password).replaceAll("'", "%27");
  const script = commands.replace("PASSWORD@", `${encoded}@`);
  const [heredoc = ""] = /^cat > \/etc\/kickabout\.env <<.*?^END$/ms.exec(script) ?? [];
  const { stdout } = spawnSync("bash", ["-c", heredoc.replace("> /etc/kickabout.env", "")]);
  const { SMTP_URL = "" } = parseEnv(String(stdout));
  expect(decodeURIComponent(new URL(SMTP_URL).password)).toBe(password);
});

test("files of a deployment set only variables that the application has", () => {
  const known = new Set(
    Array.from(read(".env.example").matchAll(/^([A-Z0-9_]+)=/gm), ([, it]) => it),
  );
  const files = ["kubernetes/config.yaml", "kubernetes/secret.example.yaml", "docker/compose.yaml"];
  const text = files.map((name) => read(`deploy/${name}`)).join("\n");
  const named = Array.from(text.matchAll(/^ +(?:# )?([A-Z][A-Z0-9_]+): /gm), ([, name]) => name!);
  const set = [...Object.keys(pageEnv()), ...named];
  expect(set.length).toBeGreaterThan(30);
  const postgres = /^POSTGRES_(USER|DB)$/;
  expect(set.filter((it) => !known.has(it) && !OTHERS.has(it) && !postgres.test(it))).toEqual([]);
});

test("Kubernetes gets every required variable", () => {
  const text =
    read("deploy/kubernetes/config.yaml") + read("deploy/kubernetes/secret.example.yaml");
  const named = Array.from(text.matchAll(/^ {2}([A-Z][A-Z_]+): /gm), ([, name]) => name!);
  const here = new Set(["DEMO", "DATA_DIR", "HOST"]);
  expect(Object.keys(pageEnv()).filter((name) => !named.includes(name) && !here.has(name))).toEqual(
    [],
  );
});

test("nothing is killed before its drain and ten seconds are over", () => {
  const seconds = (name: string, pattern: RegExp) => Number(pattern.exec(read(name))?.[1]);
  const drain = Number(pageEnv().DRAIN_SECONDS);
  for (const unit of ["kickabout-web@", "kickabout-worker"]) {
    const stop = seconds(`deploy/systemd/${unit}.service`, /^TimeoutStopSec=(\d+)$/m);
    expect(stop).toBeGreaterThan(drain + 10);
  }
  expect(
    seconds("deploy/docker/compose.yaml", /stop_grace_period: (\d+)s/) -
      seconds("deploy/docker/compose.yaml", /DRAIN_SECONDS: "(\d+)"/),
  ).toBeGreaterThan(10);
  for (const pods of ["web", "worker"]) {
    expect(
      seconds(`deploy/kubernetes/${pods}.yaml`, /terminationGracePeriodSeconds: (\d+)/) -
        seconds("deploy/kubernetes/config.yaml", /DRAIN_SECONDS: "(\d+)"/),
    ).toBeGreaterThan(10);
  }
});

test("each process has its metrics on a port of its own, where Prometheus looks for them", () => {
  const config = parse(read("deploy/prometheus/prometheus.yml")) as {
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
  };
  const [{ job_name, static_configs } = raise()] = config.scrape_configs;
  const [{ targets } = raise()] = static_configs;
  expect(job_name).toBe("kickabout");
  const [, started = ""] = /^systemctl enable --now (.+)$/m.exec(commands) ?? [];
  const ports = started.split(" ").map((unit) => {
    const [name = "", instance = ""] = unit.split(/(?<=@)/);
    const text = read(`deploy/systemd/${name}.service`).replaceAll("%i", instance);
    const [, port] = /^Environment=.* METRICS_PORT=(\d+)/m.exec(text) ?? [];
    return `127.0.0.1:${port}`;
  });
  expect(new Set(ports).size).toBe(3);
  expect(ports).toEqual(targets);
  // Otherwise alerts that name the job would find nothing.
  expect(read("deploy/prometheus/alerts.yml")).toContain('job="kickabout"');
});

test("containers and pods serve metrics where they say", () => {
  const compose = read("deploy/docker/compose.yaml");
  const [, port = ""] = /METRICS_PORT: "(\d+)"/.exec(compose) ?? [];
  expect(compose).toContain("METRICS_HOST: 0.0.0.0");
  expect(read("deploy/prometheus/prometheus.yml")).toContain(
    `["web-1:${port}", "web-2:${port}", "worker:${port}"]`,
  );
  expect(read("deploy/kubernetes/config.yaml")).toMatch(
    new RegExp(`METRICS_PORT: "${port}"\n {2}METRICS_HOST: 0.0.0.0`),
  );
  for (const pods of ["web", "worker"]) {
    const text = read(`deploy/kubernetes/${pods}.yaml`);
    expect(text).toContain(`prometheus.io/port: "${port}"`);
    expect(text).toContain(`- name: metrics\n              containerPort: ${port}`);
  }
});

test("proxies choose the ids of requests, not browsers", () => {
  const caddy = read("deploy/caddy/Caddyfile");
  const [, upstreams = ""] = /^\(upstreams\) \{\n(.*?)^\}$/ms.exec(caddy) ?? [];
  expect(upstreams).toContain("header_up X-Request-Id {http.request.uuid}");
  expect(upstreams).toContain("header_up -traceparent");
  const proxies = caddy.split("reverse_proxy").slice(1);
  for (const proxy of proxies) expect(proxy).toMatch(/^[^{]*\{\s*import upstreams/);
});

test("the proxy's log of an attack has who asked and no address of a page, and is off", () => {
  const caddy = read("deploy/caddy/Caddyfile");
  const [, snippet = ""] = /^\(addresses\) \{\n(.*?)^\}$/ms.exec(caddy) ?? [];
  for (const field of ["request>uri", "request>headers", "resp_headers"]) {
    expect(snippet).toContain(`${field} delete`);
  }
  expect(caddy.match(/^.*import addresses$/gm)).toEqual(["\t# import addresses"]);
  const [, site = raise()] = /^\{\$SITE[^\n]*\n(.*?)^\}$/ms.exec(caddy) ?? [];
  expect(site).not.toMatch(/^\s*log\b/m);
});

/** Runs a block in a shell where each program only notes that it was called, and one of them fails. */
function pretend(script: string, failing: number) {
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-upgrade-"));
  try {
    const stub = `#!/bin/sh\necho "\${0##*/} $*" >> ${folder}/.env
      test "$(grep -c . ${folder}/.env)" != ${failing}\n`;
    for (const name of ["git", "npm", "ln", "install", "runuser", "systemctl"]) {
      writeFileSync(path.join(folder, name), stub, { mode: 0o755 });
    }
    writeFileSync(path.join(folder, ".env"), "");
    const { status } = spawnSync("bash", ["-c", script.replace(/^cd .*$/m, `cd ${folder}`)], {
      env: { PATH: `${folder}:/usr/bin:/bin` },
    });
    const called = readFileSync(path.join(folder, ".env"), "utf8").trim().split("\n");
    return { status, called };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("an upgrade ends at the line that fails, and the site changes only once the database has", () => {
  const [, prepare = raise(), change = raise()] = blocks.filter(({ title }) => title === "Upgrade");
  for (const { script } of [prepare, change]) {
    const whole = pretend(script, 0);
    expect(whole.called.length).toBeGreaterThan(4);
    for (let n = 1; n <= whole.called.length; n += 1) {
      const ended = pretend(script, n);
      expect(ended.called).toEqual(whole.called.slice(0, n));
      expect(ended.status).not.toBe(0);
    }
  }
  const [migration, link, units, command, reload, ...restarts] = pretend(change.script, 0).called;
  expect(migration).toMatch(/^runuser --user kickabout .*scripts\/db-migrate\.ts$/);
  expect(link).toMatch(/^ln .*\/opt\/kickabout\/current$/);
  expect([units, command, reload]).toEqual([
    "install --mode=644 deploy/systemd/*.service /etc/systemd/system/",
    "install --mode=755 deploy/systemd/kickabout /usr/local/bin/kickabout",
    "systemctl daemon-reload",
  ]);
  expect(restarts.map((line) => line.split(" ")[1])).toEqual(["restart", "restart", "restart"]);
});

test.each([
  { unit: "kickabout-web@", ends: "a process that has ended", mainPid: 2 ** 22 + 1, status: 1 },
  { unit: "kickabout-worker", ends: "a process that has ended", mainPid: 2 ** 22 + 1, status: 1 },
  {
    unit: "kickabout-web@",
    ends: "one that serves the third time",
    mainPid: process.pid,
    status: 0,
  },
  {
    unit: "kickabout-worker",
    ends: "one that serves the third time",
    mainPid: process.pid,
    status: 0,
  },
])("a restart of $unit waits no longer for $ends", ({ unit, mainPid, status }) => {
  const [, line = ""] =
    /^ExecStartPost=\/bin\/sh -c '(.*)'$/m.exec(read(`deploy/systemd/${unit}.service`)) ?? [];
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-unit-"));
  try {
    const stub = (name: string, text: string) =>
      writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    stub("curl", `echo >> ${folder}/asked; test "$(wc -l < ${folder}/asked)" -ge 3`);
    stub("sleep", "");
    const own = { PATH: `${folder}:/usr/bin:/bin`, MAINPID: String(mainPid) };
    expect(spawnSync("/bin/sh", ["-c", line.replaceAll("$$", "$")], { env: own }).status).toBe(
      status,
    );
    const asked = readFileSync(path.join(folder, "asked"), "utf8").length;
    expect(asked).toBe(status === 0 ? 3 : 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("no block changes the umask or the options of the shell it is pasted into", () => {
  const outside = commands.replaceAll(/^\($.*?^\)$/gms, "");
  expect(outside.length).toBeGreaterThan(500);
  expect(outside).not.toMatch(/umask|set -e/);
});

test("logs and backups are deleted when the privacy page says", () => {
  const privacy = read("app/features/legal/privacy.txt");
  const [, days = raise()] = /^.*[Bb]ackups and logs.*?(\d+) days/m.exec(privacy) ?? [];
  expect(read("deploy/cron/kickabout")).toContain(` --keep ${days} `);
  expect(read("deploy/systemd/journald-90-days.conf")).toMatch(`MaxRetentionSec=${days}day\n`);
  expect(commands).toContain("systemd/journald-90-days.conf /etc/systemd/journald.conf.d/");
});

test("the page and the cron lines run only commands that there are", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const text = `${commands}\n${read("deploy/cron/kickabout")}\n${read("deploy/docker/Dockerfile")}`;
  const run = text.matchAll(/(?:^kickabout|root kickabout|npm run(?: --silent)?) ([\w:-]+)/gm);
  const names = Array.from(run, ([, name]) => name!);
  expect(names.length).toBeGreaterThan(7);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

test("the image has every file from which the application runs", () => {
  const ignore = read("deploy/docker/Dockerfile.dockerignore");
  const copied = Array.from(ignore.matchAll(/^!(.+)$/gm), ([, name]) => name);
  const needed = [...SOURCES, "CHANGELOG.md"];
  expect(needed.filter((name) => !copied.includes(name))).toEqual([]);
});

test("what the rehearsal changes in the page is in the page", () => {
  expect(blocks.length).toBeGreaterThan(9);
  expect(unusedDifferences(blocks)).toEqual([]);
});

test.each([[[]], [["--help"]]])("kickabout without a command lists all of them: %j", (args) => {
  const script = read("deploy/systemd/kickabout").replace("/opt/kickabout/current", projectRoot);
  const { status, stdout } = spawnSync("sh", ["-c", script, "kickabout", ...args], {
    encoding: "utf8",
  });
  expect(status).toBe(0);
  for (const command of ["upgrade:check", "restore -- BACKUP", "make-admin -- EMAIL"]) {
    expect(stdout).toContain(`  ${command}\n`);
  }
});
