import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import type { LotSource } from "#app/platform/schema.ts";

export interface OpenLot {
  id: string;
  source: LotSource;
  remainingCents: number;
  /** Null never expires. */
  expiresAt: Date | null;
}

/** What a wallet's credits consist of, in the order in which they are spent. */
export async function listOpenLots(db: Db, userId: string): Promise<OpenLot[]> {
  const rows = await db
    .selectFrom("credit_lots")
    .select(["id", "source", "remaining_eur", "expires_at as expiresAt"])
    .where("user_id", "=", userId)
    .where("remaining_eur", ">", "0")
    .orderBy("expires_at", (order) => order.asc().nullsLast())
    .orderBy("seq")
    .execute();
  return rows.map(({ remaining_eur, ...lot }) => ({
    ...lot,
    remainingCents: centsFromNumeric(remaining_eur),
  }));
}
