import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { readXlsx } from "#test/xlsx.ts";
import { withinRequest } from "#app/platform/postgres/database-time.server.ts";
import {
  type Column,
  date,
  hundredths,
  instant,
  integer,
  json,
  spreadsheetBytes,
  spreadsheetResponse,
  text,
  time,
} from "./spreadsheets.server.ts";

const database = useDatabase();

const file = (format: "csv" | "xlsx", columns: Column<unknown>[], rows: unknown[] = [null]) =>
  new Response(spreadsheetBytes(format, { columns, rows: [rows] }));

test("a file of each kind: the .csv as programs read it, the .xlsx with numbers, dates and times", async () => {
  const facts = { note: 'a "b", c', details: { title: "x;=1", list: ["-1", -2] } };
  const columns: Column<unknown>[] = [
    text("text", () => facts.note),
    json("json", () => facts.details),
    date("date", () => "2026-11-21"),
    time("time", () => "18:45:00"),
    instant("instant", () => "2026-03-29 02:30:00"),
    hundredths("amount", () => -901),
    integer("count", () => 1234),
    integer("none", () => null),
  ];
  expect(await file("csv", columns).text()).toBe(
    "text,json,date,time,instant,amount,count,none\r\n" +
      '"a ""b"", c","{""title"":""x;\\u003d1"",""list"":[""-1"",-2]}",' +
      "2026-11-21,18:45:00,2026-03-29 02:30:00,-9.01,1234,\r\n",
  );
  expect(JSON.parse('{"title":"x;\\u003d1","list":["-1",-2]}')).toEqual(facts.details);
  expect(readXlsx(await file("xlsx", columns).bytes())).toEqual([
    columns.map(({ header }) => header),
    [
      facts.note,
      JSON.stringify(facts.details),
      [46347, "yyyy-mm-dd"],
      [0.78125, "hh:mm:ss"],
      [46110.104166666664, "yyyy-mm-dd hh:mm"],
      [-9.01, "#,##0.00"],
      [1234, "0"],
      null,
    ],
  ]);
});

test("a text that XML or a cell cannot hold is shortened by that alone", async () => {
  const texts = ["a\uFFFEb\u0001", `${"x".repeat(32_766)}\u{1F600}`, "Äkäslompolo", "last"];
  const rows = readXlsx(await file("xlsx", [text("text", String)], texts).bytes());
  expect(rows.slice(1)).toEqual([["ab"], ["x".repeat(32_766)], ["Äkäslompolo"], ["last"]]);
});

const lengths = [integer("a", Number)];

test.each(["csv", "xlsx"] as const)(
  "a long .%s is sent whole, though its parts together take longer than a request may",
  async (format) => {
    async function* parts() {
      for (const part of [1, 2, 3]) {
        await database.pool.query("select pg_sleep(0.1)");
        yield [part];
      }
    }
    const spreadsheet = { columns: lengths, rows: parts() };
    const request = new Request(`http://kickabout.test/log.${format}`);
    const bytes = await withinRequest(
      () => spreadsheetResponse(request, "log", spreadsheet).bytes(),
      150,
    );
    const rows = { csv: () => new TextDecoder().decode(bytes), xlsx: () => readXlsx(bytes) };
    const whole = {
      csv: "a\r\n1\r\n2\r\n3\r\n",
      xlsx: [["a"], ...[1, 2, 3].map((n) => [[n, "0"]])],
    };
    expect(rows[format]()).toEqual(whole[format]);
  },
);

test.each(["csv", "xlsx"] as const)(
  "a .%s that nobody reads on reads no further",
  async (format) => {
    let [read, isClosed] = [0, false];
    async function* parts() {
      try {
        for (;;) yield Array.from({ length: 1_000 }, () => read++);
      } finally {
        isClosed = true;
      }
    }
    const reader = spreadsheetBytes(format, { columns: lengths, rows: parts() }).getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    expect([isClosed, read < 200_000]).toEqual([true, true]);
  },
);
