import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { statementsSent } from "#test/plans.ts";
import { listAuditEntriesOfForm, recordAudits } from "./audit.server.ts";

const database = useDatabase();

test("entries are written in order, and looked for, by one statement text whatever their number", async () => {
  const written = new Set<string>();
  for (const count of [1, 2, 5]) {
    const formKey = crypto.randomUUID();
    const subjects = Array.from({ length: count }, () => crypto.randomUUID());
    const action = "game.publish" as const;
    const entries = subjects.map((subject, number) => {
      return { actor: "test", action, subject, details: { formKey, number } };
    });
    const sent = await statementsSent(
      database.pool,
      async (db) => {
        await db.transaction().execute(async (tx) => {
          await recordAudits(tx, entries);
          const found = await listAuditEntriesOfForm(tx, { action, subject: subjects, formKey });
          expect(found).toEqual(entries.map(({ details }) => details));
        });
      },
      /^\s*(insert|select)/,
    );
    for (const statement of sent) written.add(statement.sql);
  }
  expect(written.size).toBe(2);
});
