import { creditsCount, creditsText } from "#app/platform/money.ts";
import type { PassedOver, WaitEndReason } from "#app/platform/schema.ts";
import { type BookingFacts } from "./booking-facts.server.ts";
import { findAnother, gameMail, openGame, type Site } from "./game-mail.tsx";
import type { PlaceFacts } from "./place-facts.server.ts";

export function waitlistBookedMail(site: Site, booking: BookingFacts) {
  const { priceCents, terms } = booking;
  const taken = priceCents > 0 ? `${creditsCount(priceCents)} were taken` : "This one's free";
  return gameMail(site, booking, {
    subject: `You're in: ${booking.when}`,
    title: "A spot opened, and it is yours",
    action: openGame(site, booking),
    text:
      `You were on the waitlist. ${taken}. The attached file adds the game to your calendar. ` +
      `If you can't make it, cancel under My Games. ${terms}`,
  });
}

export function spotOfferedMail(site: Site, place: PlaceFacts, until: string) {
  return gameMail(site, place, {
    subject: `A spot for you until ${until}: ${place.when}`,
    title: "A spot has opened",
    action: { label: "Take the spot", href: `${site.appUrl}/events/${place.gameId}?offer=1#join` },
    text: `It is held for you until ${until}. After that it goes to the next on the waitlist, and you stay on it.`,
  });
}

export function offerMissedMail(site: Site, place: PlaceFacts) {
  return gameMail(site, place, {
    subject: `Your spot went to the next one: ${place.when}`,
    title: "Your offer is over",
    action: openGame(site, place),
    text: "You are still on the waitlist, behind those who were not asked yet. Leave it on the game's page at any time.",
  });
}

export function passedOverMail(site: Site, place: PlaceFacts, reason: PassedOver) {
  const buys = reason === "credits" || reason === "debt";
  return gameMail(site, place, {
    subject: `A spot opened, and you could not have it: ${place.when}`,
    title: "A spot opened",
    action: buys ? { label: "Buy credits", href: `${site.appUrl}/wallet` } : openGame(site, place),
    text: `${passedOverText(place, reason)} It went to the next one. You keep your place on the waitlist.`,
  });
}

function passedOverText({ priceCents, balanceCents, debtCents }: PlaceFacts, reason: PassedOver) {
  const texts: Record<PassedOver, string> = {
    credits: `It costs ${creditsCount(priceCents)} and you have ${creditsText(balanceCents)}.`,
    debt: `You owe ${creditsCount(debtCents)}.`,
    suspended: "Your account is suspended.",
    busy: "You are in another game at that time.",
  };
  return texts[reason];
}

export function waitlistChangedMail(site: Site, place: PlaceFacts) {
  return gameMail(site, place, {
    subject: `Still want a spot? The game has changed: ${place.when}`,
    title: "The game has changed",
    action: { label: "Stay on the waitlist", href: `${site.appUrl}/events/${place.gameId}#join` },
    text: "You keep your place on the waitlist, but no spot is taken for you until you have agreed to it again.",
  });
}

const ENDED: Record<WaitEndReason, string | null> = {
  GameCancelled: "The organiser had to call the game off. Nothing was taken from you.",
  GameStarted: "The game has started and no spot opened. Nothing was taken from you.",
  TimePassed: "No spot opened until the time that you chose. Nothing was taken from you.",
  Removed: "The organiser has taken you off the waitlist. Nothing was taken from you.",
  Left: null,
  AccountDeleted: null,
};

const CALLED_OFF = "The game was called off: too few players. Nothing was taken from you.";

/** Null where its player ended it. */
export function waitlistEndedMail(site: Site, place: PlaceFacts, reason: WaitEndReason) {
  const text = reason === "GameCancelled" && place.hadTooFewPlayers ? CALLED_OFF : ENDED[reason];
  if (!text) return null;
  return gameMail(site, place, {
    subject: `No longer on the waitlist: ${place.when}`,
    title: "You are no longer on the waitlist",
    action: findAnother(site),
    text,
  });
}

export function lateRefundMail(site: Site, booking: BookingFacts) {
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
