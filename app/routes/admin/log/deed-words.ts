import type { EntryFilter, RecordedEntry } from "#app/features/audit/entries.server.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { changesOf } from "./changes.ts";

/** What was done, after the name of who did it. A code without words is shown as it is. */
const WORDS: Record<string, string> = {
  "account.recovery-codes": "made new recovery codes",
  "account.suspend": "suspended an account",
  "account.two-factor-off": "turned off two-factor sign-in",
  "account.two-factor-on": "set up two-factor sign-in",
  "account.two-factor-reset": "reset somebody's two-factor sign-in",
  "account.unsuspend": "ended a suspension",
  "booking.add": "added a player to a game",
  "booking.attendance": "noted who came",
  "booking.mark-paid": "marked a booking as paid",
  "booking.remove": "removed a player from a game",
  "game.cancel": "cancelled a game",
  "game.create": "created a game",
  "game.edit": "changed a game",
  "game.message": "wrote to a game's players",
  "game.publish": "published a game",
  "game.result": "recorded a result",
  "game.unpublish": "took a game back into the drafts",
  "inbox.answer": "answered a letter",
  "inbox.done": "marked a letter as done",
  "inbox.open": "opened a letter again",
  "inbox.paid-back": "marked a withdrawal as paid back",
  "inbox.refuse": "refused a withdrawal",
  "legal.edit": "changed a legal page",
  "mail.remove": "removed an undelivered email",
  "mail.send-again": "sent an undelivered email again",
  "pack.create": "created a pack",
  "pack.edit": "changed a pack",
  "partner.create": "added a partner",
  "partner.edit": "changed a partner",
  "partner.logo": "changed a partner's logo",
  "partner.move": "moved a partner",
  "partner.remove": "removed a partner",
  "partner.switch": "showed or hid a partner",
  "payment.resolve": "settled a payment",
  "role.admin": "made somebody an admin",
  "role.player": "took the admin role away",
  "venue.add-photos": "added photos to a venue",
  "venue.arrange-photos": "arranged a venue's photos",
  "venue.create": "created a venue",
  "venue.edit": "changed a venue",
  "venue.hide": "hid or showed a venue",
  "wallet.grant": "gave credits or took them",
};

/** The page of a subject, by the noun of the deed; without one it has none. */
export const PAGES: Record<string, (subject: string) => string> = {
  account: (id) => `/admin/players/${id}`,
  booking: (id) => `/admin/games/${id}`,
  game: (id) => `/admin/games/${id}`,
  inbox: (id) => `/admin/inbox/${id}`,
  legal: (page) => `/admin/legal/${page}`,
  pack: () => "/admin/packs",
  partner: (id) => `/admin/partners/${id}`,
  payment: () => "/admin/payments",
  role: (id) => `/admin/players/${id}`,
  venue: (id) => `/admin/venues/${id}`,
  wallet: (id) => `/admin/players/${id}`,
};

export function actionWords(action: string): string {
  return Object.hasOwn(WORDS, action) ? WORDS[action]! : action;
}

/** Who did it: a name, or what else stands there; the command line says so. */
export function actorWords(actor: string, name: string | null): string {
  return name ?? (actor === "command" ? "command line" : actor);
}

/** One deed in words; made on the server. */
export function showDeed(deed: RecordedEntry) {
  const { id, action, subject, subjectName } = deed;
  const [noun = ""] = action.split(".");
  const page = Object.hasOwn(PAGES, noun) ? PAGES[noun] : undefined;
  // A booking stands on the sheet of its game.
  const shown = noun === "booking" ? deed.bookedGame : subject;
  return {
    id,
    who: actorWords(deed.actor, deed.actorName),
    what: actionWords(action),
    when: formatMoment(deed.at),
    subject,
    subjectName: subjectName ?? subject,
    page: (shown && page?.(encodeURIComponent(shown))) || null,
    changes: changesOf(deed.details),
  };
}
export type DeedWords = ReturnType<typeof showDeed>;

/** The filter in an address: what is not given or cannot be stored fits everything. */
export function parseDeedFilter(query: URLSearchParams): EntryFilter {
  const given = (name: string) =>
    (query.get(name) ?? "").replaceAll("\0", "").trim().slice(0, 200) || null;
  return { actor: given("actor"), action: given("action"), subject: given("subject") };
}
