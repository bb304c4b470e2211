import type { Tx } from "./db.server.ts";

export interface Deed {
  /** Who: a user id, or "command" for the command line. */
  actor: string;
  /** What, such as "wallet.grant". */
  action: string;
  /** To whom or what: an id. */
  subject: string;
  details?: Record<string, unknown>;
}

/** Records an admin deed on the deed's own transaction; the log cannot be changed afterwards. */
export async function recordDeed(tx: Tx, deed: Deed): Promise<void> {
  const { details = {}, ...rest } = deed;
  await tx
    .insertInto("audit_log")
    .values({ ...rest, details: JSON.stringify(details) })
    .execute();
}
