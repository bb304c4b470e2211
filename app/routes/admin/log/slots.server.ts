import type { RecordedEntry } from "#app/features/audit/entries.server.ts";
import type { AuditSlot } from "#app/platform/audit-actions.ts";
import { isDate, monthDayYear } from "#app/platform/clock.ts";
import { centsFromNumeric, creditsCount, euros, moneyText } from "#app/platform/money.ts";
import { mailLabel } from "#app/notices.server.ts";
import { peopleText } from "#app/features/announcements/rules.ts";
import { changesOf, summarize } from "./changes.ts";
import {
  factsOf,
  gamesOf,
  namedPart,
  numberOf,
  type Part,
  playersCount,
  playersOf,
  say,
  ticketPart,
} from "./parts.ts";

const after = ({ details }: Pick<RecordedEntry, "details">) => factsOf(details.after);
const before = ({ details }: RecordedEntry) => factsOf(details.before);
const nounOf = ({ action }: RecordedEntry) => action.split(".")[0]!;
const named = (entry: RecordedEntry) => namedPart(entry, `${nounOf(entry)}s`);

/** What fills each {…} of a sentence; many say nothing about an older entry, which lacks the fact. */
export const SLOTS: Record<AuditSlot, (entry: RecordedEntry) => Part | Part[]> = {
  addedHow,
  announcement: ({ subject, details }) => ({
    text: details.kind === "news" ? "news" : "an important announcement",
    to: `/admin/players/announcements/${encodeURIComponent(subject)}`,
  }),
  asDraft: (entry) => (after(entry).status === "Draft" ? " as a draft" : ""),
  attendance,
  cashBefore: (entry) => cashOf(before(entry)),
  changes(entry) {
    const { text } = summarize(changesOf(entry));
    return text && `: ${text}`;
  },
  correction,
  deal(entry) {
    const { priceCents, creditsCents } = after(entry);
    const [price, credits] = [numberOf(priceCents), numberOf(creditsCents)];
    return price === null || credits === null
      ? ""
      : `: ${euros(price)} for ${creditsCount(credits)}`;
  },
  droppedLink: ({ details }) =>
    details.isLinkDropped === true ? "; its payment link is gone" : "",
  endedBookings(entry) {
    const bookings = sumOf(entry, "bookingsCalledOff");
    if (bookings === 0) return "nobody was in";
    return bookings === 1 ? "1 booking cancelled" : `${bookings} bookings cancelled`;
  },
  games: gamesOf,
  givenPack,
  holdsFrom(entry) {
    const day = String(after(entry).holdsFrom);
    return isDate(day) ? `, from ${monthDayYear(day)} on` : "";
  },
  legalPage: ({ subject }) => ({
    text: subject === "terms" ? "the terms" : "the privacy policy",
    to: `/admin/legal/${encodeURIComponent(subject)}`,
  }),
  mail: ({ details }) => mailLabel(details.mail),
  name: named,
  notified: ({ details: { notified } }) => (notified ? `; ${playersCount(notified)} notified` : ""),
  noun: nounOf,
  paidAfter: (entry) => paidHow(after(entry)),
  paidBefore: (entry) => paidHow(before(entry)),
  ofPlayer: (entry) => (entry.player ? [" of ", ...playersOf(entry)] : ""),
  paidSum,
  period({ details }) {
    const [from, to] = [String(details.from), String(details.to)];
    if (!isDate(from) || !isDate(to)) return "";
    return ` from ${monthDayYear(from)} to ${monthDayYear(to)}`;
  },
  photos,
  players: playersOf,
  readMessage({ game, subject }) {
    const to = `/admin/games/${encodeURIComponent(subject)}#messages`;
    return game ? [". ", { text: "Read the message", to }] : [];
  },
  // People of several games may be counted more than once.
  recipients: (entry) => (entry.others.length > 0 ? "players" : playersCount(after(entry).players)),
  keepsOrNot: (entry) => (after(entry).keepsResult === true ? "keeps a" : "keeps no"),
  recordedOrChanged: ({ details }) => (details.before ? "changed" : "recorded"),
  refund(entry) {
    const { refundCents, isFreeSessionBack } = after(entry);
    const cents = numberOf(refundCents) ?? 0;
    if (cents > 0) return `with ${creditsCount(cents)} back`;
    return isFreeSessionBack ? "with the free session back" : "without a refund";
  },
  resolution,
  score(entry) {
    const { firstScore, secondScore, thirdScore, fourthScore } = after(entry);
    const all = [firstScore, secondScore, thirdScore, fourthScore];
    const scores = all.filter((score) => numberOf(score) !== null);
    return scores.length > 0 ? `: ${scores.join("–")}` : "";
  },
  showedOrHid(entry) {
    const { isActive, isHidden } = after(entry);
    return isActive || isHidden === false ? "showed" : "hid";
  },
  teamCount(entry) {
    const teams = numberOf(after(entry).teams);
    const published = after(entry).published === true ? ", published" : "";
    return teams === null ? "" : `: ${teams} teams${published}`;
  },
  teamMove,
  ticket: ticketPart,
  toRecipients(entry) {
    const recipients = numberOf(after(entry).recipients);
    return recipients === null ? "" : ` to ${peopleText(recipients)}`;
  },
  tooFew({ details: { minPlayers, players } }) {
    return numberOf(minPlayers) === null ? "" : `: ${players} of at least ${minPlayers} players`;
  },
  toPosition(entry) {
    const position = numberOf(after(entry).sortOrder);
    return position ? ` to place ${position}` : "";
  },
  version(entry) {
    const version = numberOf(after(entry).version);
    return version === null ? "" : `: version ${version}`;
  },
  withPlayers: ({ details: { players, minPlayers } }) =>
    numberOf(players) === null ? "" : `, with ${players} of ${playersCount(minPlayers)}`,
};

