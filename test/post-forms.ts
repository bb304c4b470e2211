/**
 * Forms that do the same whoever is signed in, by their beginning as `kindOf` writes it; all others
 * act only for the account that their page was made for.
 */
export const FOR_ANYONE = ["/auth", "/unsubscribe/"];

/**
 * What a form carries beside the account of what its page has shown, and where that has changed
 * since, it does nothing. A form without a row is bound by the account alone: what it does follows
 * from what was typed or pressed, from its own row's id, or from a version that its test proves.
 */
export const FORM_FACTS: Record<string, string[]> = {
  "/events/:id intent=join": ["priceShown", "shown"],
  "/events/:id intent=change-wait": ["priceShown", "shown"],
  "/events/:id intent=wait": ["priceShown", "shown"],
  "/events/:id intent=hold": ["shown"],
  "/events/:id intent=leave-waitlist": ["shown"],
  "/bookings intent=cancel": ["shown"],
  "/bookings intent=leave-waitlist": ["shown"],
  "/demo/checkout/portal": ["seen"],
  "/admin/games/:id intent=cancel": ["shown"],
  "/admin/games/:id intent=attendance": ["version"],
  "/admin/games/:id intent=result": ["version", "teamsVersion"],
  "/admin/games/:id/edit intent=save": ["version"],
  "/admin/games/:id/teams": ["version"],
  "/admin/partners/:id intent=save": ["version"],
  "/admin/legal": ["version"],
  "/admin/venues/:id intent=save": ["version"],
  "/admin/venues/:id/photos intent=arrange": ["version"],
  "/admin/packs/:id intent=save": ["version"],
  "/admin/inbox/:id": ["seen"],
};

const GAME = ["start", "end", "place", "address"];

/** The facts in the field `shown` of every form that has it; each is compared when it is sent. */
export const SHOWN_FACTS: Record<string, string[]> = {
  "/events/:id intent=join": [...GAME, "minimum"],
  "/events/:id intent=hold": [...GAME, "minimum", "hold"],
  "/events/:id intent=wait": [...GAME, "minimum", "terms"],
  "/events/:id intent=change-wait": [...GAME, "minimum", "terms"],
  "/events/:id intent=leave-waitlist": ["offer"],
  "/bookings intent=cancel": [...GAME, "refund"],
  "/bookings intent=leave-waitlist": ["offer"],
  "/demo/checkout/pay_per_game": [":id"],
  "/demo/checkout/monthly_4": [":id"],
  "/admin/games/:id intent=cancel": [":id"],
  "/admin/games/:id intent=remove": ["back"],
};

/** As above, of forms that only a scenario of their own shows. */
export const SHOWN_IN_SCENES: Record<string, string[]> = {
  "take-offer": [...GAME, "minimum"],
  "join after a payment": GAME,
  "give-back": ["link"],
  "a withdrawal": ["unused", "refund"],
  "a purchase": [":id"],
};

/** Scripts that send something themselves, with what they say of the account, or why nothing. */
export const SENDERS: Record<string, string> = {
  "forms/post-form.tsx": "the one form that posts",
  "routes/admin/games/roster/tap-queue.ts": "account",
  "routes/chat/use-outbox.ts": "account",
  "routes/chat/use-read.ts": "account",
  "routes/chat/use-message-actions.ts": "account",
  "routes/settings/push-device.tsx": "usePageAccount",
  "routes/admin/filter-form.tsx": "asks for a list only",
  "routes/cards/share-card.tsx": "fetches a picture",
  "routes/wallet/use-arrival.ts": "asks whether a payment has arrived",
  "routes/public/offline-tickets.js": "asks whether there is a connection",
  "ui/connection.ts": "asks whether there is a connection",
};
