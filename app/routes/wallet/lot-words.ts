import type { OpenLot } from "#app/features/wallet/lots.server.ts";
import { monthDay, wallClock } from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import type { LotSource } from "#app/platform/schema.ts";

/** A part of the wallet in the words of the page; made on the server, in Helsinki's time. */
export function showLot({ id, source, remainingCents, expiresAt }: OpenLot, now: Date) {
  return {
    id,
    source: SOURCES[source],
    credits: creditsCount(remainingCents),
    lasts: expiresAt ? expiryWords(source, expiresAt, now) : "Never expires",
  };
}

export type LotWords = ReturnType<typeof showLot>;

const SOURCES: Record<LotSource, string> = {
  pack: "Single game",
  subscription: "Subscription",
  reward: "Reward",
  refund: "Refund",
  adjustment: "Correction",
};

// A month that is over stays spendable while its renewal is being charged; anything else that is
// over goes within minutes.
function expiryWords(source: LotSource, expiresAt: Date, now: Date): string {
  if (expiresAt > now) return `Expires ${dayAndTime(expiresAt)}`;
  if (source === "subscription") return `Month ended ${dayAndTime(expiresAt)}, renewal pending`;
  return `Expired ${dayAndTime(expiresAt)}`;
}

/** "Dec 12, 14:00", by Helsinki's clock. */
function dayAndTime(instant: Date): string {
  const { date, time } = wallClock(instant);
  return `${monthDay(date)}, ${time.slice(0, 5)}`;
}
