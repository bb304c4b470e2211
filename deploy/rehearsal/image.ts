import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";

type Stage = (
  script: string,
  isOutside?: boolean,
) => Promise<{ status: number | null; out: string }>;

const folder = path.join(projectRoot, "deploy", "docker");

/**
 * What the Dockerfile does, without a container engine: its RUN lines in a bare folder, then its
 * commands as another user, with the folder read-only at /app and only /data to write to.
 */
export async function runImage(stage: Stage) {
  process.stdout.write("▸ the steps of the Dockerfile\n");
  const { runs, environment, health, command, user } = readDockerfile();
  const ignore = readFileSync(path.join(folder, "Dockerfile.dockerignore"), "utf8");
  const copied = Array.from(ignore.matchAll(/^!(.+)$/gm), ([, name]) => name);
  const must = async (script: string, isOutside = false) => {
    const { status, out } = await stage(script, isOutside);
    assert.equal(status, 0, `${script}\n${out.slice(-3_000)}`);
    return out;
  };
  // systemd-run needs it.
  await must("apt-get install --yes --no-install-recommends dbus", true);
  await must("systemctl start dbus.socket");
  // The base image: a Node 24 and a user called node.
  await must(`install --mode=755 /opt/kickabout/1/node_modules/.bin/node /usr/local/bin/node
    useradd --uid 1000 --create-home node
    mkdir /app && cd /opt/kickabout/1 && cp -r ${copied.join(" ")} /app
    find /app -name '*.test.ts*' -delete
    install --directory --owner=1000 /backups
    runuser -u postgres -- psql -qc "alter role kickabout password 'inside'"`);
  const [install = "", ...rest] = runs;
  await must(`cd /app\n${install}`, true);
  for (const run of rest) await must(`cd /app\n${run}`, run.startsWith("apt-get"));
  const start = (unit: string, args: string[], wait: string) => {
    const settings = [...environment, "HOME=/home/node", "PATH=/usr/local/bin:/usr/bin:/bin"];
    return [
      `systemd-run --quiet --unit=${unit} ${wait} --uid=${user} --gid=${user} --working-directory=/app`,
      "--property=ProtectSystem=strict --property=ReadWritePaths='/data /backups' --property=PrivateTmp=yes",
      "--property=CapabilityBoundingSet= --property=NoNewPrivileges=yes",
      "--property=EnvironmentFile=/etc/kickabout.env",
      ...settings.map((setting) => `--setenv=${setting}`),
      `env ${environment.join(" ")} HOST= TRUST_PROXY=0`,
      "DATABASE_URL=postgres://kickabout:inside@127.0.0.1:5432/kickabout",
      args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(" "),
    ].join(" \\\n");
  };
  await must(start("image-migrate", ["node", "scripts/db-migrate.ts"], "--wait --pipe"));
  const backup = ["node", "scripts/backup.ts", "/backups", "--keep", "90"];
  const said = await must(start("image-backup", backup, "--wait --pipe"));
  assert.match(said, / rows, /);
  assert.match(said, /no \.env with SESSION_SECRET/);
  await must(start("image", command, "--remain-after-exit"));
  await must("curl -fsS --retry 120 --retry-delay 1 --retry-all-errors localhost:3000/readyz");
  await must("test $(ps -o user= $(systemctl show --property=MainPID --value image)) != root");
  await must(start("image-health", health, "--wait --pipe"));
  await must("kill -TERM $(systemctl show --property=MainPID --value image)");
  const ended = "systemctl show --property=SubState,ExecMainCode,ExecMainStatus image";
  const result = await must(
    `for n in $(seq 30); do ${ended} | grep -q SubState=exited && break; sleep 1; done; ${ended}`,
  );
  assert.match(result, /SubState=exited/);
  assert.match(result, /ExecMainStatus=0/);
  assert.notEqual((await stage(start("image-down", health, "--wait --pipe"))).status, 0);
}

function readDockerfile() {
  const text = readFileSync(path.join(folder, "Dockerfile"), "utf8");
  const lines = text.replaceAll(/\\\n\s*/g, "").split("\n");
  const after = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const [environment = ""] = after("ENV");
  const list = (line = "") => JSON.parse(line.slice(line.indexOf("["))) as string[];
  return {
    runs: after("RUN"),
    environment: environment.split(" "),
    health: list(after("HEALTHCHECK")[0]),
    command: list(after("CMD")[0]),
    // User of the last stage; without one the steps would run as root.
    user: after("USER").at(-1) ?? "root",
  };
}
