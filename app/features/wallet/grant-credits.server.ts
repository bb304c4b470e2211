import type { Db } from "../../platform/db.server.ts";
import { type Correction, correctBalance } from "./correct-balance.server.ts";

/**
 * Corrects a balance for a command or the demo. Answers false and changes nothing where the balance
 * would fall below 0. `key` makes a repeat harmless.
 */
export async function grantCredits(db: Db, grant: Correction): Promise<boolean> {
  return (await correctBalance(db, grant)).ok;
}
