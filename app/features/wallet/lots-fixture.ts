import { CREDITS_PER_GAME_CENTS, REVIVED_DAYS } from "./rules.ts";

export interface ModelLot {
  remainingCents: number;
  /** Hours since the start; null never expires. */
  expiresAt: number | null;
  subscription?: string;
  periodEnd?: number;
}

/** Lots as a player would keep them with pen and paper: what the database has to agree with. */
export class ModelWallet {
  hour = 0;
  readonly lots: ModelLot[] = [];
  readonly bookings: { parts: Map<ModelLot, number>; isLive: boolean; id: string }[] = [];

  get balanceCents(): number {
    return this.lots.reduce((sum, lot) => sum + lot.remainingCents, 0);
  }

  grant(lot: ModelLot): void {
    this.lots.push(lot);
  }

  /** The newest month stands, of two that end together the later one; what is left of the others goes. */
  grantMonth(lot: ModelLot & { subscription: string; periodEnd: number }): void {
    this.grant(lot);
    const months = this.lots.filter(({ subscription }) => subscription === lot.subscription);
    const newest = months.toSorted((one, other) => one.periodEnd! - other.periodEnd!).at(-1);
    for (const month of months) {
      if (month === newest) continue;
      month.remainingCents = 0;
      month.expiresAt = Math.min(month.expiresAt!, this.hour);
    }
  }

  /** Takes what expires first. */
  spend(cents: number): Map<ModelLot, number> {
    const parts = new Map<ModelLot, number>();
    let left = cents;
    for (const lot of this.#bySpending()) {
      const part = Math.min(left, lot.remainingCents);
      if (part > 0) parts.set(lot, part);
      lot.remainingCents -= part;
      left -= part;
    }
    return parts;
  }

  join(id: string): void {
    this.bookings.push({ id, isLive: true, parts: this.spend(CREDITS_PER_GAME_CENTS) });
  }

  /** Gives back to where it came from, the longest-lived first; what has lapsed lives a week. */
  refund(booking: { parts: Map<ModelLot, number>; isLive: boolean }, cents: number): void {
    booking.isLive = false;
    let left = cents;
    let lapsed = 0;
    for (const lot of this.#bySpending().toReversed()) {
      const part = Math.min(left, booking.parts.get(lot) ?? 0);
      left -= part;
      if (lot.expiresAt !== null && lot.expiresAt <= this.hour) lapsed += part;
      else lot.remainingCents += part;
    }
    const expiresAt = this.hour + REVIVED_DAYS * 24;
    if (lapsed > 0) this.grant({ remainingCents: lapsed, expiresAt });
  }

  pass(hours: number): void {
    this.hour += hours;
    for (const lot of this.lots) {
      if (lot.expiresAt !== null && lot.expiresAt <= this.hour) lot.remainingCents = 0;
    }
  }

  #bySpending(): ModelLot[] {
    const rank = ({ expiresAt }: ModelLot) => expiresAt ?? Number.MAX_SAFE_INTEGER;
    return this.lots.toSorted((a, b) => rank(a) - rank(b));
  }
}
