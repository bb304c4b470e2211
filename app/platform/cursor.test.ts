import { expect, test } from "vitest";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { fromMicros, isBeyond, readCursor, toMicros, writeCursor } from "./cursor.server.ts";

// Writes queries and sends none.
const db = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

test("a written cursor is read back", () => {
  const keys = ["2026-11-21T10:00:00.000Z", "Åäö ' \"%"];
  const word = writeCursor(keys);
  expect(encodeURIComponent(word)).toBe(word);
  expect(readCursor(word, 2)).toEqual(keys);
});

test.each([
  null,
  "",
  "%%%",
  "bm8",
  writeCursor(["one"]),
  writeCursor(["one", "two", "three"]),
  writeCursor(["a\0b", "c"]),
  Buffer.from('[1,"two"]').toString("base64url"),
  Buffer.from('[["one"],"two"]').toString("base64url"),
  Buffer.from('{"length":2}').toString("base64url"),
])("%j begins at the top", (word) => {
  expect(readCursor(word, 2)).toBeNull();
});

const ID = "6e1f0d52-8a3e-4a44-9d3c-0f3e0d7a1b11";
const [OLDEST, LONGEST] = ["1", "1793959200000001"];

test.each([
  ["asc", ">", OLDEST],
  ["desc", "<", OLDEST],
  ["asc", ">", LONGEST],
] as const)("a page in order %s has the rows %s its cursor (%s)", (order, beyond, micros) => {
  const { sql, parameters } = isBeyond(writeCursor([micros, ID]), "sent_at", order).compile(db);
  expect(sql).toContain(`("sent_at", id) ${beyond} (timestamptz 'epoch' + $1`);
  expect(parameters).toEqual([micros, ID]);
});

test.each([
  ["no cursor", null],
  ["one of another list", writeCursor([OLDEST])],
  ["no number", writeCursor(["x", ID])],
  ["a number and more", writeCursor([`${OLDEST}x`, ID])],
  ["more and a number", writeCursor([`x${OLDEST}`, ID])],
  ["a negative number", writeCursor([`-${OLDEST}`, ID])],
  ["a number that no timestamp has", writeCursor([`${LONGEST}0`, ID])],
  ["no id", writeCursor([OLDEST, "x"])],
  ["neither", writeCursor(["x", "y"])],
])("with %s a list begins at the top", (_, cursor) => {
  expect(isBeyond(cursor, "sent_at", "desc").compile(db)).toMatchObject({
    sql: "true",
    parameters: [],
  });
});

test("cursors count in microseconds, as PostgreSQL does, not in a Date's milliseconds", () => {
  expect(toMicros("sent_at").compile(db).sql).toContain('epoch from "sent_at") * 1000000)::bigint');
  expect(fromMicros(LONGEST).compile(db)).toMatchObject({
    sql: expect.stringContaining("$1::bigint * interval '1 microsecond'"),
    parameters: [LONGEST],
  });
});
