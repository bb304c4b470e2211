import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "#app/platform/root.server.ts";

// What a process that was taken over, a neighbour or a log must not be able to reach.

const read = (name: string) => readFileSync(path.join(projectRoot, name), "utf8");

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "kickabout-boundary-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, text: string) {
  mkdirSync(path.join(folder, "bin"), { recursive: true });
  writeFileSync(path.join(folder, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

describe("what the service can write", () => {
  /** The settings of npm, by which other code than the command's would run; each leaves a trace. */
  function writeSettings() {
    const trace = path.join(folder, "ran");
    program("shell", `touch ${trace}`);
    writeFileSync(path.join(folder, "module.cjs"), `require("fs").writeFileSync("${trace}", "")`);
    const settings = `script-shell=${folder}/bin/shell\nnode-options=--require=${folder}/module.cjs\n`;
    writeFileSync(path.join(folder, ".npmrc"), settings);
    return () => existsSync(trace);
  }

  test("is not read by an operator's command", () => {
    const hasRun = writeSettings();
    program("runuser", 'shift 3; exec "$@"');
    const command = read("deploy/systemd/kickabout")
      .replaceAll("/opt/kickabout/current", projectRoot)
      .replaceAll("/var/lib/kickabout", folder);
    const run = (...args: string[]) =>
      spawnSync("sh", ["-c", command, "kickabout", ...args], {
        encoding: "utf8",
        env: { PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder },
      });
    const { stdout, stderr } = run("vapid-keys");
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^VAPID_PUBLIC_KEY=.+\nVAPID_PRIVATE_KEY=.+\n$/);
    expect(hasRun()).toBe(false);
    // What npm did with the name and the two dashes.
    expect(run("mail:test", "--").stderr).toContain("Usage: npm run mail:test -- ADDRESS");
    expect(run("").status).not.toBe(0);
    expect(run("backpu").stderr).toBe("kickabout: backpu is no command of docs/operations.md\n");
  });

  test("is no home of a unit, a line of cron or the user", () => {
    for (const unit of ["kickabout-web@", "kickabout-worker"]) {
      expect(read(`deploy/systemd/${unit}.service`)).toMatch(/^Environment=HOME=\/nonexistent$/m);
    }
    const lines = read("deploy/cron/kickabout").match(/^\d.*$/gm)!;
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).toMatch(/^(\S+ ){5}root kickabout [a-z:]+ -- /);
    const page = read("docs/deploy.md");
    expect(page).toMatch(/^useradd .* --home-dir \/nonexistent .* kickabout$/m);
    expect(page).not.toContain("HOME=/var");
  });

  test("every command has a script of its name, because no npm looks it up", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const text = [
      "docs/deploy.md",
      "docs/operations.md",
      "docs/runbook.md",
      "deploy/cron/kickabout",
    ];
    const named = text.flatMap((name) => [
      ...read(name).matchAll(/(?:^|`|root )kickabout ([a-z][a-z:-]+)(?= --|`|$)/gm),
    ]);
    const names = new Set(named.map(([, name]) => name!));
    expect(names.size).toBeGreaterThan(6);
    for (const name of names) {
      expect(scripts[name]).toBe(`node scripts/${name.replace(":", "-")}.ts`);
    }
  });
});

