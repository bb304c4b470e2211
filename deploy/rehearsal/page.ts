import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";

export interface Block {
  /** The heading above it. */
  title: string;
  script: string;
}

/** Every block of docs/deploy.md that is marked `sh`, in order. */
export function readBlocks(): Block[] {
  const text = readFileSync(path.join(projectRoot, "docs", "deploy.md"), "utf8");
  const blocks: Block[] = [];
  let title = "";
  for (const [, heading, script] of text.matchAll(/^## (.+)$|^```sh\n([\s\S]*?)^```$/gm)) {
    if (heading) title = heading;
    else blocks.push({ title, script: script! });
  }
  return blocks;
}

/** Trusts the machine's, for the exporter of the site; a chroot has no user namespaces. */
const PREPARED = `cp /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt /usr/local/share/ca-certificates/
update-ca-certificates > /dev/null
mkdir --parents /etc/systemd/system/prometheus.service.d
printf '[Service]\\nPrivateUsers=no\\n' > /etc/systemd/system/prometheus.service.d/rehearsal.conf
systemctl daemon-reload`;

/** What has to differ from the page, because there is no internet; each must be there. */
const DIFFERENT: [from: string, to: string][] = [
  ["https://git.example/kickabout.git", "/root/kickabout.bundle"],
  ["--detach COMMIT", "--detach HEAD"],
  ["smtps://USER:PASSWORD@mail.example", "smtp://127.0.0.1:2525?ignoreTLS=true"],
  // Caddy signs the certificate itself.
  [
    "caddy validate",
    "sed --in-place '0,/^{/s//{\\n\\tlocal_certs/' /etc/caddy/Caddyfile\ncaddy validate",
  ],
  [
    "port 465\ntls on\ntls_starttls off\nauth on\nuser USER\npassword PASSWORD\n",
    "port 2525\ntls off\nauth off\n",
  ],
  [
    "mail.example:465\n        auth_username: USER\n        auth_password: PASSWORD\n",
    "127.0.0.1:2525\n        require_tls: false\n",
  ],
  ["host mail.example\n", "host 127.0.0.1\n"],
  ["systemctl restart prometheus ", `${PREPARED}\nsystemctl restart prometheus `],
  [
    "curl --fail",
    "curl --cacert /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt --fail",
  ],
];

export function adapt(script: string): string {
  return DIFFERENT.reduce((text, [from, to]) => text.replaceAll(from, to), script);
}

export function unusedDifferences(blocks: Block[]): string[] {
  const text = blocks.map(({ script }) => script).join("\n");
  return DIFFERENT.map(([from]) => from).filter((from) => !text.includes(from));
}

/** Downloads go through this machine's network. */
export const isDownload = (script: string) => /^(apt-get|npm install|git clone)/m.test(script);
