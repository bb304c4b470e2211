import type { Pack } from "./packs.server.ts";

/** What somebody pays, and gets for it. Integer cents. */
export interface Deal {
  priceCents: number;
  creditsCents: number;
}

export interface PaidSale {
  amountCents: number;
  /** A month of a subscription. */
  isMonth: boolean;
  /** The pack that was sold, at the price of that sale. */
  sold: Pack | null;
}

type Chosen = Pick<Pack, "id" | "priceCents" | "creditsCents" | "isAnyAmount">;

/** What giving the pack for a payment means: as it was sold, if that is what was paid; else as it is now. */
export function dealOf(pack: Chosen, { sold, amountCents }: PaidSale): Deal {
  if (pack.isAnyAmount) return { priceCents: amountCents, creditsCents: amountCents };
  const wasSold = sold?.id === pack.id && sold.priceCents === amountCents;
  const { priceCents, creditsCents } = wasSold ? sold : pack;
  return { priceCents, creditsCents };
}

/** Whether the pack costs what was paid; anything else is asked about. */
export const isWhatWasPaid = (pack: Chosen, sale: PaidSale): boolean =>
  dealOf(pack, sale).priceCents === sale.amountCents;

/**
 * The pack to preselect: it costs exactly what was paid. The one that was sold comes first, then one that
 * renews as the payment does, then one on sale; the pack of any amount comes last, as it fits everything,
 * and never for a month.
 */
export function findFitting(packs: Pack[], sale: PaidSale): Pack | null {
  const fits = packs.filter(
    (pack) => isWhatWasPaid(pack, sale) && !(pack.isAnyAmount && sale.isMonth),
  );
  const rank = (pack: Pack) => [
    !pack.isAnyAmount,
    pack.id === sale.sold?.id,
    pack.isMonthly === sale.isMonth,
    pack.isActive,
  ];
  const score = (pack: Pack) => rank(pack).reduce((sum, is) => sum * 2 + Number(is), 0);
  return fits.toSorted((a, b) => score(b) - score(a))[0] ?? null;
}

/** Names what a second yes agreed to: another pack, price or payment is asked about again. */
export const differenceKey = (pack: Pick<Pack, "id">, deal: Deal, { amountCents }: PaidSale) =>
  [pack.id, amountCents, deal.priceCents, deal.creditsCents].join(" ");

/** A credit is made to cost about a euro: what a new pack is compared with. */
export const USUAL_DEAL: Deal = { priceCents: 100, creditsCents: 100 };

/** Whether the price of a credit moved by more than a third. */
export function isFarFrom(before: Deal, after: Deal): boolean {
  const [was, is] = [
    before.priceCents * after.creditsCents,
    after.priceCents * before.creditsCents,
  ];
  return 3 * Math.abs(is - was) > was;
}

/** In cents, rounded; null without credits to divide by. */
export const priceOf = (cents: number, { priceCents, creditsCents }: Deal): number | null =>
  creditsCents > 0 ? Math.round((priceCents * cents) / creditsCents) : null;

/** Names the deal that a second yes agreed to. */
export const dealKey = ({ priceCents, creditsCents }: Deal) => `${priceCents} ${creditsCents}`;
