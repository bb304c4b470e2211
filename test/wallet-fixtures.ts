import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { REVIVED_DAYS } from "#app/features/wallet/rules.ts";
import type { Pack } from "#app/features/wallet/packs.server.ts";

/** Something that was paid: its credits are one lot. */
interface ModelPurchase {
  id: string;
  lot: ModelLot;
  amountCents: number;
  creditsCents: number;
  refundedCents: number;
  reclaimedCents: number;
  /** What a withdrawal took that waits for its refund, and what will have been refunded then. */
  withdrawal: { id: string; takenCents: number; beforeCents: number; promisedCents: number } | null;
}

export interface ModelLot {
  remainingCents: number;
  /** What was left when it lapsed. */
  lapsedCents?: number;
  /** Hours since the start; null never expires. */
  expiresAt: number | null;
  subscription?: string;
  periodEnd?: number;
}

/** Lots as a player would keep them with pen and paper: what the database has to agree with. */
export class ModelWallet {
  hour = 0;
  debtCents = 0;
  readonly purchases: ModelPurchase[] = [];
  readonly lots: ModelLot[] = [];
  readonly bookings: { parts: Map<ModelLot, number>; isLive: boolean; id: string }[] = [];

  get balanceCents(): number {
    return this.lots.reduce((sum, lot) => sum + lot.remainingCents, 0);
  }

  /** What comes settles a debt first. */
  grant(lot: ModelLot): void {
    this.lots.push(lot);
    this.#settle();
  }

  /** The newest month stays, of two that end together the later one; the rest of the others expires. */
  grantMonth(lot: ModelLot & { subscription: string; periodEnd: number }): void {
    this.grant(lot);
    const months = this.lots.filter(({ subscription }) => subscription === lot.subscription);
    const newest = months.toSorted((one, other) => one.periodEnd! - other.periodEnd!).at(-1);
    for (const month of months) {
      if (month === newest) continue;
      lapse(month);
      month.expiresAt = Math.min(month.expiresAt!, this.hour);
    }
  }

  /** Takes what expires first; from one lot before all others. */
  spend(cents: number, preferred?: ModelLot): Map<ModelLot, number> {
    const parts = new Map<ModelLot, number>();
    let left = cents;
    const others = this.#bySpending().filter((lot) => lot !== preferred);
    for (const lot of preferred ? [preferred, ...others] : others) {
      const part = Math.min(left, lot.remainingCents);
      if (part > 0) parts.set(lot, part);
      lot.remainingCents -= part;
      left -= part;
    }
    return parts;
  }

  join(id: string): void {
    this.bookings.push({ id, isLive: true, parts: this.spend(GAME_PRICE_CENTS) });
  }

  /** Gives back to where it came from, the longest-lived first; what has lapsed lives a week. */
  refund(booking: { parts: Map<ModelLot, number>; isLive: boolean }, cents: number): void {
    booking.isLive = false;
    this.restore(booking.parts, cents);
  }

  restore(parts: Map<ModelLot, number>, cents: number): void {
    let left = cents;
    let lapsed = 0;
    for (const lot of this.#bySpending().toReversed()) {
      const part = Math.min(left, parts.get(lot) ?? 0);
      left -= part;
      if (lot.expiresAt !== null && lot.expiresAt <= this.hour) lapsed += part;
      else lot.remainingCents += part;
    }
    const expiresAt = this.hour + REVIVED_DAYS * 24;
    if (lapsed > 0) this.lots.push({ remainingCents: lapsed, expiresAt });
    this.#settle();
  }

  /** Takes what a purchase has left, in proportion to the euros that go back for it. */
  withdraw(purchase: ModelPurchase, id: string, refundCents: number): void {
    const beforeCents = purchase.refundedCents;
    const promisedCents = beforeCents + refundCents;
    purchase.withdrawal = { id, takenCents: 0, beforeCents, promisedCents };
    purchase.withdrawal.takenCents = this.#reclaim(purchase);
  }

  endWithdrawal(purchase: ModelPurchase): void {
    const { takenCents } = purchase.withdrawal!;
    purchase.withdrawal = null;
    purchase.reclaimedCents -= takenCents;
    this.restore(new Map([[purchase.lot, takenCents]]), takenCents);
  }

  /** The euros that went back in all; what was spent of their credits is owed. */
  refundMoney(purchase: ModelPurchase, refundedCents: number): void {
    purchase.refundedCents = Math.max(purchase.refundedCents, refundedCents);
    this.#reclaim(purchase);
  }

  #reclaim(purchase: ModelPurchase): number {
    const { amountCents, creditsCents, refundedCents, reclaimedCents, withdrawal, lot } = purchase;
    const returned = Math.max(refundedCents, withdrawal?.promisedCents ?? 0);
    const byMoney = Math.floor((creditsCents * returned) / amountCents);
    const unlapsed = Math.max(creditsCents - (lot.lapsedCents ?? 0), reclaimedCents);
    const change = Math.min(byMoney, unlapsed) - reclaimedCents;
    const taken = Math.min(change, this.balanceCents);
    this.spend(taken, lot);
    this.debtCents += change - taken;
    purchase.reclaimedCents += change;
    return change;
  }

  #settle(): void {
    const cents = Math.min(this.debtCents, this.balanceCents);
    this.spend(cents);
    this.debtCents -= cents;
  }

  pass(hours: number): void {
    this.hour += hours;
    for (const lot of this.lots) {
      if (lot.expiresAt !== null && lot.expiresAt <= this.hour) lapse(lot);
    }
  }

  #bySpending(): ModelLot[] {
    const rank = ({ expiresAt }: ModelLot) => expiresAt ?? Number.MAX_SAFE_INTEGER;
    return this.lots.toSorted((a, b) => rank(a) - rank(b));
  }
}

function lapse(lot: ModelLot): void {
  lot.lapsedCents = (lot.lapsedCents ?? 0) + lot.remainingCents;
  lot.remainingCents = 0;
}

/** A single game on sale, another one each time, without anything at Stripe. */
export function aPack(given: Partial<Pack> = {}): Pack {
  return {
    id: crypto.randomUUID(),
    version: 1,
    key: "pay_per_game",
    name: "Single game",
    priceCents: 999,
    creditsCents: 1_000,
    isMonthly: false,
    isAnyAmount: false,
    isActive: true,
    awaitsLink: false,
    priceId: null,
    paymentLinkId: null,
    checkoutLink: null,
    ...given,
  };
}
