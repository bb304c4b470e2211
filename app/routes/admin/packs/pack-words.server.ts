import { hasLinkAtStripe } from "#app/features/wallet/edit-pack.server.ts";
import { checkLink } from "#app/features/wallet/rules.ts";
import type { AdminPack, Pack } from "#app/features/wallet/packs.server.ts";
import { creditsCount, creditsText, euros, numericFromCents } from "#app/platform/money.ts";
import type { PackValues } from "./pack-values.ts";

/** A pack of the list. */
export function showPack(pack: Pack, prefix: string) {
  return {
    id: pack.id,
    name: pack.name,
    deal: `${euros(pack.priceCents)} for ${creditsCount(pack.creditsCents)}`,
    kind: kindOf(pack),
    isActive: pack.isActive,
    link: checkLink(pack, prefix).state,
  };
}
export type PackWords = ReturnType<typeof showPack>;

/** A pack as its page shows it. */
export function showDeskPack(pack: AdminPack, prefix: string) {
  const { id, name, version, priceId, paymentLinkId, checkoutLink } = pack;
  return {
    id,
    name,
    version,
    kind: kindOf(pack),
    isActive: pack.isActive,
    values: valuesOf(pack),
    check: checkLink(pack, prefix),
    ids: { checkoutLink, priceId, paymentLinkId },
    prefix,
    /** A new deal takes the link away. */
    isPriceTied: hasLinkAtStripe(pack),
  };
}
export type DeskPackWords = ReturnType<typeof showDeskPack>;

export function valuesOf({
  name,
  priceCents,
  creditsCents,
  isActive,
}: Pick<Pack, "name" | "priceCents" | "creditsCents" | "isActive">): PackValues {
  return {
    name,
    price: numericFromCents(priceCents),
    credits: creditsText(creditsCents),
    isActive: isActive ? "1" : "",
  };
}

const kindOf = ({ isMonthly }: Pack) => (isMonthly ? "Every month" : "Single game");
