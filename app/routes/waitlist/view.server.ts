import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { listChanges } from "#app/features/waitlist/entry-changes.server.ts";
import { termsFact } from "#app/features/waitlist/join-waitlist.server.ts";
import { saleText, waitingText } from "#app/features/seats/rules.ts";
import { listOwnEntries, type OwnEntry } from "#app/features/waitlist/entries.server.ts";
import { belongsToWaitlist, listWaiting } from "#app/features/waitlist/order.server.ts";
import {
  COMMON_TERMS,
  entryState,
  MODE_LABEL,
  modeTerms,
  notAfter,
  type Obstacle,
  ordinal,
  takenText,
  UNTIL_HINT,
  UNTIL_HOURS,
  UNTIL_LABEL,
  UNTIL_PRESET,
  untilText,
} from "#app/features/waitlist/rules.ts";
import { isBeingPaidFor } from "#app/features/wallet/intentions.server.ts";
import { findGame, type GameDetails } from "#app/features/games/games.server.ts";
import { hasStarted, spotsLeft } from "#app/features/games/rules.ts";
import { gameFacts } from "#app/features/games/shown-game.ts";
import { writeShown } from "#app/platform/as-shown.ts";
import { dayAndTime } from "#app/platform/clock.ts";
import { creditsCount, creditsText } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";
import { heldView } from "#app/routes/credits/held-spot.server.ts";

/** Finds who waits, and the viewer's own entry; null once nobody can wait. */
export async function findWaitlist({ db, now }: App, game: GameDetails, viewer: Viewer | null) {
  const instant = now();
  if (game.status !== "Published" || hasStarted(game, instant)) return null;
  const isFull = spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount) === 0;
  // Most visits are by visitors, to games with free spots.
  if (!viewer && !isFull) return null;
  const { id: gameId, waiting } = game;
  const playerId = viewer?.userId ?? "";
  const [entry = null] =
    viewer && waiting > 0 ? await listOwnEntries(db, { playerId, now: instant, gameId }) : [];
  const isTaken = isFull || (waiting > 0 && (await belongsToWaitlist(db, game, playerId, instant)));
  const isPaidFor =
    isFull && game.heldCount > 0 && (await isBeingPaidFor(db, { gameId, now: instant }));
  const about = viewer && entry && (await findAbout(db, game, entry, viewer, instant));
  return { waiting, entry, about, isTaken, isPaidFor };
}

type Waitlist = NonNullable<Awaited<ReturnType<typeof findWaitlist>>>;

interface WaitlistFacts {
  game: GameDetails;
  viewer: Viewer | null;
  priceCents: number;
  now: Date;
}

export function toWaitlistView(waitlist: Waitlist, facts: WaitlistFacts) {
  const { waiting, entry, about, isTaken, isPaidFor } = waitlist;
  return {
    waiting: `${isPaidFor ? "A spot is being paid for. " : ""}${waitingText(waiting)}`,
    /** Only those who wait can have a spot now. */
    isTaken,
    entry: entry && toEntryView(entry, about, facts.now),
    terms: facts.viewer && toTermsView(waiting, facts),
  };
}

export type WaitlistView = ReturnType<typeof toWaitlistView>;
export type EntryView = ReturnType<typeof toEntryView>;

/** Why a spot that opens now would not go to this player, as a sentence; null if it would. */
async function findBlocker(db: App["db"], game: GameDetails, viewer: Viewer, now: Date) {
  const [own] = await listWaiting(db, game, { now, userId: viewer.userId });
  const text =
    own?.obstacle && BLOCKED_TEXTS[own.obstacle](own.priceCents - viewer.balanceCents, viewer);
  if (!text) return null;
  const buysCredits = own.obstacle === "credits" || own.obstacle === "debt";
  return { text: `${text} Until then a spot that opens goes to the next one.`, buysCredits };
}

