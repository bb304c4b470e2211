import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import type { Scenario } from "./alerting.ts";
import { readScrape, type Sample } from "./scrapes.ts";

const GIGABYTE = 2 ** 30;
const DAY = 86_400;

/** What the server's exporters say beside the application, and the line of cron whose file they read. */
export function createExporters() {
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-exporters-"));
  const server = { isUp: true, free: 12 * GIGABYTE };
  const site = { isReachable: true, daysLeft: 60 };
  const now = () => Math.floor(Date.now() / 1_000);

  function takeBackup(hoursAgo: number) {
    const at = new Date(Date.now() - hoursAgo * 3_600_000);
    const backup = path.join(folder, `kickabout-${at.toISOString().replaceAll(":", "")}`);
    mkdirSync(backup);
    utimesSync(backup, at, at);
  }

  /** Reads it like cron, once an hour. */
  function readBackupAge(): string {
    const text = readFileSync(path.join(projectRoot, "deploy/cron/kickabout-backup-age"), "utf8");
    const [, command = ""] = /^5 \* \* \* \* root (.+)$/m.exec(text) ?? [];
    const line = command
      .replace("/var/lib/prometheus/node-exporter", folder)
      .replace("/var/backups/kickabout", folder)
      .replaceAll("\\%", "%");
    const { status, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return readFileSync(path.join(folder, "kickabout.prom"), "utf8");
  }

  function scrape(): Sample[] {
    const disk = `{device="/dev/vda1",fstype="ext4",mountpoint="/"}`;
    const full = `{device="/dev/loop0",fstype="squashfs",mountpoint="/snap"}`;
    const ofServer = `
      up ${server.isUp ? 1 : 0}
      node_filesystem_avail_bytes${disk} ${server.free}
      node_filesystem_size_bytes${disk} ${40 * GIGABYTE}
      node_filesystem_avail_bytes${full} 0
      node_filesystem_size_bytes${full} ${GIGABYTE}
      ${readBackupAge()}`;
    const ofSite = `
      up 1
      probe_success ${site.isReachable ? 1 : 0}
      probe_ssl_earliest_cert_expiry ${now() + site.daysLeft * DAY}`;
    return [...labelled("kickabout-server", ofServer), ...labelled("kickabout-site", ofSite)];
  }

  const scenarios: Record<string, Scenario> = {
    KickaboutSiteDown: {
      breaks: () => (site.isReachable = false),
      mends: () => (site.isReachable = true),
    },
    KickaboutCertificateExpires: {
      breaks: () => (site.daysLeft = 6),
      mends: () => (site.daysLeft = 60),
    },
    KickaboutDiskFull: {
      breaks: () => (server.free = 3 * GIGABYTE),
      mends: () => (server.free = 12 * GIGABYTE),
    },
    KickaboutBackupOld: {
      breaks: () => (removeBackups(), takeBackup(27)),
      mends: () => takeBackup(0),
    },
    KickaboutUnwatched: {
      breaks: () => (server.isUp = false),
      mends: () => (server.isUp = true),
    },
  };
  const removeBackups = () => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
  };
  takeBackup(24);
  takeBackup(1);
  return { scrape, scenarios, close: () => rmSync(folder, { recursive: true }) };
}

function labelled(job: string, text: string): Sample[] {
  const samples = readScrape(text.replaceAll(/^ +/gm, ""));
  return samples.map((each) => ({ ...each, labels: { ...each.labels, job, instance: "server" } }));
}