test("the proxy's log has no request, and no address in its errors", () => {
  const [, fields = ""] =
    /^\tlog \{\n\t\tformat filter \{\n\t\t\twrap json\n\t\t\tfields \{\n([^}]*)\}/m.exec(
      read("deploy/caddy/Caddyfile"),
    ) ?? [];
  expect(fields).toMatch(/^\t+request delete$/m);
  const [, pattern = "", replacement = ""] = /^\t+error regexp "(.+)" "(.*)"$/m.exec(fields) ?? [];
  const error = "write tcp 192.0.2.1:443->[2001:db8::7]:5123: write: broken pipe";
  expect(error.replace(new RegExp(pattern), replacement)).toBe(
    "write tcp 192.0.2.1:443-> write: broken pipe",
  );
});

describe("the compose file", () => {
  interface Service {
    environment: Record<string, string>;
    volumes: string[];
    logging?: { driver: string };
  }
  const compose = parse(read("deploy/docker/compose.yaml"), { merge: true }) as {
    services: Record<string, Service>;
    networks: { default: { enable_ipv6: boolean; ipam: { config: { subnet: string }[] } } };
  };
  const { services } = compose;

  test("connects as a role that may do no more than that of step 2", () => {
    const { POSTGRES_USER: superuser = "postgres" } = services.database!.environment;
    const of = (url: string) => new URL(url.replace(/\$\{.*?\}/, "password"));
    const ours = Object.values(services).filter(({ environment }) => environment?.DATABASE_URL);
    expect(ours.length).toBeGreaterThan(4);
    for (const { environment } of ours) {
      const { username, pathname } = of(environment.DATABASE_URL!);
      expect([username, pathname]).toEqual(["kickabout", "/kickabout"]);
      expect(username).not.toBe(superuser);
    }
    expect(services.database!.volumes).toContain(
      "./database.sql:/docker-entrypoint-initdb.d/kickabout.sql:ro",
    );
    const [, ...statements] = read("deploy/docker/database.sql").match(/^[^-].+$/gm)!;
    expect(statements).toEqual([
      "create role kickabout login createdb password :'password';",
      "create database kickabout owner kickabout;",
      `alter role ${superuser} password null;`,
    ]);
    expect(read("docs/deploy.md")).toContain(
      "createuser --createdb kickabout\nrunuser --user postgres -- createdb --owner=kickabout kickabout\n",
    );
  });

  test("logs to where lines end by age", () => {
    for (const [name, { logging }] of Object.entries(services)) {
      expect(logging, name).toEqual({ driver: "journald" });
    }
  });

  test("tells visitors by IPv6 apart", () => {
    const { enable_ipv6, ipam } = compose.networks.default;
    expect(enable_ipv6).toBe(true);
    // Without one of its own, Docker before 27 makes no network.
    expect(ipam.config).toEqual([{ subnet: expect.stringMatching(/^fd[\w:]+::\/64$/) }]);
  });
});

test("a flood of requests drops no line of the log, whose size is set", () => {
  for (const unit of ["kickabout-web@", "kickabout-worker"]) {
    expect(read(`deploy/systemd/${unit}.service`)).toMatch(/^LogRateLimitIntervalSec=0$/m);
  }
  const journal = read("deploy/systemd/journald-90-days.conf");
  expect(journal).toMatch(/^SystemMaxUse=\d+G$/m);
  expect(journal).toMatch(/^RateLimitBurst=\d{6}$/m);
});

test("the script for replies by email keeps the secret in a file of its own user", () => {
  const page = read("docs/operations.md");
  const [script = ""] = /^#!\/bin\/sh\n.*?webhooks\/mail\)$/ms.exec(page) ?? [];
  const secret = path.join(folder, "secret");
  writeFileSync(secret, "Authorization: Bearer of-replies\n");
  program("curl", `cat > ${folder}/posted; echo "$@" > ${folder}/arguments; printf 200`);
  const env = { PATH: `${folder}/bin:/usr/bin:/bin` };
  const text = `${script.replace("/etc/kickabout-inbound", secret)}\ntest "$status" = 200`;
  expect(spawnSync("sh", ["-c", text], { env, input: "From: aino" }).status).toBe(0);
  expect(readFileSync(`${folder}/posted`, "utf8")).toBe("From: aino");
  const given = readFileSync(`${folder}/arguments`, "utf8");
  expect(given).toContain(`-H @${secret} `);
  expect(given).not.toContain("of-replies");

  const [, service, user] = /^(\S+) unix .* pipe flags=D\w* user=(\S+) /m.exec(page) ?? [];
  expect(page).toMatch(new RegExp(`^useradd --system .* ${user}$`, "m"));
  expect(page).toContain(`\ninstall --mode=640 --group=${user} /dev/null /etc/kickabout-inbound\n`);
  // Postfix adds Delivered-To (D) for one recipient at a time only.
  expect(page).toContain(`\npostconf ${service}_destination_recipient_limit=1\n`);
});
