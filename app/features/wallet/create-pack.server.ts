import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { isSame } from "./edit-pack.server.ts";
import { lockPack } from "./lock-pack.server.ts";
import type { PackInput } from "./pack-input.ts";

interface NewPack {
  input: PackInput;
  /** Made with the form, so that one that arrives twice makes one pack. */
  packId: string;
  actor: string;
}

export type PackCreateAnswer = { ok: true } | { ok: false; reason: "no-id" | "id-used" };

/**
 * Adds a monthly pack. The single game is the one pack whose key says so, and there is one of it.
 * It is sold once it has a payment link. Refused as "id-used" where the form has made another pack:
 * a form that is gone back to may hold another one.
 */
export async function createPack(
  db: Db,
  { input, packId, actor }: NewPack,
): Promise<PackCreateAnswer> {
  if (!isId(packId)) return { ok: false, reason: "no-id" };
  return db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto("credit_packs")
      .values({
        id: packId,
        pack_key: `monthly_${packId}`,
        pack_name: input.name,
        price_eur: numericFromCents(input.priceCents),
        total_credit_eur: numericFromCents(input.creditsCents),
        is_active: input.isActive,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) {
      const made = await lockPack(tx, packId);
      return made && isSame(made, input) ? { ok: true } : { ok: false, reason: "id-used" };
    }
    const details = { after: input };
    await recordDeed(tx, { actor, action: "pack.create", subject: packId, details });
    return { ok: true };
  });
}
