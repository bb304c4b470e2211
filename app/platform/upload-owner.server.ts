import { sql } from "kysely";
import type { Db } from "./db.server.ts";

/** Mark of this database, which the folder or bucket of its uploads has too. */
export async function readMark(db: Db): Promise<string> {
  const owner = await db.selectFrom("upload_owner").select("mark").executeTakeFirstOrThrow();
  return owner.mark;
}

/** Null in an empty database, or one of a version before. */
export async function findMark(db: Db): Promise<string | null> {
  const { rows } = await sql`
    select where to_regclass('public.upload_owner') is not null`.execute(db);
  return rows.length > 0 ? readMark(db) : null;
}

// The mark goes with the place and not with the rows: a database that takes the place of another has
// that one's, and a backup that is restored elsewhere, such as for a try, has a new one.
export async function setMark(db: Db, former: string | null): Promise<void> {
  const mark = former ?? sql<string>`gen_random_uuid()`;
  await db.updateTable("upload_owner").set({ mark }).execute();
}
