import { ENTITIES, type EntityNoun } from "./schema.ts";

/** A label for lists, and the sentence after the actor's name; {…} is filled in from the entry. */
type Texts = readonly [label: string, sentence: string];

/** What is recorded of every small table alike. */
export const ENTITY_ACTIONS = {
  create: ["added a {noun}", "added the {noun} {name}"],
  edit: ["changed a {noun}", "changed the {noun} {name}{changes}"],
  move: ["moved a {noun}", "moved the {noun} {name}{toPosition}"],
  remove: ["removed a {noun}", "removed the {noun} {name}"],
  switch: ["showed or hid a {noun}", "{showedOrHid} the {noun} {name}"],
} as const satisfies Record<string, Texts>;

/** Each other action that is recorded, in alphabetical order. */
export const ACTIONS = {
  "account.recovery-codes": ["made new recovery codes", "made new recovery codes"],
  "account.suspend": ["suspended a player", "suspended {players}"],
  "account.two-factor-off": ["turned off two-factor sign-in", "turned off two-factor sign-in"],
  "account.two-factor-on": ["set up two-factor sign-in", "set up two-factor sign-in"],
  "account.two-factor-reset": [
    "reset two-factor sign-in",
    "reset the two-factor sign-in of {players}",
  ],
  "account.unsuspend": ["ended a suspension", "ended the suspension of {players}"],
  "announcement.resume": ["went on with an announcement", "went on with {announcement}"],
  "announcement.send": ["sent everybody an email", "sent {announcement}{toRecipients}"],
  "announcement.stop": ["stopped an announcement", "stopped {announcement}"],
  "booking.add": ["added a player", "added {players} to {games}{addedHow}"],
  "booking.attendance": ["recorded attendance", "{attendance}"],
  "booking.cash-back": ["gave cash back", "gave {players} {cashBefore} back for {games}"],
  "booking.cash-due": [
    "marked cash as to be given back",
    "marked {cashBefore} that {players} had paid for {games} as to be given back",
  ],
  "booking.cash-kept": ["kept cash", "kept {cashBefore} that {players} had paid for {games}"],
  "booking.cash-mistake": [
    "marked cash as never paid",
    "marked {cashBefore} noted of {players} for {games} as never paid",
  ],
  "booking.collected": [
    "marked an unpaid seat as to be collected",
    "marked the unpaid seat of {players} at {games} as to be collected",
  ],
  "booking.excuse": ["excused a no-show", "excused the no-show of {players} at {games}"],
  "booking.mark-paid": [
    "marked a player as paid",
    "marked {players} as paid for {games}{paidAfter}",
  ],
  "booking.mark-unpaid": [
    "marked a player as unpaid",
    "marked {players} as unpaid for {games} again{paidBefore}",
  ],
  "booking.not-collected": [
    "marked an unpaid seat as not collected",
    "marked the unpaid seat of {players} at {games} as not collected",
  ],
  "booking.remove": ["removed a player", "removed {players} from {games}, {refund}"],
  "booking.unexcuse": [
    "counted a no-show again",
    "counted the no-show of {players} at {games} again",
  ],
  "game.cancel": ["cancelled a game", "cancelled {games}{tooFew}; {endedBookings}"],
  "game.chat-pin": ["pinned a message in a chat", "pinned a message in the chat of {games}"],
  "game.chat-remove": [
    "removed a chat message",
    "removed a chat message of {players} from {games}",
  ],
  "game.chat-unpin": ["unpinned a message in a chat", "unpinned a message in the chat of {games}"],
  "game.create": ["created a game", "created {games}{asDraft}"],
  "game.delete": ["deleted a game", "deleted {games}"],
  "game.download": ["downloaded a game's players", "downloaded the players of {games}"],
  "game.edit": ["changed a game", "changed {games}{changes}{notified}"],
  "game.message": ["messaged players", "messaged the {recipients} of {games}{readMessage}"],
  "game.play-anyway": ["decided to play anyway", "decided to play {games} anyway{withPlayers}"],
  "game.publish": ["published a game", "published {games}"],
  "game.result": ["recorded a result", "{recordedOrChanged} the result of {games}{score}"],
  "game.result-not-kept": [
    "said whether a result is kept",
    "said that {games} {keepsOrNot} result",
  ],
  "game.result-removed": ["took back a result", "took back the result of {games}"],
  "game.unpublish": ["unpublished a game", "moved {games} back to the drafts"],
  "inbox.answer": ["answered a message", "answered {ticket}"],
  "inbox.done": ["marked a message as done", "marked {ticket} as done"],
  "inbox.open": ["reopened a message", "reopened {ticket}"],
  "inbox.paid-back": ["marked a withdrawal as refunded", "marked {ticket} as refunded"],
  "inbox.refuse": ["rejected a withdrawal", "rejected {ticket}"],
  "legal.edit": ["changed a legal page", "changed {legalPage}{version}"],
  "legal.plan": ["saved a coming legal page", "saved a coming text of {legalPage}{holdsFrom}"],
  "legal.withdraw": ["withdrew a coming legal page", "withdrew the coming text of {legalPage}"],
  "log.download": ["downloaded the log", "downloaded the log{period}"],
  "mail.remove": [
    "removed an undelivered email",
    "removed the undelivered email “{mail}” to {players}",
  ],
  "mail.send-again": ["resent an undelivered email", "resent the email “{mail}” to {players}"],
  "pack.create": ["created a pack", "created the pack {name}{deal}"],
  "pack.edit": ["changed a pack", "changed the pack {name}{changes}{droppedLink}"],
  "pack.link": ["made a payment link", "made the payment link of {name}"],
  "partner.logo": ["changed a partner's logo", "changed the logo of the partner {name}"],
  "payment.refund": ["refunded a payment at Stripe", "refunded {paidSum}{ofPlayer} at Stripe"],
  "payment.resolve": ["settled a payment", "{resolution}"],
  "payment.take-back": [
    "took back the assignment of a payment",
    "took back {paidSum} from {players}{givenPack}",
  ],
  "role.admin": ["made a player an admin", "made {players} an admin"],
  "role.player": ["removed the admin role", "removed the admin role of {players}"],
  "teams.bibs": ["changed bibs", "changed the bibs of the teams of {games}"],
  "teams.make": ["made teams", "made the teams of {games}{teamCount}"],
  "teams.move": ["put a player into a team", "{teamMove} of {games}"],
  "teams.place": ["placed players in teams", "placed {players} in the teams of {games}"],
  "teams.publish": ["published teams", "published the teams of {games}"],
  "teams.remove": ["removed teams", "removed the teams of {games}"],
  "teams.unpublish": ["hid teams", "hid the teams of {games} from players"],
  "venue.add-photos": ["added photos to a venue", "{photos}"],
  "venue.arrange-photos": ["arranged a venue's photos", "{photos}"],
  "venue.create": ["created a venue", "created the venue {name}"],
  "venue.hide": ["hid or showed a venue", "{showedOrHid} the venue {name}"],
  "waitlist.promote": [
    "put a player first on a waitlist",
    "put {players} first on the waitlist of {games}",
  ],
  "waitlist.remove": [
    "removed a player from a waitlist",
    "removed {players} from the waitlist of {games}",
  ],
  "wallet.grant": ["adjusted a balance", "{correction}"],
} as const satisfies Record<string, Texts>;

