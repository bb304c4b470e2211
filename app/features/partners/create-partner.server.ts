import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { addPartner } from "./add-partner.server.ts";
import { isSamePartner } from "./edit-partner.server.ts";
import type { PartnerInput } from "./input.ts";
import { lockPartner } from "./partners.server.ts";

interface NewPartner {
  /** Made with the form, so that one that arrives twice makes one partner. */
  partnerId: string;
  input: PartnerInput;
  actor: string;
}

export type PartnerCreateAnswer = { ok: true } | { ok: false; reason: "no-id" | "id-used" };

/**
 * An admin's new partner, active and still without a logo. Refused as "id-used" where the form has
 * made another partner: a form that is gone back to may hold another one.
 */
export async function createPartner(
  db: Db,
  { partnerId: id, input, actor }: NewPartner,
): Promise<PartnerCreateAnswer> {
  if (!isId(id)) return { ok: false, reason: "no-id" };
  const { name, websiteUrl: website_url, sortOrder: sort_order } = input;
  return db.transaction().execute(async (tx) => {
    if (!(await addPartner(tx, { id, name, website_url, sort_order }))) {
      const made = await lockPartner(tx, id);
      const isSame = made && isSamePartner(made, input);
      return isSame ? { ok: true } : { ok: false, reason: "id-used" };
    }
    const details = { before: null, after: input };
    await recordDeed(tx, { actor, action: "partner.create", subject: id, details });
    return { ok: true };
  });
}
