import { expect, test } from "vitest";
import { readXlsx } from "#test/xlsx.ts";
import {
  type Column,
  phone,
  spreadsheetBytes,
  text,
} from "#app/routes/responses/spreadsheets.server.ts";

const file = (format: "csv" | "xlsx", column: Column<null>) =>
  new Response(spreadsheetBytes(format, { columns: [column], rows: [[null]] }));
const csvOf = async (column: Column<null>) =>
  (await file("csv", column).text()).split("\r\n").slice(1).join("\r\n").trimEnd();

// What follows a separator begins a cell wherever that separates: in Finland that is a semicolon.
test.each([
  ["=1+1", "'=1+1"],
  ['=HYPERLINK("https://evil.example","x")', '\'=HYPERLINK("https://evil.example","x")'],
  ["+358401234567", "'+358401234567"],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ["@SUM(A1:A9)", "'@SUM(A1:A9)"],
  ["\t=1", "\t'=1"],
  ["\r=1", "\r'=1"],
  ["\n=1", "\n'=1"],
  ["＝1+1", "'＝1+1"],
  ["x;=1+1;", "x;'=1+1;"],
  ['x;"=1+1"', 'x;"\'=1+1"'],
  ["x; -1;@A1", "x; '-1;'@A1"],
  ["x,+1\ty\t=2", "x,'+1\ty\t'=2"],
  ["", ""],
  ["Joined a game", "Joined a game"],
  ["a=1, b-2; c+3", "a=1, b-2; c+3"],
])("no formula: %j", async (value, safe) => {
  const written = await csvOf(text("text", () => value));
  expect(written.replace(/^"(.*)"$/s, (_, quoted) => quoted.replaceAll('""', '"'))).toBe(
    safe.trimEnd(),
  );
  const [, [cell = null] = []] = readXlsx(
    await file(
      "xlsx",
      text("text", () => value),
    ).bytes(),
  );
  expect(cell).toBe(value.replace("\r", "_x000D_"));
});

test.each([
  ["0401234567", "040 1234567"],
  ["+358401234567", "+358 401234567"],
  ["+46701234567", "+46 701234567"],
  ["+358 40 123 4567", "+358 40 123 4567"],
  ["(09) 123-456", "(09) 123-456"],
  ["=1+1", "'=1+1"],
])("the phone number %j stays text, without an apostrophe", async (typed, csv) => {
  const column = phone("phone", () => typed);
  expect(await csvOf(column)).toBe(csv);
  expect(readXlsx(await file("xlsx", column).bytes())[1]).toEqual([typed]);
});
