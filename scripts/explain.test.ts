import pg from "pg";
import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { explain } from "./explain.ts";

const database = useDatabase();

async function failureOf(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  return client.connect().catch((error: unknown) => error);
}

test.each([
  "postgres://kickabout@127.0.0.1:9/kickabout",
  "postgres://kickabout@localhost:9/kickabout",
  "postgres://kickabout@nowhere.invalid/kickabout",
])("that %s cannot be reached is said of DATABASE_URL", async (url) => {
  expect(explain(await failureOf(url))).toMatch(/^The database of DATABASE_URL: \S+ \w+/);
});

test("a table that is missing is made by migrating", async () => {
  const failed = await database.pool.query("select from venus").catch((error: unknown) => error);
  expect(explain(failed)).toBe('relation "venus" does not exist: run `npm run db:migrate` first');
});

test("what has nothing to do with the database is said as it is", () => {
  const missing = Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" });
  expect(explain(missing)).toBe("no such file");
});
