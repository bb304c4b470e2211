import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withinRequest } from "#app/platform/postgres/database-time.server.ts";
import { csvResponse, csvRow, csvText } from "./csv.server.ts";

const database = useDatabase();

test.each([
  ["=1+1", "'=1+1"],
  ['=HYPERLINK("https://evil.example","x")', '\'=HYPERLINK("https://evil.example","x")'],
  ["+358401234567", "'+358401234567"],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ["@SUM(A1:A9)", "'@SUM(A1:A9)"],
  ["\t=1", "'\t=1"],
  ["\r=1", "'\r=1"],
  ["\n=1", "'\n=1"],
  ["＝1+1", "'＝1+1"],
  ["", ""],
  ["Joined a game", "Joined a game"],
  ["a=1, b-2", "a=1, b-2"],
])("no formula: %j", (text, safe) => {
  expect(csvText(text)).toBe(safe);
});

test.each([
  [["a", "b", ""], "a,b,\r\n"],
  [["a,b"], '"a,b"\r\n'],
  [['say "hi"'], '"say ""hi"""\r\n'],
  [["two\nlines", "two\r\nlines"], '"two\nlines","two\r\nlines"\r\n'],
  [["-10.00", "\u00e4 \u26bd"], "-10.00,\u00e4 \u26bd\r\n"],
])("a row of RFC 4180: %j", (cells, row) => {
  expect(csvRow(cells)).toBe(row);
});

test("a long file is sent whole, though its parts together take longer than a request may", async () => {
  async function* lines() {
    for (const part of ["a", "b", "c"]) {
      await database.pool.query("select pg_sleep(0.1)");
      yield csvRow([part]);
    }
  }
  const text = await withinRequest(() => csvResponse("log.csv", lines()).text(), 150);
  expect(text).toBe("a\r\nb\r\nc\r\n");
});