async function findAbout(
  db: App["db"],
  game: GameDetails,
  entry: OwnEntry,
  viewer: Viewer,
  now: Date,
) {
  const [kept, changes] = await Promise.all([
    findBlocker(db, game, viewer, now),
    entryState(entry, now) === "changed" ? listChanges(db, entry.entryId) : [],
  ]);
  return { kept, changes };
}

type About = Awaited<ReturnType<typeof findAbout>>;

export async function findAboutEntries(app: App, entries: OwnEntry[], viewer: Viewer) {
  const now = app.now();
  const found = entries.map(async (entry) => {
    const game = await findGame(app.db, entry.gameId, now);
    return [entry.entryId, game && (await findAbout(app.db, game, entry, viewer, now))] as const;
  });
  return new Map(await Promise.all(found));
}

type BlockedText = (missingCents: number, wallet: Pick<Viewer, "debtCents">) => string | null;

// The page asks for a new consent if one is needed; these obstacles pass without one.
const BLOCKED_TEXTS: Record<Obstacle, BlockedText> = {
  credits: (missingCents) => `You need ${creditsText(missingCents)} more credits.`,
  debt: (_, { debtCents }) => `You owe ${creditsCount(debtCents)}.`,
  suspended: () => "Your account is suspended.",
  busy: () => "You are in another game at that time.",
  offer: () => "A spot in another game is held for you.",
  consent: () => null,
  unanswered: () => null,
  night: () => null,
  decision: () => null,
};

export function toEntryView(entry: OwnEntry, about: About | null | undefined, now: Date) {
  const { mode, position, waiting, agreedCents, offerExpiresAt, untilHours } = entry;
  const state = entryState(entry, now);
  const { kept = null, changes = [] } = about ?? {};
  const until = dayAndTime(entry.notAfter, now);
  return {
    position: `You are ${ordinal(position)} of ${waiting}`,
    what:
      kept?.text ??
      (mode === "ask"
        ? `Until ${until} we ask you by email when a spot opens.`
        : `Until ${until} a spot that opens is yours, and ${takenText(agreedCents)}.`),
    buysCredits: kept?.buysCredits ?? false,
    offer: offerExpiresAt && heldView(offerExpiresAt, now),
    take: `Take the spot · ${agreedCents === 0 ? "Free" : creditsCount(agreedCents)}`,
    changes,
    shown: writeShown({ offer: String(entry.isOffered) }),
    ...{ state, mode, untilHours },
    changed: state === "changed" ? changedText(entry) : null,
  };
}

const changedText = ({ costsMore }: OwnEntry) =>
  `${costsMore ? "The price for you" : "The game"} has changed. Still want a spot?`;

export type TermsView = ReturnType<typeof toTermsView>;

function toTermsView(waiting: number, { game, viewer, priceCents, now }: WaitlistFacts) {
  const open = UNTIL_HOURS.filter((hours) => notAfter(game.startsAt, hours) > now);
  const missing = priceCents - (viewer?.balanceCents ?? 0);
  const terms = termsFact({ startsAt: game.startsAt, priceCents, now });
  return {
    shown: writeShown({ ...gameFacts(game), cancellation: saleText(), terms }),
    modes: {
      auto: modeTerms("auto", priceCents),
      ask: modeTerms("ask", priceCents),
    },
    position: `${waitingText(waiting)} You would be ${ordinal(waiting + 1)}.`,
    missing: missing > 0 ? `You need ${creditsText(missing)} more credits by then.` : null,
    short:
      missing > 0
        ? "Without the credits the spot goes to the next one, and you keep your place."
        : null,
    common: COMMON_TERMS,
    labels: { mode: MODE_LABEL, until: UNTIL_LABEL },
    after: UNTIL_HINT,
    preset: open.findLast((hours) => hours <= UNTIL_PRESET) ?? 0,
    choices: open.map((hours) => ({ hours, label: untilText(game.startsAt, hours, now) })),
  };
}
