import type { Arrival } from "#app/features/wallet/payments.server.ts";
import { creditsCount, wholeCreditsCount } from "#app/platform/money.ts";

/** The state of a payment in the words of the page; "long" takes the place of "waiting". */
export function arrivalWords(arrival: Arrival): { title: string; text: string } {
  if (arrival.state !== "arrived") return WORDS[arrival.state];
  return {
    title: `${creditsCount(arrival.creditsCents)} arrived`,
    text: `New balance: ${wholeCreditsCount(arrival.balanceCents)}.`,
  };
}

const WORDS = {
  waiting: {
    title: "Waiting for your credits",
    text: "Your payment is on its way to us. This usually takes a few seconds.",
  },
  unconfirmed: {
    title: "Waiting for your bank",
    text:
      "Your bank has not confirmed yet. This can take a few days; your credits will arrive " +
      "automatically.",
  },
  failed: {
    title: "Payment failed",
    text: "The payment did not go through. Nothing was charged.",
  },
  parked: {
    title: "We have your payment",
    text: "We are matching it by hand. You don't have to do anything.",
  },
  settled: {
    title: "Settled by hand",
    text: "An organiser has looked at this payment. Your wallet shows what you have.",
  },
};

export const LONG = {
  title: "This is taking longer than usual",
  text:
    "Nothing is lost. You may leave this page and look again later; your credits will arrive " +
    "automatically. If they are not there within an hour, write to us.",
};

/** What the way on is called. */
export function onwardLabel(path: string): string {
  if (path.startsWith("/events/")) return "Go to the game";
  if (path.startsWith("/bookings")) return "Go to My Games";
  return path.startsWith("/wallet") ? "See your wallet" : "Continue";
}
