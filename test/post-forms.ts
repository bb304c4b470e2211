/**
 * Forms that do the same for any account, by their beginning as `kindOf` writes it; all others
 * act only for the account that their page was made for.
 */
export const FOR_ANYONE = ["/auth", "/unsubscribe/"];

/**
 * What a form carries beside the account of what its page has shown, and where that has changed
 * since, it does nothing. A form without a row has its reason in `WITHOUT_FACTS`.
 */
export const FORM_FACTS: Record<string, string[]> = {
  "/events/:id intent=join": ["priceShown", "shown", "overlap"],
  "/events/:id intent=change-wait": ["priceShown", "shown"],
  "/events/:id intent=wait": ["priceShown", "shown"],
  "/events/:id intent=hold": ["shown"],
  "/events/:id intent=leave-waitlist": ["shown"],
  "/events/:id intent=cancel": ["shown"],
  "/bookings intent=cancel": ["shown"],
  "/bookings intent=leave-waitlist": ["shown"],
  "/demo/checkout/portal": ["seen"],
  "/admin/games/:id intent=cancel": ["shown"],
  "/admin/games/:id intent=publish": ["shown"],
  "/admin/games/:id intent=unpublish": ["shown"],
  "/admin/games/:id intent=play-anyway": ["shown", "version"],
  "/admin/games/:id intent=add": ["shown"],
  "/admin/games/:id intent=remove": ["shown"],
  "/admin/games/:id intent=attendance": ["version"],
  "/admin/games/:id intent=result": ["version", "teamsVersion"],
  "/admin/games/:id/edit intent=save": ["version"],
  "/admin/games/:id/delete": ["games"],
  "/admin/games/:id/teams": ["version"],
  "/admin/partners/:id intent=save": ["version"],
  "/admin/legal": ["version", "comingVersion"],
  "/admin/venues/:id intent=save": ["version"],
  "/admin/venues/:id/photos intent=arrange": ["version"],
  "/admin/packs/:id intent=save": ["version"],
  "/admin/packs/:id intent=make-link": ["shown"],
  "/admin/inbox/:id intent=answer": ["seen"],
  "/admin/inbox/:id intent=done": ["seen"],
  "/settings/delete-account": ["shown"],
};

/** Why a form carries nothing that its page has shown. */
export const WITHOUT_FACTS: Record<string, string> = {
  "/events/:id/chat": "a message is what was typed, or the id of one",
  "/bookings intent=buy-credits": "only opens the plans",
  "/wallet intent=buy-credits": "only opens the plans",
  "/wallet intent=manage-subscription": "only leads to Stripe, which shows what it changes",
  "/settings/withdraw intent=state": "only leads to the form that confirms",
  "/profile intent=edit-profile": "what is typed is the whole of it",
  "/profile intent=picture": "the file is the whole of it",
  "/profile intent=remove-picture": "says the state that it leads to",
  "/profile/player-card": "says the state that it leads to",
  "/sign-out": "ends the session, whatever is shown",
  "/settings/change-password": "the current password is typed",
  "/settings/two-factor": "the password is typed",
  "/settings/sessions intent=end": "its id names one row, which the button alone is about",
  "/settings/sessions intent=end-others": "all but this one, as it says",
  "/settings/calendar": "says the state that it leads to",
  "/settings/contact-support": "what is typed is the whole of it",
  "/settings/leave-review": "what is typed is the whole of it",
  "/settings/notifications": "says the state that it leads to",
  "/admin/games/:id intent=keeps-result": "says the state that it leads to",
  "/admin/payments": "its id names one row, which the button alone is about",
  "/admin/games/:id intent=message": "who gets it may grow by itself; its answer counts them",
  "/admin/games/:id intent=sign-up-link": "only makes a link",
  "/admin/games/:id intent=check-in-rest": "carries the bookings that it checks in",
  "/admin/games/:id intent=waitlist-promote":
    "its id names one row, which the button alone is about",
  "/admin/games/:id intent=waitlist-remove":
    "its id names one row, which the button alone is about",
  "/admin/games/new": "what is typed is the whole of it, and `formKey` makes it once",
  "/admin/players/announcements/new intent=preview": "only shows what would be sent",
  "/admin/partners intent=switch": "says the state that it leads to",
  "/admin/partners intent=up": "one step within the order of now",
  "/admin/partners intent=down": "one step within the order of now",
  "/admin/partners/new": "what is typed is the whole of it",
  "/admin/partners/:id intent=remove": "its id names one row, which the button alone is about",
  "/admin/partners/:id intent=logo": "the file is the whole of it",
  "/admin/venues/new": "what is typed is the whole of it",
  "/admin/venues/:id intent=hide": "says the state that it leads to",
  "/admin/venues/:id/photos intent=upload": "adds files, and changes none",
  "/admin/venues/:id/cancel-games": "`games` names the key of each as it was listed",
  "/admin/players/:id intent=correct-balance": "an amount that is added, not a balance that is set",
  "/admin/players/:id intent=unmake-admin": "says the state that it leads to",
  "/admin/players/:id intent=suspend": "says the state that it leads to",
  "/admin/players/:id intent=make-admin": "says the state that it leads to",
  "/admin/packs/new": "what is typed is the whole of it",
};

