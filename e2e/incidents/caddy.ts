import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import * as tls from "node:tls";
import { projectRoot } from "#app/platform/root.server.ts";
import { programOfDebian } from "#test/debian.ts";
import { endWith, freePort } from "../site.ts";
import { openAuthority } from "./certificate-authority.ts";
import type { Stage } from "./stage.ts";

const NAME = "kickabout.example";

/** The shipped Caddyfile before the stage's web processes, with a certificate of an authority there. */
export async function openCaddy({ at, units }: Stage) {
  const [http, https] = [await freePort(), await freePort()];
  /** Whether anybody reaches port 80 of the name. */
  const firewall = { isOpen: true };
  const authority = await openAuthority(at("authority"), async (asked) => {
    if (!firewall.isOpen) throw new Error("closed");
    const request = get({ host: "127.0.0.1", port: http, path: asked, headers: { Host: NAME } });
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    return text(answer);
  });
  const file = at("etc/caddy/Caddyfile");
  for (const folder of ["etc/caddy", "var/lib/caddy"]) mkdirSync(at(folder), { recursive: true });
  const own = `{
	default_bind 127.0.0.1
	admin unix/${at("caddy-admin")}
	http_port ${http}
	https_port ${https}
	cert_issuer acme {
		dir ${authority.url}/directory/0
		disable_tlsalpn_challenge
	}
`;
  const shipped = readFileSync(path.join(projectRoot, "deploy/caddy/Caddyfile"), "utf8");
  writeFileSync(file, shipped.replace(/^\{\n/m, own));
  writeFileSync(at("caddy-root.crt"), readFileSync(authority.root));
  writeFileSync(at("caddy-port"), String(https));
  const upstreams = [3001, 3002].map((port) => `127.0.0.1:${units.ports[port]}`).join(" ");
  const home = at("var/lib/caddy");
  const env = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, UPSTREAMS: upstreams };
  const [program = "", ...first] = programOfDebian("usr/bin/caddy", ["caddy"]);
  const options = ["--adapter", "caddyfile", "--config", file];
  let caddy: ChildProcess | undefined;
  const start = () => {
    const log = openSync(at("var/log/units/caddy.log"), "a");
    caddy = spawn(program, [...first, "run", ...options], { stdio: ["ignore", log, log], env });
  };
  units.add("caddy", {
    start,
    restart: () => endWith(caddy!, "SIGTERM").then(start),
    // Debian's unit forces it too.
    reload() {
      const args = [
        ...first,
        "reload",
        ...options,
        "--force",
        "--address",
        `unix/${at("caddy-admin")}`,
      ];
      const { status, stderr } = spawnSync(program, args, { encoding: "utf8", env });
      if (status !== 0) throw new Error(stderr);
    },
  });
  return {
    ...{ authority, firewall, https },
    /** What an exporter finds that asks from outside. */
    async probe() {
      const socket = tls.connect({
        ...{ host: "127.0.0.1", port: https, servername: NAME },
        ca: readFileSync(authority.root),
        rejectUnauthorized: false,
      });
      const failed = once(socket, "error").then(() => false);
      const isThere = await Promise.race([failed, once(socket, "secureConnect").then(() => true)]);
      const expires = isThere ? Date.parse(socket.getPeerCertificate().valid_to) : 0;
      const isGood = isThere && socket.authorized;
      socket.destroy();
      const labels = { job: "kickabout-site" };
      return [
        { name: "probe_success", labels, value: isGood ? 1 : 0 },
        // The alert's own clock begins at 0.
        { name: "probe_ssl_earliest_cert_expiry", labels, value: (expires - Date.now()) / 1_000 },
      ];
    },
    async close() {
      if (caddy) await endWith(caddy, "SIGTERM");
      authority.close();
    },
  };
}
