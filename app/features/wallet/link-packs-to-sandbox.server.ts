import type { Db } from "#app/platform/db.server.ts";
import { SANDBOX_PATH, sandboxIds } from "#app/platform/sandbox.ts";
import { listPacks } from "./packs.server.ts";

/**
 * Points the demo's packs at its own checkout, whose address is the site's of today. A link that
 * somebody has stored since stands.
 */
export async function linkPacksToSandbox(db: Db, appUrl: string): Promise<void> {
  for (const { id, key } of await listPacks(db)) {
    const path = SANDBOX_PATH + key;
    await db
      .updateTable("credit_packs")
      .set({ stripe_checkout_link: appUrl + path })
      .where("id", "=", id)
      .where("stripe_payment_link_id", "=", sandboxIds(key).stripe_payment_link_id)
      .where((eb) =>
        eb.or([
          eb("stripe_checkout_link", "is", null),
          eb("stripe_checkout_link", "like", `%${path}`),
        ]),
      )
      .execute();
  }
}
