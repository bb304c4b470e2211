import { weekdayAndTime } from "#app/platform/clock.ts";
import { creditsCount, creditsText } from "#app/platform/money.ts";
import type { PassedOver, WaitEndReason } from "#app/platform/schema.ts";
import {
  findAnother,
  gameMail,
  openGame,
  type Site,
  type Change,
  ChangeLines,
} from "#app/features/games/game-mail.tsx";
import type { PlaceFacts } from "./entry-facts.server.ts";

export function spotOfferedMail(site: Site, place: PlaceFacts, expiresAt: Date) {
  const until = weekdayAndTime(expiresAt);
  const isLast = place.notAfter <= expiresAt;
  return gameMail(site, place, {
    subject: `A spot for you until ${until}: ${place.when}`,
    title: "A spot has opened",
    action: { label: "Take the spot", href: `${site.appUrl}/events/${place.gameId}?offer=1#join` },
    text: `${takesText(place)} It is held for you until ${until}. ${isLast ? LAST : NOT_LAST}`,
  });
}

const takesText = ({ priceCents }: PlaceFacts) =>
  priceCents === 0 ? "It is free." : `${creditsCount(priceCents)} are taken when you take it.`;

const LAST = "That is the time that you chose: after it you are no longer on the waitlist.";
const NOT_LAST = "After that somebody else may get it, and you stay on the waitlist.";

export function offerMissedMail(site: Site, place: PlaceFacts) {
  if (place.isUnanswered) return notAskedMail(site, place);
  return gameMail(site, place, {
    subject: `Your offer is over: ${place.when}`,
    title: "Your offer is over",
    action: openGame(site, place),
    text: "You are still on the waitlist, behind those who were not asked yet. If the next offer goes unanswered too, we stop asking. Leave the list on the game's page at any time.",
  });
}

function notAskedMail(site: Site, place: PlaceFacts) {
  return gameMail(site, place, {
    subject: `We do not ask you any more: ${place.when}`,
    title: "Two offers went unanswered",
    action: { label: "Ask me again", href: `${site.appUrl}/events/${place.gameId}#join` },
    text: "So spots go to the others on the waitlist. You stay on it, and are asked again once you say so on the game's page.",
  });
}

/** Null if the reason has gone since: then the next spot, if not this one, is theirs. */
export function passedOverMail(site: Site, place: PlaceFacts, reason: PassedOver) {
  if (reason === "credits" && place.balanceCents >= place.priceCents) return null;
  if (reason === "debt" && place.debtCents === 0) return null;
  const buys = reason === "credits" || reason === "debt";
  return gameMail(site, place, {
    subject: `A spot opened, and you could not have it: ${place.when}`,
    title: "A spot opened",
    action: buys ? { label: "Buy credits", href: `${site.appUrl}/wallet` } : openGame(site, place),
    text: `${passedOverText(place, reason)} The spot goes to the first who can have it. You keep your place on the waitlist.`,
  });
}

function passedOverText({ priceCents, balanceCents, debtCents }: PlaceFacts, reason: PassedOver) {
  const texts: Record<PassedOver, string> = {
    credits: `You need ${creditsText(priceCents - balanceCents)} more credits: it costs ${creditsText(priceCents)}, and you have ${creditsText(balanceCents)}.`,
    debt: `You owe ${creditsCount(debtCents)}.`,
    suspended: "Your account is suspended.",
    busy: "You are in another game at that time.",
  };
  return texts[reason];
}

export function waitlistChangedMail(site: Site, place: PlaceFacts, changes: Change[]) {
  const { priceCents, agreedCents } = place;
  const costsMore = priceCents > agreedCents;
  const what = costsMore ? "The price for you has changed" : "The game has changed";
  return gameMail(site, place, {
    subject: `Still want a spot? ${what}: ${place.when}`,
    title: what,
    action: { label: "Stay on the waitlist", href: `${site.appUrl}/events/${place.gameId}#join` },
    text: (
      <>
        <ChangeLines changes={changes} />
        {costsMore && `It costs ${creditsCount(priceCents)} now. `}
        You keep your place on the waitlist, but no spot is taken for you until you have agreed to
        it again.
      </>
    ),
  });
}

const ENDED: Record<WaitEndReason, string | null> = {
  GameCancelled: "The organiser had to call the game off. Nothing was taken from you.",
  GameStarted: "The game has started, and you had no spot. Nothing was taken from you.",
  TimePassed: "The time that you chose has come, and you had no spot. Nothing was taken from you.",
  Removed: "The organiser has taken you off the waitlist. Nothing was taken from you.",
  Left: null,
  AccountDeleted: null,
};

const CALLED_OFF = "The game was called off: too few players. Nothing was taken from you.";
const WITHDRAWN = "The organiser has taken the game off the site. Nothing was taken from you.";

export function waitlistEndedMail(site: Site, place: PlaceFacts, reason: WaitEndReason) {
  const text = reason === "GameCancelled" ? calledOffText(place) : ENDED[reason];
  if (!text) return null;
  return gameMail(site, place, {
    subject: `No longer on the waitlist: ${place.when}`,
    title: "You are no longer on the waitlist",
    action: findAnother(site),
    text,
  });
}

/** The list of a game that is a draft again ends in the same way. */
function calledOffText({ isGameCancelled, hadTooFewPlayers }: PlaceFacts) {
  if (!isGameCancelled) return WITHDRAWN;
  return hadTooFewPlayers ? CALLED_OFF : ENDED.GameCancelled;
}
