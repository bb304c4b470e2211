import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";

/** How many payments were applied since then, and what was paid with them before any refund. */
export async function sumPayments(db: Db, since: Date): Promise<{ count: number; cents: number }> {
  const { count, sum } = await db
    .selectFrom("payments")
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      fn.sum<string | null>("amount_eur").as("sum"),
    ])
    .where("created_at", ">=", since)
    .executeTakeFirstOrThrow();
  return { count, cents: centsFromNumeric(sum ?? "0") };
}