function attendance(entry: RecordedEntry): Part[] {
  const [players, games] = [playersOf(entry), gamesOf(entry)];
  const { attendance: to } = after(entry);
  if (before(entry).attendance === to) {
    return say`found the attendance of ${players} at ${games} recorded already`;
  }
  if (to === "CheckedIn") return say`checked in ${players} at ${games}`;
  if (to === "NoShow") return say`marked ${players} as a no-show at ${games}`;
  return say`cleared the attendance of ${players} at ${games}`;
}

function sumOf(entry: RecordedEntry, fact: string) {
  return [entry, ...entry.others].reduce(
    (sum, each) => sum + (numberOf(after(each)[fact]) ?? 0),
    0,
  );
}

function resolution(entry: RecordedEntry): Part[] {
  const { resolution: how, isGranted } = entry.details;
  const payment = paidSum(entry);
  if (how === "dismiss") return say`dismissed ${payment}`;
  if (how === "retry") return say`matched ${payment} again`;
  const credits = isGranted === false ? ", whose credits were there already" : givenPack(entry);
  return say`assigned ${payment} to ${playersOf(entry)}${credits}`;
}

/** "a payment of 9.99 €"; without a sum where the entry, or the event, had none. */
function paidSum({ details }: RecordedEntry): Part {
  const { amountCents, currency } = factsOf(details.paid);
  const cents = numberOf(amountCents);
  const isSum = cents !== null && typeof currency === "string";
  const sum = isSum ? ` of ${moneyText({ amountCents: cents, currency })}` : "";
  return { text: `a payment${sum}`, to: "/admin/payments" };
}

/** ": 10 credits, as “Single game”", with the price where it is not what was paid. */
function givenPack({ details }: RecordedEntry): string {
  const { pack, isConfirmed } = details;
  const [price, credits] = [numberOf(details.priceCents), numberOf(details.creditsCents)];
  if (typeof pack !== "string" || credits === null) return "";
  const differs = isConfirmed === true && price !== null ? `, which costs ${euros(price)}` : "";
  return `: ${creditsCount(credits)}, as “${pack}”${differs}`;
}

function photos(entry: RecordedEntry): Part[] {
  const venue = named(entry);
  const count = (facts: Record<string, unknown>) =>
    Array.isArray(facts.photos) ? facts.photos.length : 0;
  const added = count(after(entry)) - count(before(entry));
  const some = Math.abs(added) === 1 ? "1 photo" : `${Math.abs(added)} photos`;
  if (added > 0) return say`added ${some} to ${venue}`;
  return added < 0 ? say`removed ${some} of ${venue}` : say`arranged the photos of ${venue}`;
}

function correction(entry: RecordedEntry): Part[] {
  const { credits } = entry.details;
  const amount = typeof credits === "string" ? credits : "";
  const [was, is] = [before(entry).balance, after(entry).balance];
  const balance = was === undefined ? "" : ` (balance ${was} → ${is})`;
  const plain = amount.replace("-", "");
  const count = plain === "1" ? "1 credit" : `${plain} credits`;
  if (amount.startsWith("-")) return say`took ${count} from ${playersOf(entry)}${balance}`;
  return say`gave ${playersOf(entry)} ${amount ? count : "credits"}${balance}`;
}

function cashOf(facts: Record<string, unknown>): string {
  const { amount_eur: amount } = facts;
  const isAmount = typeof amount === "string" && /^\d+\.\d\d$/.test(amount);
  return isAmount ? euros(centsFromNumeric(amount)) : "money";
}

/** How much and how; empty if no money was noted. */
function paidHow(facts: Record<string, unknown>): string {
  const { amount_eur: amount, method } = facts;
  const isNoted = typeof amount === "string" && amount !== "0.00" && typeof method === "string";
  return isNoted ? `, ${cashOf(facts)} (${method})` : "";
}

function addedHow(entry: RecordedEntry): string {
  const { paymentStatus, priceCents } = after(entry);
  const cents = numberOf(priceCents);
  if (paymentStatus === "Unpaid") return ", unpaid";
  if (cents === null) return "";
  return cents === 0 ? ", with the free session" : `, for ${creditsCount(cents)}`;
}

/** "moved Ada to Blue", if the entry has a known bib. */
function teamMove(entry: RecordedEntry): Part[] {
  const { bib } = entry.details;
  const wasIn = before(entry).team !== null;
  const unnamed = wasIn ? "another team" : "a team";
  const team = typeof bib === "string" && bib !== "None" ? bib : unnamed;
  const [put, into] = wasIn ? ["moved", "to"] : ["put", "into"];
  return say`${put} ${playersOf(entry)} ${into} ${team}`;
}