/** Forms that no page of the scenario has, each with what it carries, or why nothing. */
export const ELSEWHERE: Record<string, string> = {
  "/events/:id intent=take-offer": "`shown`, as a join",
  "/events/:id intent=stop-paying": "only gives back what the player holds",
  "/events/:id/joined": "says the state that it leads to",
  "/events/:id intent=give-back": "`shown`: the link that it gives back",
  "/checkout": "`shown`: what each pack costs and gives",
  "/admin/players/:id intent=refund":
    "`confirmed` is of all that was asked: the amount, what is left, what the credits become",
  "/demo/checkout/:id":
    "`shown`: what the pack costs and gives, and how the spot stands that it pays for",
  "/profile intent=claim-reward": "one constant, decided again",
  "/settings/blocked intent=unblock": "says the state that it leads to",
  "/settings/withdraw intent=confirm": "`shown`: what is unused, and what comes back",
  "/settings/withdraw intent=take-back": "its id names one row, which the button alone is about",
  "/admin/players/announcements/:id": "says the state that it leads to",
  "/admin/players/announcements/new intent=send": "`recipients`, as the preview counted them",
  "/admin/games/:id intent=publish-following": "`shown`, of all drafts that it would publish",
  "/admin/games/:id intent=unpublish-following": "`shown`, of all games that it would unpublish",
  "/admin/games/:id intent=remove-result": "`version`, of the result",
  "/admin/games/:id intent=mark-paid": "what is typed is the whole of it, and its id notes it once",
  "/admin/games/:id intent=mark-unpaid": "the id of the payment, whose amount never changes",
  "/admin/games/:id intent=give-cash-back": "the id of the payment, whose amount never changes",
  "/admin/games/:id intent=keep-cash": "the id of the payment, whose amount never changes",
  "/admin/games/:id intent=owe-cash": "the id of the payment, whose amount never changes",
  "/admin/games/:id intent=not-collected": "says the state that it leads to",
  "/admin/games/:id intent=collected": "says the state that it leads to",
  "/admin/games/:id/tap": "`from` and `version`, of the mark that was tapped on",
  "/admin/games/:id/cancel": "`games` names the key of each as it was listed",
  "/admin/venues/:id intent=show": "says the state that it leads to",
  "/admin/packs/:id intent=stop-selling": "says the state that it leads to",
  "/admin/players/:id intent=unsuspend": "says the state that it leads to",
  "/admin/players/:id intent=excuse": "its id names one row, which the button alone is about",
  "/admin/players/:id intent=unexcuse": "its id names one row, which the button alone is about",
  "/admin/inbox/mail": "its id names one row, which the button alone is about",
  "/admin/inbox/:id intent=paid-back": "`shown`: how much is refunded, and to whom",
  "/admin/inbox/:id intent=refund": "`shown`: how much is refunded, and to whom",
  "/admin/inbox/:id intent=reject": "what is typed is the whole of it, and what it ends is locked",
  "/admin/inbox/:id intent=remove-message": "its id names one message, which never changes",
  "/admin/inbox/:id intent=open": "says the state that it leads to",
  "/vitals": "web vitals, without an account",
  "/webhooks/stripe": "signed by Stripe",
  "/webhooks/mail": "has a secret of the mail service",
  "/*": "is answered as missing",
};

const GAME = ["start", "end", "place", "address"];
const SALE = [...GAME, "minimum", "cancellation"];

/** The facts in the field `shown` of every form that has it; each is compared when it is sent. */
export const SHOWN_FACTS: Record<string, string[]> = {
  "/events/:id intent=join": SALE,
  "/events/:id intent=hold": [...GAME, "minimum", "hold"],
  "/events/:id intent=wait": [...SALE, "terms"],
  "/events/:id intent=change-wait": [...SALE, "terms"],
  "/events/:id intent=leave-waitlist": ["offer"],
  "/events/:id intent=cancel": [...GAME, "minimum", "refund"],
  "/bookings intent=cancel": [...GAME, "refund"],
  "/bookings intent=leave-waitlist": ["offer"],
  "/demo/checkout/pay_per_game": [":id", "spot"],
  "/demo/checkout/monthly_4": [":id", "spot"],
  "/admin/games/:id intent=cancel": [":id"],
  "/admin/games/:id intent=publish": [":id"],
  "/admin/games/:id intent=unpublish": [":id"],
  "/admin/games/:id intent=play-anyway": ["players"],
  "/admin/games/:id intent=add": [...GAME, "charge"],
  "/admin/games/:id intent=remove": ["back"],
  "/admin/packs/:id intent=make-link": [":id"],
  "/settings/delete-account": ["credits", "debt", "bookings", "payments"],
};

/** Same as above, of forms that only a scenario of their own shows. */
export const SHOWN_IN_SCENES: Record<string, string[]> = {
  "take-offer": SALE,
  "give-back": ["link"],
  "a withdrawal": ["unused", "refund"],
  "marking refunded": ["amount", "player"],
  "a purchase": [":id"],
};

/** Scripts that send something themselves, with what they say of the account, or why nothing. */
export const SENDERS: Record<string, string> = {
  "forms/post-form.tsx": "the one form that posts",
  "routes/admin/tap-queue.ts": "account",
  "routes/games/chat/use-outbox.ts": "account",
  "routes/games/chat/use-read.ts": "account",
  "routes/games/chat/use-message-actions.ts": "account",
  "routes/push/push-device.tsx": "usePageAccount",
  "routes/admin/filter-form.tsx": "asks for a list only",
  "routes/admin/games/plan/edit.tsx": "sends its form, which says it, to be asked only",
  "routes/cards/own.tsx": "fetches a picture",
  "routes/wallet/use-arrival.ts": "asks whether a payment has arrived",
  "routes/public/offline-tickets.js": "asks whether there is a connection",
  "ui/connection.ts": "asks whether there is a connection",
};
