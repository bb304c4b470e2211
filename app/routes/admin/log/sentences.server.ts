import type { RecordedEntry } from "#app/features/audit/entries.server.ts";
import type { AuditAction, EntityAction } from "#app/platform/audit.server.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import { ENTITIES, type EntityNoun } from "#app/platform/schema.ts";
import { mailLabel } from "#app/routes/admin/inbox/inbox-view.server.ts";
import {
  addedHow,
  after,
  attendance,
  before,
  cancellation,
  cashOf,
  changed,
  correction,
  logDownload,
  message,
  paidHow,
  photos,
  removal,
  settlement,
  teamCount,
  teamMove,
  teamsOf,
} from "./long-sentences.ts";
import {
  gamesOf,
  namedPart,
  numberOf,
  type Part,
  playersCount,
  playersOf,
  say,
  ticketPart,
} from "./parts.ts";

type Row = [
  label: string,
  /** Follows the actor's name. */
  sentence: (entry: RecordedEntry) => Part[],
];

/** The rows that every small table has, unless it has its own below. */
function entityRows(noun: EntityNoun): [EntityAction, Row][] {
  const named = (e: RecordedEntry) => say`the ${noun} ${namedPart(e, `${noun}s`)}`;
  return [
    [`${noun}.create`, [`added a ${noun}`, (e) => say`added ${named(e)}`]],
    [`${noun}.edit`, [`changed a ${noun}`, (e) => say`changed ${named(e)}${changed(e)}`]],
    [`${noun}.move`, [`moved a ${noun}`, (e) => say`moved ${named(e)}${toPlace(e)}`]],
    [`${noun}.remove`, [`removed a ${noun}`, (e) => say`removed ${named(e)}`]],
    [
      `${noun}.switch`,
      [`showed or hid a ${noun}`, (e) => say`${after(e).isActive ? "showed" : "hid"} ${named(e)}`],
    ],
  ];
}

function toPlace(entry: RecordedEntry): string {
  const place = numberOf(after(entry).sortOrder);
  return place ? ` to place ${place}` : "";
}

const OF_ENTITIES = Object.fromEntries(
  (Object.keys(ENTITIES) as EntityNoun[]).flatMap(entityRows),
) as Record<EntityAction, Row>;

