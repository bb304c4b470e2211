import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { archiveCommands } from "#test/archive.ts";

test("a file that PostgreSQL offers twice is archived once, and another one of its name never", () => {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "kickabout-archive-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  fs.mkdirSync(path.join(folder, "wal"));
  const { archive, restore } = archiveCommands(folder);
  const run = (command: string, file: string) =>
    spawnSync("sh", ["-c", command.replaceAll("%f", "0A").replaceAll("%p", file)], { cwd: folder });
  const offer = (bytes: string) => {
    fs.writeFileSync(path.join(folder, "file"), bytes);
    return run(archive, "file").status;
  };
  // What a crash has left of an earlier try.
  fs.writeFileSync(path.join(folder, "wal", "0A.part"), "half");
  expect(offer("changes")).toBe(0);
  expect(offer("changes")).toBe(0);
  expect(offer("others")).not.toBe(0);
  expect(fs.readdirSync(path.join(folder, "wal"))).toEqual(["0A.gz"]);
  expect(run(restore, "back").status).toBe(0);
  expect(fs.readFileSync(path.join(folder, "back"), "utf8")).toBe("changes");
  fs.writeFileSync(path.join(folder, "wal", "0A.gz"), "");
  expect(offer("changes")).not.toBe(0);
  fs.rmSync(path.join(folder, "wal"), { recursive: true });
  expect(offer("changes")).not.toBe(0);
});
