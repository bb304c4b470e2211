import type { RecordedEntry } from "#app/features/audit/entries.server.ts";
import { formatMoment } from "#app/platform/clock.ts";

// Follows the actor's name.
const ACTIONS = new Map(
  Object.entries({
    "account.recovery-codes": "made new recovery codes",
    "account.suspend": "suspended an account",
    "account.two-factor-off": "turned off two-factor sign-in",
    "account.two-factor-on": "set up two-factor sign-in",
    "account.two-factor-reset": "reset somebody's two-factor sign-in",
    "account.unsuspend": "ended a suspension",
    "booking.add": "added a player to a game",
    "booking.attendance": "recorded attendance",
    "booking.mark-paid": "marked a booking as paid",
    "booking.remove": "removed a player from a game",
    "game.cancel": "cancelled a game",
    "game.chat-remove": "removed a chat message",
    "game.create": "created a game",
    "game.edit": "changed a game",
    "game.message": "messaged a game's players",
    "game.play-anyway": "decided to play with too few players",
    "game.publish": "published a game",
    "game.result": "recorded a result",
    "game.unpublish": "moved a game back to the drafts",
    "inbox.answer": "answered a message",
    "inbox.done": "marked a message as done",
    "inbox.open": "reopened a message",
    "inbox.paid-back": "marked a withdrawal as refunded",
    "inbox.refuse": "rejected a withdrawal",
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
    "role.player": "removed the admin role",
    "venue.add-photos": "added photos to a venue",
    "venue.arrange-photos": "arranged a venue's photos",
    "venue.create": "created a venue",
    "venue.edit": "changed a venue",
    "venue.hide": "hid or showed a venue",
    "waitlist.promote": "promoted a player on a waitlist",
    "waitlist.remove": "removed a player from a waitlist",
    "wallet.grant": "adjusted a balance",
  }),
);

/** The page of a subject, by the action's noun. */
export const PAGES = new Map<string, (subject: string) => string>(
  Object.entries({
    account: (id) => `/admin/players/${id}`,
    booking: (gameId) => `/admin/games/${gameId}`,
    game: (id) => `/admin/games/${id}`,
    inbox: (id) => `/admin/inbox/${id}`,
    legal: (page) => `/admin/legal/${page}`,
    pack: () => "/admin/packs",
    partner: (id) => `/admin/partners/${id}`,
    payment: () => "/admin/payments",
    role: (id) => `/admin/players/${id}`,
    venue: (id) => `/admin/venues/${id}`,
    waitlist: (gameId) => `/admin/games/${gameId}`,
    wallet: (id) => `/admin/players/${id}`,
  }),
);

/** Unknown actions are shown as stored. */
export function actionText(action: string): string {
  return ACTIONS.get(action) ?? action;
}

export function actorName(actor: string, name: string | null): string {
  return name ?? PROGRAMS.get(actor) ?? actor;
}

const PROGRAMS = new Map([
  ["command", "command line"],
  ["system", "Kickabout"],
]);

export function toLogEntryView(entry: RecordedEntry) {
  const { id, action, subject, subjectName } = entry;
  const [noun = ""] = action.split(".");
  const shown = noun === "booking" ? entry.bookedGame : subject;
  return {
    id,
    who: actorName(entry.actor, entry.actorName),
    what: actionText(action),
    when: formatMoment(entry.at),
    subject,
    subjectName: [entry.playerName, subjectName ?? subject].filter(Boolean).join(", "),
    page: (shown && PAGES.get(noun)?.(encodeURIComponent(shown))) || null,
    changes: changesOf(entry.details),
  };
}
export type LogEntryView = ReturnType<typeof toLogEntryView>;

/** A detail as text; null if it was not set. */
interface Change {
  name: string;
  before: string | null;
  after: string | null;
}

/**
 * What an entry's details hold: of its `before` and `after` only what differs, and whatever else
 * is beside them. Of long texts only the lines that differ.
 */
export function changesOf(details: Record<string, unknown>): Change[] {
  const { before = null, after = null, formKey: _formKey, ...more } = details;
  return [...between(before, after), ...between(null, more)];
}

function between(before: unknown, after: unknown): Change[] {
  if (!isFacts(before) || !isFacts(after)) {
    return differ(before, after) ? [change("value", before, after)] : [];
  }
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .filter((name) => differ(before?.[name], after?.[name]))
    .map((name) => change(nameText(name), before?.[name], after?.[name]));
}

function change(name: string, before: unknown, after: unknown): Change {
  const [was, is] = [valueText(before), valueText(after)];
  if (was?.includes("\n") && is?.includes("\n")) return { name, ...changedLines(was, is) };
  return { name, before: was, after: is };
}

// "startTime" and "start_time" are "start time".
function nameText(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map((one) => valueText(one) ?? "nothing").join(", ");
  return JSON.stringify(value);
}

// Without the lines that both begin with, and those that both end with.
function changedLines(before: string, after: string) {
  const [was, is] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(was.length, is.length);
  let start = 0;
  while (start < shorter && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  const middle = (lines: string[]) => lines.slice(start, lines.length - end).join("\n") || null;
  return { before: middle(was), after: middle(is) };
}

function differ(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);
}

type Facts = Record<string, unknown> | null;

function isFacts(value: unknown): value is Facts {
  return value === null || (typeof value === "object" && !Array.isArray(value));
}
