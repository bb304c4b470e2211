import { sql } from "kysely";
import type { Tx } from "#app/platform/db.server.ts";

/**
 * Notes the payment intents and charges by which something was paid. Answers what parked refunds
 * and disputes may be matched by now.
 */
export async function noteReferences(
  tx: Tx,
  objectId: string,
  references: string[],
): Promise<string[]> {
  if (references.length > 0) {
    await tx
      .insertInto("payment_references")
      .values([...new Set(references)].map((id) => ({ id, stripe_object_id: objectId })))
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ stripe_object_id: objectId }))
      .execute();
  }
  const known = await tx
    .selectFrom("payment_references")
    .select("id")
    .where("stripe_object_id", "=", objectId)
    .execute();
  return [objectId, ...known.map(({ id }) => id)].map((id) => `payment:${id}`);
}

/** The payment that one of these ids names: a payment intent, a charge, or the paid object. */
export async function findPaymentId(tx: Tx, ids: string[]): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from payments where stripe_object_id = any(${ids}::text[]) or stripe_object_id in (
      select stripe_object_id from payment_references where id = any(${ids}::text[])
    ) limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}
