import type { Db } from "#app/platform/db.server.ts";
import { credit } from "./ledger.server.ts";

/** Adds bought credits. The key names what was paid for; the same key is never booked twice. */
export async function topUp(
  db: Db,
  { userId, amountCents, key }: { userId: string; amountCents: number; key: string },
): Promise<void> {
  const entry = { userId, amountCents, notes: "Credit Top-up", businessKey: `topup:${key}` };
  await db.transaction().execute((tx) => credit(tx, "topup", entry, { source: "pack" }));
}
