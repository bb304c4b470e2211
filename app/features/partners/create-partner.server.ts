import { randomUUID } from "node:crypto";
import { recordDeed } from "../../platform/audit.server.ts";
import type { Db } from "../../platform/db.server.ts";
import { addPartner } from "./add-partner.server.ts";
import type { PartnerInput } from "./input.ts";

/** An admin's new partner, active and still without a logo. Answers its id. */
export async function createPartner(
  db: Db,
  { actor, ...partner }: PartnerInput & { actor: string },
): Promise<string> {
  const id = randomUUID();
  const { name, websiteUrl: website_url, sortOrder: sort_order } = partner;
  await db.transaction().execute(async (tx) => {
    await addPartner(tx, { id, name, website_url, sort_order });
    const details = { before: null, after: partner };
    await recordDeed(tx, { actor, action: "partner.create", subject: id, details });
  });
  return id;
}
