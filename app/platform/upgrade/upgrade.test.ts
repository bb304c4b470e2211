import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { log } from "#app/platform/log.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { useDatabase } from "#test/db.ts";
import { CHECKS, checkStep } from "./checks.server.ts";
import { readChangelog } from "./steps.ts";
import { EARLIER, readUpgrade, upgradeAtStart, upgradeDatabase } from "./upgrade.server.ts";

const database = useDatabase();
const own = readFileSync(path.join(projectRoot, "CHANGELOG.md"), "utf8");

beforeEach(() => database.pool.query("delete from releases"));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const changelog = (...sections: [release: string, ...steps: string[]][]) =>
  sections
    .map(([release, ...steps]) => `## ${release}\n### Before you upgrade\n${steps.join("\n")}\n`)
    .join("\n### What is new\n- Anything\n\n");

const A = changelog(["2026-01-01", "- **old-step**: do it"]);
const B = changelog(
  ["2026-02-01", "- **seller-details** (required): set them", "- **new-step**: look"],
  ["2026-01-01", "- **old-step**: do it", "- **late-step**: added later"],
);
const states = async (text: string) =>
  (await readUpgrade(database.pool, { changelog: text })).steps.map(({ id, state }) => [id, state]);

describe("the changelog", () => {
  const { release, steps } = readChangelog(own);

  test("has releases by date, the newest first, each step under a name of its own", () => {
    const dates = Array.from(own.matchAll(/^## (.*)$/gm), ([, date]) => date!);
    expect(dates[0]).toBe(release);
    expect(dates).toEqual([...new Set(dates)].toSorted().toReversed());
    const ids = steps.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has a check for every required step, and a step for every check", () => {
    const ids = steps.map(({ id }) => id);
    const required = steps.filter(({ isRequired }) => isRequired).map(({ id }) => id);
    expect(required.length).toBeGreaterThan(0);
    expect(required.filter((id) => !(id in CHECKS))).toEqual([]);
    expect(Object.keys(CHECKS).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.each([
    ["a heading that is no date", "## 1.4.26\n"],
    ["a line among the steps that is none", changelog(["2026-01-01", "- Install it again"])],
    ["no release", "# Changelog\n"],
  ])("is rejected with %s", (_, text) => {
    expect(() => readChangelog(text)).toThrow(/^CHANGELOG\.md/);
  });
});

test("between two versions are the steps that the former did not know, whatever their release", async () => {
  expect(await readUpgrade(database.pool, { changelog: B })).toMatchObject({ from: EARLIER });
  await upgradeDatabase(database.pool, { changelog: A });
  expect(await readUpgrade(database.pool, { changelog: B })).toMatchObject({
    from: "2026-01-01",
    to: "2026-02-01",
  });
  vi.stubEnv("DEMO", "0");
  expect(await states(B)).toEqual([
    ["seller-details", "missing"],
    ["new-step", "unknown"],
    ["late-step", "unknown"],
  ]);
});

test("a step that is added to the release that runs is named once, and an older version keeps the names of all", async () => {
  const more = changelog(["2026-01-01", "- **old-step**: do it", "- **late-step**: later"]);
  await upgradeDatabase(database.pool, { changelog: A });
  expect(await states(more)).toEqual([["late-step", "unknown"]]);
  await upgradeDatabase(database.pool, { changelog: more });
  await upgradeDatabase(database.pool, { changelog: A });
  expect(await states(more)).toEqual([]);
});

test("a required step that is missing keeps the database as it is, unless it is left out by name", async () => {
  await upgradeDatabase(database.pool, { changelog: A });
  vi.stubEnv("DEMO", "0");
  await expect(upgradeDatabase(database.pool, { changelog: B })).rejects.toThrow(
    /^Nothing was changed.*\nseller-details: set them$/,
  );
  expect(await readUpgrade(database.pool, { changelog: B })).toMatchObject({ from: "2026-01-01" });
  await expect(
    upgradeDatabase(database.pool, { changelog: B, without: ["seller"] }),
  ).rejects.toThrow("Nothing was changed: seller is no step of this upgrade");
  const without = ["seller-details"];
  const { open } = await upgradeDatabase(database.pool, { changelog: B, without });
  expect(open.map(({ id }) => id)).toEqual(["seller-details", "new-step", "late-step"]);
  expect(await states(B)).toEqual([]);
});

test("a start warns of what is left to do, once", async () => {
  const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
  await upgradeAtStart(database.pool);
  const { steps } = readChangelog(own);
  const { id, release, text } = steps.find((step) => !(step.id in CHECKS))!;
  expect(warned).toHaveBeenCalledWith({ step: id, release }, `to do for this upgrade: ${text}`);
  warned.mockClear();
  await upgradeAtStart(database.pool);
  expect(warned).not.toHaveBeenCalled();
});

describe("a check", () => {
  const root = mkdtempSync(path.join(tmpdir(), "kickabout-upgrade-"));
  afterAll(() => rmSync(root, { recursive: true }));
  const check = (id: string, env = {}) => checkStep(CHECKS[id], { pool: database.pool, root, env });
  const install = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };

  test.each([
    ["cron-lines", "deploy/cron/kickabout", "etc/cron.d/kickabout"],
    ["caddyfile", "deploy/caddy/Caddyfile", "etc/caddy/Caddyfile"],
    ["alerts", "deploy/prometheus/alerts.yml", "etc/prometheus/alerts.yml"],
    [
      "journal-settings",
      "deploy/systemd/journald-90-days.conf",
      "etc/systemd/journald.conf.d/kickabout.conf",
    ],
  ])("of %s accepts the site's name and lines, and misses one of ours", async (id, ours, there) => {
    expect(await check(id)).toBe("done");
    const text = readFileSync(path.join(projectRoot, ours), "utf8");
    const named = text.replaceAll("kickabout.example", "games.uni.fi").replaceAll(/^#.*\n/gm, "");
    install(there, `${named}\n# A line of the site\n`);
    expect(await check(id)).toBe("done");
    const lines = named.split("\n").filter((line) => !/games\.uni\.fi|^\s*#/.test(line));
    const longest = lines.toSorted((a, b) => b.length - a.length)[0]!;
    install(there, named.replace(longest, ""));
    expect(await check(id)).toBe("missing");
  });

  test("of the service's home looks at its user alone", async () => {
    expect(await check("service-home")).toBe("unknown");
    const user = (home: string) => `kickabout:x:990:990::${home}:/usr/sbin/nologin\n`;
    const others = "root:x:0:0:root:/root:/bin/bash\n";
    install("etc/passwd", others);
    expect(await check("service-home")).toBe("done");
    install("etc/passwd", others + user("/var/lib/kickabout"));
    expect(await check("service-home")).toBe("missing");
    install("etc/passwd", others + user("/nonexistent"));
    expect(await check("service-home")).toBe("done");
  });

  test("of the seller wants all three details of a site, and none of a demo", async () => {
    const site = {
      DEMO: "0",
      SELLER_ADDRESS: "Road 1",
      SELLER_BUSINESS_ID: "1",
      SELLER_VAT_ID: "FI1",
    };
    expect(await check("seller-details", site)).toBe("done");
    expect(await check("seller-details", { ...site, SELLER_VAT_ID: "" })).toBe("missing");
    expect(await check("seller-details", { DEMO: "1" })).toBe("done");
  });

  test("of the archive reads the server's own command", async () => {
    expect(await check("archive-command")).toBe("done");
  });

  test("of labels cannot look in a cluster", async () => {
    expect(await check("kubernetes-labels")).toBe("done");
    expect(await check("kubernetes-labels", { KUBERNETES_SERVICE_HOST: "10.0.0.1" })).toBe(
      "unknown",
    );
  });
});
