import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * What cannot be run here as the page has it, and what is run instead. Everything else of a command is
 * the page's: its options, pipes and SQL.
 */
export const SUBSTITUTES = {
  files: "/etc, /opt, /root and /var are folders of the stage, of the same structure",
  ports: "3001, 3002, 3009 and those of metrics are free ones of this machine",
  systemctl: "ends and starts the processes, and waits as the units do until they serve",
  journalctl: "reads what the processes have written; there is one log a unit, whatever its age",
  runuser: "the user of PostgreSQL is the one asked for, that of the process stays",
  kickabout: "the command of package.json, as deploy/systemd/kickabout runs it",
  curl: "kickabout.example leads to the stage's proxy, whose authority is trusted",
  ssh: "copy.example is a folder of the stage, any other machine the stage itself",
  users: "what is installed or given to a user or group stays that of the tests",
  pg_lsclusters: "Debian's own, of a cluster that is called 17/main whatever its version",
};

/** The programs in place of the machine's. */
export function installPrograms(root: string, postgresFolder: string): string {
  const bin = path.join(root, "bin");
  const logs = path.join(root, "var", "log", "units");
  const programs: Record<string, string> = {
    systemctl: `exec /usr/bin/curl --silent --show-error --fail-with-body --max-time 300 \\
      --unix-socket ${root}/systemd --data "$*" http://stage/`,
    journalctl: `for option; do case $option in --unit=*) unit=\${option#--unit=};; esac; done
      cat ${logs}/$unit.log | sort --stable --field-separator=: --key=3,3n`,
    runuser: `export PGUSER=$2 PGHOST=${postgresFolder}; shift 3; exec "$@"`,
    kickabout: `name=$1; shift; if [ "$1" = -- ]; then shift; fi; cd ${root} || exit
      script=${root}/opt/kickabout/current/scripts/$(printf %s "$name" | tr : -).ts
      exec ${process.execPath} --import ${root}/stripe.mjs "$script" "$@"`,
    curl: `if [ -e ${root}/caddy-port ]; then
      set -- --cacert ${root}/caddy-root.crt --connect-to kickabout.example:443:127.0.0.1:$(cat ${root}/caddy-port) "$@"; fi
      exec /usr/bin/curl "$@"`,
    ssh: `machine=$1; shift
      if [ $machine = root@copy.example ]; then set -- $(echo "$@" | sed 's|${root}/|${root}/copy.example/|g'); fi
      exec "$@"`,
    chown: "exit",
    install: `for option; do shift
      case $option in --group=* | --owner=*) ;; *) set -- "$@" "$option";; esac; done
      exec /usr/bin/install "$@"`,
    pg_lsclusters: `PG_CLUSTER_CONF_ROOT=${root}/etc/postgresql exec /usr/bin/pg_lsclusters`,
  };
  mkdirSync(bin, { recursive: true });
  mkdirSync(logs, { recursive: true });
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  return bin;
}

/** The command with its values, and with the folders and ports of the stage. */
export function fillIn(
  command: string,
  { root, ports, values }: { root: string; ports: Record<string, number>; values: Values },
): string {
  let text = command;
  for (const [name, value] of Object.entries(values)) {
    text = text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), String(value));
  }
  return text
    .replaceAll(/(?<![\w.])\/(?:etc|opt|root|var)(?=\/)/g, (folder) => root + folder)
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, (port) => String(ports[port] ?? port));
}

/** What is in capitals. */
export type Values = Record<string, string | number>;
