import { randomUUID } from "node:crypto";
import type { listLiveCash } from "#app/features/roster/cash-payments.server.ts";
import type { PlannedGame } from "#app/features/games/admin-games.server.ts";
import { chargeText, gameFacts } from "#app/features/games/shown-game.ts";
import { cashSumsText, cashText, sumCashByMethod } from "#app/features/bookings/cash-texts.ts";
import type { FormerPlayer } from "#app/features/roster/former-players.server.ts";
import { REPEATED_NO_SHOWS } from "#app/features/roster/no-shows.server.ts";
import { removalFacts, type RosterPlayer } from "#app/features/roster/roster.server.ts";
import { type Refund, refundOfRemoval } from "#app/features/seats/rules.ts";
import { POSITIONS } from "#app/features/players/rules.ts";
import { writeShown } from "#app/platform/as-shown.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import type { EndReason } from "#app/platform/schema.ts";

type LiveCash = Awaited<ReturnType<typeof listLiveCash>>;
type OneCash = NonNullable<ReturnType<LiveCash["get"]>>;

export function toRosterPlayerView(stored: RosterPlayer, liveCash: LiveCash) {
  const { firstName, lastName, position, priceCents, usesFreeSession, ...rest } = stored;
  const { email: _email, noShows, ...player } = rest;
  const seat = { paymentStatus: player.paymentStatus, priceCents, usesFreeSession };
  const cash = liveCash.get(player.bookingId);
  return {
    ...player,
    name: `${firstName} ${lastName}`,
    /** Unknown while a tap on it waits. */
    markVersion: player.markVersion as number | undefined,
    position: position && POSITIONS[position],
    /** Shows those of the last months, unless it was the first. */
    noShows: noShows >= REPEATED_NO_SHOWS ? `${noShows} no-shows` : null,
    cash: cash ? cashText(cash) : null,
    /** The payment by hand, or the id for a form that notes one. */
    cashPaymentId: cash?.cashPaymentId ?? randomUUID(),
    toGiveBack: cash && cash.amountCents > 0 ? pendingCashText(cash.amountCents) : null,
    /** What a removal with refund gives back; null if nothing. */
    refund: describeRefund(refundOfRemoval(seat, true)),
    shown: writeShown(removalFacts(seat, cash?.amountCents ?? 0)),
  };
}

/** What the form that adds a player promises. */
export function shownToAdd({
  plan,
  venueName: name,
  city,
  address,
  ...times
}: PlannedGame): string {
  const venue = { id: plan.venueId, name, city, address };
  return writeShown({ ...gameFacts({ ...times, venue }), charge: chargeText(plan) });
}

function describeRefund({ creditsBackCents, isFreeSessionBack }: Refund): string | null {
  if (creditsBackCents > 0) return `Give ${creditsCount(creditsBackCents)} back`;
  return isFreeSessionBack ? "Give the free session back" : null;
}

/** `canBeTaken`: somebody may still take the spot, which settles a late refund. */
export function toFormerView(stored: FormerPlayer, liveCash: LiveCash, canBeTaken: boolean) {
  const { bookingId, firstName, lastName, phone, deletedAt, endReason, endedAt, reason } = stored;
  const cash = liveCash.get(bookingId);
  return {
    bookingId,
    name: `${firstName} ${lastName}`,
    phone: deletedAt ? null : phone,
    isCalledOff: endReason === "GameCancelled",
    /** Empty for those whom the game's cancellation took out. */
    how: [
      ENDS[endReason ?? "Left"],
      endedAt && endReason !== "GameCancelled" && formatMoment(endedAt),
    ]
      .filter(Boolean)
      .join(" "),
    back: backText(stored, canBeTaken),
    reason,
    cash: cash && cash.amountCents > 0 ? toFormerCash(cash) : null,
  };
}

function toFormerCash({ cashPaymentId: id, isKept, amountCents: cents }: OneCash) {
  return {
    id,
    isKept,
    cents,
    text: isKept ? `Money kept: ${euros(cents)}` : pendingCashText(cents),
  };
}

export type FormerPlayerView = ReturnType<typeof toFormerView>;

const ENDS: Record<EndReason, string> = {
  Left: "Cancelled",
  Removed: "Removed by an organiser",
  GameCancelled: "",
};

function backText(
  { creditsBackCents, lateRefundCents, endReason }: FormerPlayer,
  canBeTaken: boolean,
): string {
  const wasLate = lateRefundCents > 0 && endReason === "Left";
  if (creditsBackCents > 0) {
    return `${creditsCount(creditsBackCents)} back${wasLate ? ", settled later" : ""}`;
  }
  if (wasLate && canBeTaken) {
    return `No credits back yet: ${creditsCount(lateRefundCents)} once the spot is taken`;
  }
  return "No credits back";
}

/** What the organiser has in hand, also of players who have left. */
export const paidByHandOf = (cash: LiveCash) => cashSumsText(sumCashByMethod(cash.values()));

export function pendingCashOf(former: FormerPlayerView[]): string | null {
  const cents = former.reduce((sum, { cash }) => sum + (cash && !cash.isKept ? cash.cents : 0), 0);
  return cents > 0 ? pendingCashText(cents) : null;
}

const pendingCashText = (cents: number) => `Money to give back: ${euros(cents)}`;
