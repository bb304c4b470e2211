import { weekdayAndTime } from "#app/platform/clock.ts";
import { creditsCount, creditsText } from "#app/platform/money.ts";
import { defineNotice, type Notice } from "#app/platform/notices.ts";
import type { PassedOver, WaitEndReason } from "#app/platform/schema.ts";
import { ChangeLines, findAnother, gameMail, openGame } from "#app/features/games/game-mail.tsx";
import { listChanges } from "./entry-changes.server.ts";
import { findEntryFacts, type EntryFacts } from "./entry-facts.server.ts";

interface EntryJob {
  entryId: string;
}

/** A notice to a player on the waitlist; `version` separates it from earlier ones of its kind. */
const defineEntryNotice = <Kind extends string, Job extends EntryJob = EntryJob>(
  notice: Omit<Notice<Kind, Job, EntryFacts>, "facts" | "key">,
  version: (job: Job, entry: EntryFacts) => string = () => "",
) =>
  defineNotice<Kind, Job, EntryFacts>({
    ...notice,
    facts: ({ entryId }, { db }) => findEntryFacts(db, entryId),
    key: (job, entry) => `${notice.kind}:${job.entryId}:${version(job, entry)}`,
  });

const isWaiting = ({ status }: EntryFacts) => status === "Waiting";

/** About one offer: a later one has another end. */
const spotOffered = defineEntryNotice<"spot-offered", EntryJob & { expiresAt: string }>(
  {
    kind: "spot-offered",
    label: "Spot offered",
    switchable: {
      label: "Spot held for you",
      hint: "From the waitlist, where you are asked first",
    },
    isAlwaysMailed: true,
    stillTrue: ({ status, offerExpiresAt }, { expiresAt }, { now }) =>
      status === "Offered" && offerExpiresAt?.toISOString() === expiresAt && offerExpiresAt > now,
    email(entry, site, { expiresAt }) {
      const until = weekdayAndTime(new Date(expiresAt));
      const isLast = entry.notAfter <= new Date(expiresAt);
      return gameMail(site, entry, {
        subject: `A spot for you until ${until}: ${entry.when}`,
        title: "A spot has opened",
        action: { label: "Take the spot", href: site.appUrl + pathOfOffer(entry) },
        text: `${takesText(entry)} It is held for you until ${until}. ${isLast ? LAST : NOT_LAST}`,
      });
    },
    push: {
      data: (entryId, expiresAt) => ({ entryId, expiresAt }),
      message: (entry) =>
        entry.offerExpiresAt && {
          title: `A spot is held for you until ${weekdayAndTime(entry.offerExpiresAt)}`,
          body: `${entry.kickOff}, ${entry.where}. Take it, or it goes to the next one.`,
          url: pathOfOffer(entry),
          tag: `game-${entry.gameId}`,
          until: entry.offerExpiresAt,
          isUrgent: true,
        },
    },
  },
  ({ expiresAt }) => expiresAt,
);

const pathOfOffer = ({ gameId }: EntryFacts) => `/events/${gameId}?offer=1#join`;

const takesText = ({ priceCents }: EntryFacts) =>
  priceCents === 0 ? "It is free." : `${creditsCount(priceCents)} are taken when you take it.`;

const LAST = "That is the time that you chose: after it you are no longer on the waitlist.";
const NOT_LAST = "After that somebody else may get it, and you stay on the waitlist.";

const offerMissed = defineEntryNotice(
  {
    kind: "offer-missed",
    label: "Offer over",
    stillTrue: isWaiting,
    email: (entry, site) =>
      gameMail(
        site,
        entry,
        entry.isUnanswered
          ? {
              subject: `We do not ask you any more: ${entry.when}`,
              title: "Two offers went unanswered",
              action: {
                label: "Ask me again",
                href: `${site.appUrl}/events/${entry.gameId}#join`,
              },
              text: "So spots go to the others on the waitlist. You stay on it, and are asked again once you say so on the game's page.",
            }
          : {
              subject: `Your offer is over: ${entry.when}`,
              title: "Your offer is over",
              action: openGame(site, entry),
              text: "You are still on the waitlist, behind those who were not asked yet. If the next offer goes unanswered too, we stop asking. Leave the list on the game's page at any time.",
            },
      ),
  },
  (_, { missedOffers }) => String(missedOffers),
);

