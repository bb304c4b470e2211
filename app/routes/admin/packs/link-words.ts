import type { LinkCheck } from "#app/features/wallet/rules.ts";

type State = LinkCheck["state"];

/** What a pack's link is, in two words. */
export const LINK_WORDS: Record<State, string> = {
  ready: "Link ready",
  sandbox: "Demo checkout",
  missing: "No payment link",
  elsewhere: "Link not allowed",
  unmatched: "Link incomplete",
};

/** What that means for whoever wants to buy, and what is to be done. */
export const LINK_ADVICE: Record<State, string> = {
  ready: "Players can buy it, and Stripe's messages find their way to it.",
  sandbox: "Players buy it at the demo's own checkout, at the price of the day. No money moves.",
  missing: "Nobody can buy it. Whoever runs the site makes the link with this command:",
  elsewhere:
    "Nobody can buy it: the link leads elsewhere than payment links may. Have PAYMENT_LINK_PREFIX corrected, or a new link made with this command:",
  unmatched:
    "It can be bought, but Stripe's messages would not name this pack, and its payments would wait under Payments. This command puts it right:",
};

/** The states that the command mends. */
export const isMendable = (state: State) => state !== "ready" && state !== "sandbox";
