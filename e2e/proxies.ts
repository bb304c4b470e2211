import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import { projectRoot } from "#app/platform/root.server.ts";

export interface Known {
  /** What the document calls its block. */
  name: string;
  program: string;
  packages: string;
  /** The whole configuration around the block. */
  around(block: string, folder: string): string;
  args(file: string, folder: string): string[];
}

const MODULES =
  "mpm_event authz_core ssl socache_shmcb headers proxy proxy_http proxy_balancer slotmem_shm lbmethod_byrequests http2";

export const PROXIES: Known[] = [
  {
    name: "nginx",
    program: "nginx",
    packages: "nginx",
    around: (block, folder) => `daemon off; user root; pid ${folder}/pid; events {}
      http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder};
      ${block.replace("listen 443", "listen 127.0.0.1:443")} }`,
    args: (file, folder) => ["-p", folder, "-e", "stderr", "-c", file],
  },
  {
    name: "haproxy",
    program: "haproxy",
    packages: "haproxy",
    around: (block) => block.replace("bind :443", "bind 127.0.0.1:443"),
    args: (file) => ["-db", "-f", file],
  },
  {
    name: "apache",
    program: "apache2",
    packages: "apache2",
    around: (block, folder) =>
      [
        ...MODULES.split(" ").map(
          (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
        ),
        ...["User www-data", "Group www-data", `PidFile ${folder}/pid`, `Mutex file:${folder}`],
        ...[`DefaultRuntimeDir ${folder}`, `ErrorLog ${folder}/log`, "Listen 127.0.0.1:443"],
        block.replace("*:443", "127.0.0.1:443"),
      ].join("\n"),
    args: (file, folder) => ["-d", folder, "-f", file, "-D", "FOREGROUND"],
  },
  {
    name: "lighttpd",
    program: "lighttpd",
    packages: "lighttpd lighttpd-mod-openssl",
    around: (block, folder) => `server.document-root = "${folder}"
      server.bind = "127.0.0.1"\nserver.port = 0
      ${block.replace('":443"', '"127.0.0.1:443"')}`,
    args: (file) => ["-D", "-f", file],
  },
  {
    name: "caddy",
    program: "caddy",
    packages: "caddy",
    around: (block) =>
      block
        .replace("{\n", "{\n\tadmin off\n\tauto_https disable_redirects\n")
        .replace(
          "{$SITE:kickabout.example} {",
          `127.0.0.1:443 {
          bind 127.0.0.1
          tls /etc/ssl/kickabout/chain.pem /etc/ssl/kickabout/key.pem`,
        )
        .replace("{$UPSTREAMS:127.0.0.1:3001 127.0.0.1:3002}", "127.0.0.1:3001 127.0.0.1:3002"),
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
];

function blockOf(name: string): string {
  if (name === "caddy") return readFileSync(`${projectRoot}/deploy/caddy/Caddyfile`, "utf8");
  const document = readFileSync(path.join(projectRoot, "docs/operations.md"), "utf8");
  const block = new RegExp(`\`\`\`${name}\\n(.*?)\`\`\``, "s").exec(document)?.[1];
  if (!block) throw new Error(`docs/operations.md has no block for ${name}`);
  return block;
}

interface Place {
  /** Where the certificate is, and what the proxy writes. */
  folder: string;
  port: number;
  to: number[];
}

/** Starts it before these processes; resolves once it passes requests on. */
export async function startProxy(known: Known, { folder, port, to }: Place): Promise<ChildProcess> {
  const own = path.join(folder, known.name);
  mkdirSync(own, { recursive: true });
  const file = path.join(own, "configuration");
  const configuration = known
    .around(blockOf(known.name), own)
    .replaceAll("/etc/ssl/kickabout", folder)
    .replaceAll("kickabout.example", "127.0.0.1")
    .replaceAll(/\b443\b/g, String(port))
    .replaceAll(/\b3001\b/g, String(to[0]))
    .replaceAll(/\b3002\b/g, String(to[1]));
  writeFileSync(file, configuration);
  const child = spawn(known.program, known.args(file, own), {
    env: { ...process.env, HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (part: Buffer) => (said += part.toString()));
  const failed = once(child, "error").then(([error]) => {
    throw new Error(`${(error as Error).message}: apt-get install ${known.packages}`);
  });
  const isUp = () =>
    fetch(`https://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => said.slice(-2_000),
    );
  const started = Promise.race([failed, expect.poll(isUp, { timeout: 20_000 }).toBe(200)]);
  await started.catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  return child;
}

export async function endProxy(child: ChildProcess | undefined) {
  if (!child || child.exitCode !== null) return;
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await once(child, "exit");
  clearTimeout(late);
}

/** A certificate that nobody has signed. */
export function certify(into: string) {
  const files = ["-keyout", `${into}/key.pem`, "-out", `${into}/chain.pem`];
  const about = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  const made = spawnSync("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    ...about,
    ...files,
  ]);
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
  const parts = ["chain.pem", "key.pem"].map((file) => readFileSync(path.join(into, file), "utf8"));
  writeFileSync(path.join(into, "both.pem"), parts.join(""));
}
