import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { statementsSent } from "#test/plans.ts";
import { listAuditEntriesOfForm, recordAudits } from "./audit.server.ts";
import { type Db, insertRows, isOneOf } from "./db.server.ts";

const database = useDatabase();

/** The different texts that `run` sends for one, two and five. */
async function textsOf(run: (db: Db, count: number) => Promise<void>): Promise<string[]> {
  const texts: string[] = [];
  for (const count of [1, 2, 5]) {
    const sent = await statementsSent(
      database.pool,
      (db) => run(db, count),
      /^\s*(insert|select|delete)/,
    );
    texts.push(...sent.map((statement) => statement.sql));
  }
  return [...new Set(texts)];
}

test("audit entries are written in order, and looked for, by one text whatever their number", async () => {
  const texts = await textsOf(async (db, count) => {
    const formKey = crypto.randomUUID();
    const subjects = Array.from({ length: count }, () => crypto.randomUUID());
    const action = "game.publish" as const;
    const entries = subjects.map((subject, number) => {
      return { actor: "test", action, subject, details: { formKey, number } };
    });
    await db.transaction().execute(async (tx) => {
      await recordAudits(tx, entries);
      const found = await listAuditEntriesOfForm(tx, { action, subject: subjects, formKey });
      expect(found).toEqual(entries.map(({ details }) => details));
    });
  });
  expect(texts).toHaveLength(2);
});

test("rows are inserted in order, as their columns have them, by one text whatever their number", async () => {
  const texts = await textsOf(async (db, count) => {
    const rows = Array.from({ length: count }, (_, number) => ({
      ...{ id: crypto.randomUUID(), name: `O'Neill "${number}"`, logo_url: null },
      ...{ is_active: number % 2 === 0, sort_order: number, created_at: new Date(number) },
    }));
    const columns = ["id", "name", "logo_url", "is_active", "sort_order", "created_at"] as const;
    expect(await insertRows(db, "partners", rows).returning(columns).execute()).toEqual(rows);
    const ids = rows.map(({ id }) => id);
    const deleted = db.deleteFrom("partners").where(isOneOf("id", ids)).executeTakeFirst();
    expect((await deleted).numDeletedRows).toBe(BigInt(count));
  });
  expect(texts).toHaveLength(2);
});
