import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { COUNTRIES, findCountry } from "./countries.server.ts";

// spec: 3.31, 5.22
test("about 190 countries, each with its own name and a flag to show", () => {
  expect(COUNTRIES.length).toBeGreaterThanOrEqual(190);
  expect(COUNTRIES.length).toBeLessThanOrEqual(200);
  expect(new Set(COUNTRIES.map(({ name }) => name)).size).toBe(COUNTRIES.length);
  for (const { code, name } of COUNTRIES) {
    expect(code).toMatch(/^[A-Z]{2}$/);
    expect(name).not.toMatch(/,|\(|Republic of$/);
    expect(existsSync(path.join(projectRoot, "public", "flags", `${code}.svg`)), name).toBe(true);
  }
});

test("countries are stored by code and searched by other names too", () => {
  expect(findCountry("FI")?.name).toBe("Finland");
  expect(findCountry("US")?.also).toContain("USA");
  for (const code of ["", "fi", "XX", "AQ", "constructor", "Finland"]) {
    expect(findCountry(code)).toBeNull();
  }
});

test("in the order of their names", () => {
  const names = COUNTRIES.map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(["Afghanistan", "Albania"]);
  expect(names.indexOf("Côte d'Ivoire")).toBeLessThan(names.indexOf("Croatia"));
});
