import { beforeAll, expect, test } from "vitest";
import { listAuditEntries } from "#app/features/audit/entries.server.ts";
import { useDatabase } from "#test/db.ts";
import { rowsRead, statementsSent } from "#test/plans.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";

const database = useDatabase();
withoutTimeouts(database);
const [ENTRIES, SHOWN] = [20_000, 51];
const ANYTHING = { actor: null, action: null, subject: null };

// One organiser, who has cancelled six games with each form.
beforeAll(async () => {
  await database.pool.query(
    `insert into audit_log (actor, action, subject, created_at, details)
     select 'command', 'game.cancel', gen_random_uuid(), now() - n * interval '1 hour',
       jsonb_build_object('formKey', md5((n / 6)::text))
     from generate_series(${ENTRIES}, 1, -1) n`,
  );
  await database.pool.query("analyze audit_log");
});

test("a page of the log looks at its own forms only", async () => {
  const [statement] = await statementsSent(database.pool, (db) =>
    listAuditEntries(db, { filter: ANYTHING, before: null, limit: SHOWN }),
  );
  // Six times for the entries of a form, in which each looks for one before it, and once for the others.
  expect(await rowsRead(database.pool, statement!, "audit_log")).toBeLessThan(SHOWN * 6 * 8);
});
