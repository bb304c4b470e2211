import { Link } from "react-email";
import type { Unsubscribe } from "#app/features/notifications/settings.server.ts";
import { creditsCount, creditsText } from "#app/platform/money.ts";
import {
  findAnother,
  gameMail,
  openGame,
  type Site,
  type BookingSummary,
  minimumTerms,
  LINK,
} from "#app/features/games/game-mail.tsx";
import { lateRefundText } from "#app/features/seats/rules.ts";
import type { BookingFacts } from "./booking-facts.server.ts";

export function bookingConfirmedMail(site: Site, booking: BookingSummary) {
  const { priceCents, terms } = booking;
  const paid = priceCents > 0 ? `${creditsText(priceCents)} credits` : "This one's free";
  return gameMail(site, booking, {
    subject: `You're in: ${booking.when}`,
    title: "You're in",
    action: openGame(site, booking),
    text:
      `${paid}. ${minimumTerms(booking)}The attached file adds the game to your calendar. ` +
      `If you can't make it, cancel under My Games. ${terms}`,
  });
}

export function bookingCancelledMail(site: Site, booking: BookingSummary) {
  const { lateRefundCents } = booking;
  return gameMail(site, booking, {
    subject: `Booking cancelled: ${booking.when}`,
    title: "Booking cancelled",
    action: findAnother(site),
    text:
      givenBack(booking) ??
      (lateRefundCents > 0
        ? lateRefundText(lateRefundCents)
        : "No credits were refunded for this cancellation."),
  });
}

type Reminded = Omit<BookingSummary, "isFreeSessionBack"> & {
  address: string;
  mapsUrl: string | null;
  isCancellable: boolean;
};

export const reminderMails = { "day-before": dayBeforeMail, soon: soonMail };

function dayBeforeMail(site: Site, booking: Reminded, unsubscribe: Unsubscribe) {
  return gameMail(site, booking, {
    unsubscribe,
    subject: `Reminder: ${booking.when}`,
    title: "Your next game",
    action: openGame(site, booking),
    text: booking.isCancellable
      ? `If you can't make it, cancel under My Games, so that somebody else can play. ${booking.terms}`
      : `If you can't make it, write to ${site.contactEmail}, so that somebody else can play.`,
  });
}

function soonMail(site: Site, booking: Reminded, unsubscribe: Unsubscribe) {
  const { when, address, mapsUrl } = booking;
  const directions = mapsUrl && (
    <Link href={mapsUrl} style={LINK}>
      How to get there
    </Link>
  );
  return gameMail(
    site,
    { ...booking, where: address },
    {
      unsubscribe,
      subject: `See you at ${when}`,
      title: "See you soon",
      action: openGame(site, booking),
      text: "Have a good game!",
      below: directions,
    },
  );
}

type Added = BookingSummary & Record<"isUncharged" | "isPaid" | "isCancellable", boolean>;

export function addedToGameMail(site: Site, booking: Added) {
  return gameMail(site, booking, {
    subject: `You're on the list: ${booking.when}`,
    title: "You're on the list",
    action: openGame(site, booking),
    text: `The organiser has put you on the list. ${takenFor(booking)} ${howToLeave(site, booking)}`,
  });
}

function takenFor({ isUncharged, isPaid, priceCents }: Added): string {
  if (isUncharged && isPaid) return "No credits were taken: you have paid the organiser.";
  if (isUncharged) return "No credits were taken: settle it with the organiser.";
  if (priceCents === 0) return "It is your free session.";
  return `${creditsCount(priceCents)} were taken from your wallet.`;
}

const howToLeave = (site: Site, { isUncharged, isCancellable, terms }: Added) =>
  isUncharged || !isCancellable
    ? `If you can't make it, write to ${site.contactEmail}.`
    : `If you can't make it, cancel under My Games. ${terms}`;

export function removedFromGameMail(site: Site, booking: BookingSummary) {
  return gameMail(site, booking, {
    subject: `You're no longer in: ${booking.when}`,
    title: "You were taken off the list",
    action: findAnother(site),
    text: `The organiser has taken you off the list. ${givenBack(booking) ?? "No credits were refunded."}`,
  });
}

export function givenBack(booking: BookingSummary): string | null {
  const { refundedCents, isFreeSessionBack, cashBack } = booking;
  const back = [
    refundedCents > 0 && `${creditsText(refundedCents)} credits are back in your wallet.`,
    refundedCents === 0 && isFreeSessionBack && "Your free session is back for another game.",
    cashBack,
  ];
  return back.filter(Boolean).join(" ") || null;
}

export function waitlistBookedMail(site: Site, booking: BookingFacts) {
  const { priceCents, terms } = booking;
  const taken = priceCents > 0 ? `${creditsCount(priceCents)} were taken` : "This one's free";
  return gameMail(site, booking, {
    subject: `You're in: ${booking.when}`,
    title: "A spot opened, and it is yours",
    action: openGame(site, booking),
    text:
      `You were on the waitlist. ${taken}. ${minimumTerms(booking)}The attached file adds the game to your calendar. ` +
      `If you can't make it, cancel under My Games. ${terms}`,
  });
}

export function lateRefundMail(site: Site, booking: BookingFacts) {
  const { cashBack } = booking;
  if (booking.refundedCents === 0) {
    return cashBack ? lateCashMail(site, booking, cashBack) : null;
  }
  const back = `${creditsText(booking.refundedCents)} credits`;
  return gameMail(site, booking, {
    subject: `${back} are back: ${booking.when}`,
    title: `${back} are back`,
    action: findAnother(site),
    text: booking.isPublished
      ? "You cancelled late, and somebody took your spot."
      : "You cancelled late, and the game was called off.",
  });
}

function lateCashMail(site: Site, booking: BookingFacts, cashBack: string) {
  return gameMail(site, booking, {
    subject: `Game cancelled: ${booking.when}`,
    title: "The game was cancelled",
    action: findAnother(site),
    text: `You cancelled late, and the game was called off. ${cashBack}`,
  });
}