type EntityAction = `${EntityNoun}.${keyof typeof ENTITY_ACTIONS}`;
export type AuditAction = EntityAction | keyof typeof ACTIONS;

export const AUDIT_ACTIONS = [
  ...Object.keys(ENTITIES).flatMap((noun) =>
    Object.keys(ENTITY_ACTIONS).map((verb) => `${noun}.${verb}` as EntityAction),
  ),
  ...(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]),
];

type AnyTexts =
  | (typeof ACTIONS)[keyof typeof ACTIONS]
  | (typeof ENTITY_ACTIONS)[keyof typeof ENTITY_ACTIONS];
type SlotsIn<Text> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? Slot | SlotsIn<Rest>
  : never;
/** Everything that stands in {…}. */
export type AuditSlot = SlotsIn<AnyTexts[0 | 1]>;

/** Null for an action of another version. */
export function textsOf(action: string): Texts | null {
  if (Object.hasOwn(ACTIONS, action)) return ACTIONS[action as keyof typeof ACTIONS];
  const [noun = "", verb = ""] = action.split(".");
  if (!Object.hasOwn(ENTITIES, noun) || !Object.hasOwn(ENTITY_ACTIONS, verb)) return null;
  const [label, sentence] = ENTITY_ACTIONS[verb as keyof typeof ENTITY_ACTIONS];
  return [label.replace("{noun}", noun), sentence];
}