/** One row for each audit action, in alphabetical order. */
const SENTENCES: Record<AuditAction, Row> = {
  ...OF_ENTITIES,
  "account.recovery-codes": ["made new recovery codes", () => say`made new recovery codes`],
  "account.suspend": ["suspended a player", (e) => say`suspended ${playersOf(e)}`],
  "account.two-factor-off": [
    "turned off two-factor sign-in",
    () => say`turned off two-factor sign-in`,
  ],
  "account.two-factor-on": ["set up two-factor sign-in", () => say`set up two-factor sign-in`],
  "account.two-factor-reset": [
    "reset two-factor sign-in",
    (e) => say`reset the two-factor sign-in of ${playersOf(e)}`,
  ],
  "account.unsuspend": ["ended a suspension", (e) => say`ended the suspension of ${playersOf(e)}`],
  "booking.add": [
    "added a player",
    (e) => say`added ${playersOf(e)} to ${gamesOf(e)}${addedHow(e)}`,
  ],
  "booking.attendance": ["recorded attendance", attendance],
  "booking.cash-back": [
    "gave cash back",
    (e) => say`gave ${playersOf(e)} ${cashOf(before(e))} back for ${gamesOf(e)}`,
  ],
  "booking.cash-due": [
    "marked cash as to be given back",
    (e) =>
      say`marked ${cashOf(before(e))} that ${playersOf(e)} had paid for ${gamesOf(e)} as to be given back`,
  ],
  "booking.cash-kept": [
    "kept cash",
    (e) => say`kept ${cashOf(before(e))} that ${playersOf(e)} had paid for ${gamesOf(e)}`,
  ],
  "booking.cash-mistake": [
    "marked cash as never paid",
    (e) =>
      say`marked ${cashOf(before(e))} noted of ${playersOf(e)} for ${gamesOf(e)} as never paid`,
  ],
  "booking.collected": [
    "marked an unpaid seat as to be collected",
    (e) => say`marked the unpaid seat of ${playersOf(e)} at ${gamesOf(e)} as to be collected`,
  ],
  "booking.excuse": [
    "excused a no-show",
    (e) => say`excused the no-show of ${playersOf(e)} at ${gamesOf(e)}`,
  ],
  "booking.mark-paid": [
    "marked a player as paid",
    (e) => say`marked ${playersOf(e)} as paid for ${gamesOf(e)}${paidHow(after(e))}`,
  ],
  "booking.mark-unpaid": [
    "marked a player as unpaid",
    (e) => say`marked ${playersOf(e)} as unpaid for ${gamesOf(e)} again${paidHow(before(e))}`,
  ],
  "booking.not-collected": [
    "marked an unpaid seat as not collected",
    (e) => say`marked the unpaid seat of ${playersOf(e)} at ${gamesOf(e)} as not collected`,
  ],
  "booking.remove": ["removed a player", removal],
  "booking.unexcuse": [
    "counted a no-show again",
    (e) => say`counted the no-show of ${playersOf(e)} at ${gamesOf(e)} again`,
  ],
  "game.cancel": ["cancelled a game", cancellation],
  "game.chat-pin": [
    "pinned a message in a chat",
    (e) => say`pinned a message in the chat of ${gamesOf(e)}`,
  ],
  "game.chat-remove": [
    "removed a chat message",
    (e) => say`removed a chat message of ${playersOf(e)} from ${gamesOf(e)}`,
  ],
  "game.chat-unpin": [
    "unpinned a message in a chat",
    (e) => say`unpinned a message in the chat of ${gamesOf(e)}`,
  ],
  "game.create": [
    "created a game",
    (e) => say`created ${gamesOf(e)}${after(e).status === "Draft" ? " as a draft" : ""}`,
  ],
  "game.delete": ["deleted a game", (e) => say`deleted ${gamesOf(e)}`],
  "game.download": [
    "downloaded a game's players",
    (e) => say`downloaded the players of ${gamesOf(e)}`,
  ],
  "game.edit": [
    "changed a game",
    (e) => {
      const { notified } = e.details;
      const others = notified ? `; ${playersCount(notified)} notified` : "";
      return say`changed ${gamesOf(e)}${changed(e)}${others}`;
    },
  ],
  "game.message": ["messaged players", message],
  "game.play-anyway": [
    "decided to play anyway",
    (e) => {
      const { players, minPlayers } = e.details;
      const so =
        numberOf(players) === null ? "" : `, with ${players} of ${playersCount(minPlayers)}`;
      return say`decided to play ${gamesOf(e)} anyway${so}`;
    },
  ],
  "game.publish": ["published a game", (e) => say`published ${gamesOf(e)}`],
  "game.result": [
    "recorded a result",
    (e) => {
      const { firstScore, secondScore, thirdScore, fourthScore } = after(e);
      const scores = [firstScore, secondScore, thirdScore, fourthScore].filter(
        (score) => numberOf(score) !== null,
      );
      const score = scores.length > 0 ? `: ${scores.join("–")}` : "";
      const did = e.details.before ? "changed" : "recorded";
      return say`${did} the result of ${gamesOf(e)}${score}`;
    },
  ],
  "game.result-removed": ["took back a result", (e) => say`took back the result of ${gamesOf(e)}`],
  "game.unpublish": ["unpublished a game", (e) => say`moved ${gamesOf(e)} back to the drafts`],
  "inbox.answer": ["answered a message", (e) => say`answered ${ticketPart(e)}`],
  "inbox.done": ["marked a message as done", (e) => say`marked ${ticketPart(e)} as done`],
  "inbox.open": ["reopened a message", (e) => say`reopened ${ticketPart(e)}`],
  "inbox.paid-back": [
    "marked a withdrawal as refunded",
    (e) => say`marked ${ticketPart(e)} as refunded`,
  ],
  "inbox.refuse": ["rejected a withdrawal", (e) => say`rejected ${ticketPart(e)}`],
  "legal.edit": [
    "changed a legal page",
    (e) => {
      const text = e.subject === "terms" ? "the terms" : "the privacy policy";
      const page: Part = { text, to: `/admin/legal/${encodeURIComponent(e.subject)}` };
      const version = numberOf(after(e).version);
      return say`changed ${page}${version === null ? "" : `: version ${version}`}`;
    },
  ],
  "log.download": ["downloaded the log", logDownload],
  "mail.remove": [
    "removed an undelivered email",
    (e) => say`removed the undelivered email “${mailLabel(e.details.mail)}” to ${playersOf(e)}`,
  ],
  "mail.send-again": [
    "resent an undelivered email",
    (e) => say`resent the email “${mailLabel(e.details.mail)}” to ${playersOf(e)}`,
  ],
  "pack.create": [
    "created a pack",
    (e) => {
      const { priceCents, creditsCents } = after(e);
      const [price, credits] = [numberOf(priceCents), numberOf(creditsCents)];
      const deal =
        price === null || credits === null ? "" : `: ${euros(price)} for ${creditsCount(credits)}`;
      return say`created the pack ${namedPart(e, "packs")}${deal}`;
    },
  ],
  "pack.edit": [
    "changed a pack",
    (e) => {
      const gone = e.details.isLinkDropped === true ? "; its payment link is gone" : "";
      return say`changed the pack ${namedPart(e, "packs")}${changed(e)}${gone}`;
    },
  ],
  "pack.link": [
    "made a payment link",
    (e) => say`made the payment link of ${namedPart(e, "packs")}`,
  ],
  "partner.logo": [
    "changed a partner's logo",
    (e) => say`changed the logo of the partner ${namedPart(e, "partners")}`,
  ],
  "payment.resolve": ["settled a payment", settlement],
  "role.admin": ["made a player an admin", (e) => say`made ${playersOf(e)} an admin`],
  "role.player": ["removed the admin role", (e) => say`removed the admin role of ${playersOf(e)}`],
  "teams.bibs": ["changed bibs", (e) => say`changed the bibs of ${teamsOf(e)}`],
  "teams.make": ["made teams", (e) => say`made ${teamsOf(e)}${teamCount(e)}`],
  "teams.move": ["put a player into a team", teamMove],
  "teams.place": ["placed players in teams", (e) => say`placed ${playersOf(e)} in ${teamsOf(e)}`],
  "teams.publish": ["published teams", (e) => say`published ${teamsOf(e)}`],
  "teams.remove": ["removed teams", (e) => say`removed ${teamsOf(e)}`],
  "teams.unpublish": ["hid teams", (e) => say`hid ${teamsOf(e)} from players`],
  "venue.add-photos": ["added photos to a venue", photos],
  "venue.arrange-photos": ["arranged a venue's photos", photos],
  "venue.create": ["created a venue", (e) => say`created the venue ${namedPart(e, "venues")}`],
  "venue.hide": [
    "hid or showed a venue",
    (e) =>
      say`${after(e).isHidden === false ? "showed" : "hid"} the venue ${namedPart(e, "venues")}`,
  ],
  "waitlist.promote": [
    "put a player first on a waitlist",
    (e) => say`put ${playersOf(e)} first on the waitlist of ${gamesOf(e)}`,
  ],
  "waitlist.remove": [
    "removed a player from a waitlist",
    (e) => say`removed ${playersOf(e)} from the waitlist of ${gamesOf(e)}`,
  ],
  "wallet.grant": ["adjusted a balance", correction],
};

/** All but the actor's name. An unknown action, of another version, gets a plain sentence. */
export function sentenceOf(entry: RecordedEntry): Part[] {
  if (isKnown(entry.action)) return SENTENCES[entry.action][1](entry);
  const about = entry.game ? gamesOf(entry) : entry.player ? playersOf(entry) : (entry.name ?? "");
  const parts = say`recorded “${withoutSigns(entry.action)}”`;
  return about.length > 0 ? [...parts, ": ", ...[about].flat()] : parts;
}

export function actionLabel(action: string): string {
  return isKnown(action) ? SENTENCES[action][0] : withoutSigns(action);
}

export const AUDIT_ACTIONS = Object.keys(SENTENCES) as AuditAction[];

const isKnown = (action: string): action is AuditAction => Object.hasOwn(SENTENCES, action);

// "moon.landed" is "moon landed".
const withoutSigns = (action: string) => action.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
