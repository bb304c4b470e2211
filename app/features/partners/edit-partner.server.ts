import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { PartnerInput } from "./input.ts";
import { type DeskPartner, lockPartner } from "./partners.server.ts";

interface Edit {
  partnerId: string;
  /** Of what was edited. */
  version: number;
  input: PartnerInput;
  actor: string;
}

export type PartnerEditAnswer =
  | { ok: true }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "changed"; current: DeskPartner };

/** Changes a partner's facts; refused as "changed" where somebody else did so meanwhile. */
export async function editPartner(
  db: Db,
  { partnerId, version, input, actor }: Edit,
): Promise<PartnerEditAnswer> {
  return db.transaction().execute(async (tx) => {
    const current = await lockPartner(tx, partnerId);
    if (!current) return { ok: false, reason: "gone" } as const;
    const before = factsOf(current);
    if (isSamePartner(before, input)) return { ok: true } as const;
    if (current.version !== version) return { ok: false, reason: "changed", current } as const;
    const { name, websiteUrl: website_url, sortOrder: sort_order } = input;
    await tx
      .updateTable("partners")
      .set({ name, website_url, sort_order })
      .where("id", "=", partnerId)
      .execute();
    const details = { before, after: input };
    await recordDeed(tx, { actor, action: "partner.edit", subject: partnerId, details });
    return { ok: true } as const;
  });
}

function factsOf({ name, websiteUrl, sortOrder }: DeskPartner): PartnerInput {
  return { name, websiteUrl, sortOrder };
}

/** Whether the facts of two partners are the same. */
export function isSamePartner(one: PartnerInput, other: PartnerInput): boolean {
  return (
    one.name === other.name &&
    one.websiteUrl === other.websiteUrl &&
    one.sortOrder === other.sortOrder
  );
}
