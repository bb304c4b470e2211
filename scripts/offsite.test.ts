import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openOffsite } from "#test/offsite.ts";
import { nameOfBackup } from "./backups/manifest.ts";

const SILENT = { code: 0, out: "", problems: "" };
const HOUR_MS = 3_600_000;

/** The other machine, with copies of these ages in hours; rsync does what is given. */
function withCopies(ages: number[], rsync = "true") {
  const offsite = openOffsite("/nowhere", [rsync]);
  onTestFinished(() => offsite.close());
  const names = ages.map((hours) => nameOfBackup(new Date(Date.now() - hours * HOUR_MS)));
  for (const name of names) mkdirSync(path.join(offsite.copies, name));
  return { ...offsite, names, list: () => readdirSync(offsite.copies).sort() };
}

test("the other machine says when its newest copy is older than 26 hours, or when it has none", () => {
  expect(withCopies([50, 25.9]).checkAge()).toEqual(SILENT);
  const old = withCopies([50, 26.1]);
  expect(old.checkAge()).toEqual({
    ...{ code: 1, problems: "" },
    out: `Kickabout's newest copy is older than 26 hours: ${old.names[1]}\n`,
  });
  expect(withCopies([]).checkAge().out).toMatch(/: there is none\n$/);
  const half = withCopies([]);
  mkdirSync(path.join(half.copies, `.half-${nameOfBackup(new Date())}`));
  expect(half.checkAge()).toMatchObject({ code: 1 });
});

test("copies go after 90 days, but for the seven newest", () => {
  const days = (...ages: number[]) => ages.map((age) => age * 24);
  const many = withCopies(days(200, 91, 90.5, 89.5, 7, 6, 5, 4, 3, 2, 1));
  expect(many.copy()).toEqual(SILENT);
  expect(many.list()).toEqual(many.names.slice(3));
  const stopped = withCopies(days(300, 206, 205, 204, 203, 202, 201, 200));
  expect(stopped.copy()).toEqual(SILENT);
  expect(stopped.list()).toEqual(stopped.names.slice(1));
});

test("where the server does not answer, no copy is deleted, and the command fails", () => {
  const offsite = withCopies([240_000, 8, 7, 6, 5, 4, 3, 2], "false");
  expect(offsite.copy()).toMatchObject({ code: 1, out: "" });
  expect(offsite.list()).toEqual(offsite.names);
});
