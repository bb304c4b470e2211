import { findAnyAmountPack } from "#app/features/wallet/packs.server.ts";
import { shortageOf } from "#app/features/wallet/rules.ts";
import type { Db } from "#app/platform/db.server.ts";
import { creditsCount, euros } from "#app/platform/money.ts";

export type Difference = NonNullable<Awaited<ReturnType<typeof findDifference>>>;

/** What is missing for a price, as it is sold alone; null where it is not. */
export async function findDifference(
  db: Db,
  priceCents: number,
  wallet: { balanceCents: number; debtCents: number },
) {
  const shortage = shortageOf(priceCents, wallet);
  const pack = shortage && (await findAnyAmountPack(db));
  if (!pack) return null;
  const { missingCents, payCents } = shortage;
  return {
    packId: pack.id,
    amountCents: payCents,
    price: euros(payCents),
    credits: creditsCount(payCents),
    /** Why more is paid than is missing. */
    note:
      payCents > missingCents
        ? `${euros(payCents)} is the least you can pay. What is left stays yours.`
        : null,
  };
}
