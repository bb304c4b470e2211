import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { getCACertificates } from "node:tls";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { applicationName } from "#app/platform/postgres/bounded-pool.server.ts";
import { runTool, toolEnv } from "./pg-tools.ts";

test("without pg_dump one sentence says what to install", async () => {
  vi.stubEnv("PATH", "/nowhere");
  const failed = runTool("pg_dump", [], { connectionString: "postgres://localhost/kickabout" });
  await expect(failed).rejects.toThrow(
    /^pg_dump does not run here .*postgresql-client.* https:\/\/apt\.postgresql\.org/,
  );
  vi.unstubAllEnvs();
});

test("the address reaches PostgreSQL's programs by variables", () => {
  const file = import.meta.filename; // pg reads it
  const query = `sslmode=verify-full&sslcert=${file}&sslkey=${file}`;
  const connectionString = `postgres://us%40er:p%2Fw@db.example:6543/kick?${query}`;
  expect(toolEnv({ connectionString })).toEqual({
    ...{ PGHOST: "db.example", PGPORT: "6543", PGUSER: "us@er", PGPASSWORD: "p/w" },
    ...{ PGDATABASE: "kick", PGSSLMODE: "verify-full", PGSSLCERT: file, PGSSLKEY: file },
    PGAPPNAME: applicationName("command"),
  });
});

const ALL = {};
const NOTHING = { rejectUnauthorized: false };
const CHAIN = { ca: expect.any(String), checkServerIdentity: expect.any(Function) };

test.each([
  ["", false, "disable"],
  ["sslmode=disable", false, "disable"],
  ["ssl=0", false, "disable"],
  ["ssl=true&sslmode=disable", false, "disable"],
  ["sslmode=no-verify", NOTHING, "require"],
  ["ssl=no-verify", NOTHING, "require"],
  ["uselibpqcompat=true&sslmode=require", NOTHING, "require"],
  ["uselibpqcompat=true&sslmode=prefer", NOTHING, "require"],
  [`uselibpqcompat=true&sslmode=require&sslrootcert=${import.meta.filename}`, CHAIN, "verify-ca"],
  [`uselibpqcompat=true&sslmode=verify-ca&sslrootcert=${import.meta.filename}`, CHAIN, "verify-ca"],
  ["uselibpqcompat=true&sslmode=verify-full", ALL, "verify-full"],
  ["sslmode=prefer", ALL, "verify-full"],
  ["sslmode=require", ALL, "verify-full"],
  ["sslmode=verify-ca", ALL, "verify-full"],
  ["sslmode=verify-full", ALL, "verify-full"],
  ["sslmode=no-verify&sslmode=require", ALL, "verify-full"],
  ["ssl=0&sslmode=require", ALL, "verify-full"],
  ["ssl=true", true, "verify-full"],
  ["ssl=1", true, "verify-full"],
  ["sslnegotiation=direct", true, "verify-full"],
  [`sslrootcert=${import.meta.filename}`, { ca: expect.any(String) }, "verify-full"],
])("of %j PostgreSQL's programs check what pg does", (query, ssl, mode) => {
  const config = { connectionString: `postgres://db.example/kickabout?${query}` };
  expect(new pg.Client(config).ssl).toEqual(ssl);
  expect(toolEnv(config).PGSSLMODE).toBe(mode);
});

test("a mode of the environment is pg's too", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("PGSSLMODE", "require");
  const config = { connectionString: "postgres://db.example/kickabout" };
  expect(new pg.Client(config).ssl).toBe(true);
  expect(toolEnv(config).PGSSLMODE).toBe("verify-full");
});

test("where its certificate is checked PostgreSQL's programs trust whom the site trusts", async () => {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "kickabout-programs-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const bin = path.join(folder, "bin");
  const shown = path.join(bin, "shown");
  fs.mkdirSync(bin);
  const script = `#!/bin/sh\nexec > ${shown}; echo "$PGSSLROOTCERT"; cat "$PGSSLROOTCERT"\n`;
  fs.writeFileSync(path.join(bin, "pg_dump"), `${script}exit 0\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const run = async (query: string) => {
    await runTool("pg_dump", [], {
      connectionString: `postgres://db.example/kickabout?${query}`,
    });
    const [file = "", ...certificates] = fs.readFileSync(shown, "utf8").trimEnd().split("\n");
    expect(fs.existsSync(path.dirname(file))).toBe(false);
    return certificates.join("\n");
  };
  const nodes = getCACertificates().join("\n").trimEnd();
  expect(await run("sslmode=verify-full")).toBe(nodes);
  expect(await run("ssl=true")).toBe(nodes);
  const own = path.join(folder, "own.pem");
  fs.writeFileSync(own, "an authority of their own\n");
  expect(await run(`sslmode=require&sslrootcert=${own}`)).toBe("an authority of their own");
  // Nor do they look for one in the home.
  expect(await run("sslmode=no-verify")).toBe("");
});