/** The same reason may come back: each email has a key of its own. */
type PassedOverJob = EntryJob & { reason: PassedOver; toldAt: string };

const passedOver = defineEntryNotice<"passed-over", PassedOverJob>(
  {
    kind: "passed-over",
    label: "Passed over on the waitlist",
    // If the reason has gone since, the next spot, if not this one, is theirs.
    stillTrue: (entry, { reason }) =>
      isWaiting(entry) &&
      !(reason === "credits" && entry.balanceCents >= entry.priceCents) &&
      !(reason === "debt" && entry.debtCents === 0),
    email: (entry, site, { reason }) =>
      gameMail(site, entry, {
        subject: `A spot opened, and you could not have it: ${entry.when}`,
        title: "A spot opened",
        action:
          reason === "credits" || reason === "debt"
            ? { label: "Buy credits", href: `${site.appUrl}/wallet` }
            : openGame(site, entry),
        text: `${passedOverText(entry, reason)} The spot goes to the first who can have it. You keep your place on the waitlist.`,
      }),
  },
  ({ reason, toldAt }) => `${reason}:${toldAt}`,
);

function passedOverText({ priceCents, balanceCents, debtCents }: EntryFacts, reason: PassedOver) {
  const texts: Record<PassedOver, string> = {
    credits: `You need ${creditsText(priceCents - balanceCents)} more credits: it costs ${creditsText(priceCents)}, and you have ${creditsText(balanceCents)}.`,
    debt: `You owe ${creditsCount(debtCents)}.`,
    suspended: "Your account is suspended.",
    busy: "You are in another game at that time.",
  };
  return texts[reason];
}

const waitlistChanged = defineNotice({
  kind: "waitlist-changed",
  label: "Waitlist: game changed",
  async facts({ entryId }: EntryJob, { db }) {
    const entry = await findEntryFacts(db, entryId);
    const asks = entry && isWaiting(entry) && entry.needsConsent;
    return asks ? { ...entry, changes: await listChanges(db, entryId) } : null;
  },
  key: ({ entryId }, { gameVersion, agreedAt }) =>
    `waitlist-changed:${entryId}:${gameVersion}:${agreedAt.toISOString()}`,
  email(entry, site) {
    const { priceCents, agreedCents, changes } = entry;
    const costsMore = priceCents > agreedCents;
    const what = costsMore ? "The price for you has changed" : "The game has changed";
    return gameMail(site, entry, {
      subject: `Still want a spot? ${what}: ${entry.when}`,
      title: what,
      action: { label: "Stay on the waitlist", href: `${site.appUrl}/events/${entry.gameId}#join` },
      text: (
        <>
          <ChangeLines changes={changes} />
          {costsMore && `It costs ${creditsCount(priceCents)} now. `}
          You keep your place on the waitlist, but no spot is taken for you until you have agreed to
          it again.
        </>
      ),
    });
  },
});

const waitlistEnded = defineEntryNotice({
  kind: "waitlist-ended",
  label: "Waitlist over",
  email(entry, site) {
    const text = endedText(entry);
    if (!text) return null;
    return gameMail(site, entry, {
      subject: `No longer on the waitlist: ${entry.when}`,
      title: "You are no longer on the waitlist",
      action: findAnother(site),
      text: `${text} Nothing was taken from you.`,
    });
  },
});

const ENDED: Record<WaitEndReason, string | null> = {
  GameCancelled: "The organiser had to call the game off.",
  GameStarted: "The game has started, and you had no spot.",
  TimePassed: "The time that you chose has come, and you had no spot.",
  Removed: "The organiser has taken you off the waitlist.",
  Left: null,
  AccountDeleted: null,
};

/** The list of a game that is a draft again ends in the same way as of one that is cancelled. */
function endedText({ endReason, isGameCancelled, hadTooFewPlayers }: EntryFacts) {
  if (endReason !== "GameCancelled") return endReason && ENDED[endReason];
  if (!isGameCancelled) return "The organiser has taken the game off the site.";
  return hadTooFewPlayers ? "The game was called off: too few players." : ENDED.GameCancelled;
}

export const waitlistNotices = [
  spotOffered,
  offerMissed,
  passedOver,
  waitlistChanged,
  waitlistEnded,
] as const;
