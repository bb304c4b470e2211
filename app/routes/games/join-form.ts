import type { JoinResult } from "#app/features/bookings/join-game.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { centsFromNumeric, creditsCount, creditsText } from "#app/platform/money.ts";

interface JoinFields {
  priceShownCents?: number;
  formKey?: string | undefined;
}

/**
 * `intent=join` with an optional `priceShown` in credits and an optional `formKey`; null where it is
 * something else.
 */
export function parseJoin(form: FormData): JoinFields | null {
  if (form.get("intent") !== "join") return null;
  const formKey = formKeyOf(form.get("formKey"));
  const shown = form.get("priceShown");
  if (shown === null || shown === "") return { formKey };
  if (typeof shown !== "string" || !/^\d{1,6}(\.\d{1,2})?$/.test(shown)) return null;
  return { priceShownCents: centsFromNumeric(shown), formKey };
}

/** The toast of a success; a free join does not claim that credits were paid. */
export function joinedMessage(priceCents: number) {
  const title = "Successfully joined!";
  if (priceCents === 0) return { title, description: "You've joined the game. This one is free." };
  return { title, description: `You've joined the game for ${creditsText(priceCents)} credits!` };
}

export interface Refusal {
  reason: string;
  message: string;
}

/** What nobody foresaw, or no form of ours sends: nothing was booked (specification, section 8). */
export const JOIN_FAILED: Refusal = {
  reason: "failed",
  message: "Failed to join game. Please try again.",
};

/** A refusal in words, with the status that it answers with. */
export function explainRefusal(
  answer: Extract<JoinResult, { ok: false }>,
): Refusal & { status: number } {
  const { reason, priceCents = 0, wallet = EMPTY } = answer;
  return { reason, ...REFUSALS[reason]({ priceCents, ...wallet }) };
}

const EMPTY = { balanceCents: 0, debtCents: 0 };
type Facts = typeof EMPTY & { priceCents: number };
type Explain = (facts: Facts) => { status: number; message: string };

const REFUSALS: Record<Extract<JoinResult, { ok: false }>["reason"], Explain> = {
  "not-found": () => ({ status: 404, message: "Game not found" }),
  "not-published": () => ({ status: 404, message: "This game is not open for joining." }),
  "already-joined": () => ({ status: 409, message: "You're already in this game." }),
  started: () => ({ status: 409, message: "This game has started. It can no longer be joined." }),
  full: () => ({ status: 409, message: "This game is full. Someone took the last spot." }),
  "form-used": () => ({
    status: 409,
    message:
      "You have left this game since you sent this form. " +
      "Nothing was booked: join again if you want to play.",
  }),
  "price-changed": ({ priceCents }) => ({
    status: 409,
    message:
      `The price is now ${priceCents === 0 ? "0: this one is free" : `${creditsText(priceCents)} credits`}. ` +
      "Nothing was booked: look again and join if that is fine.",
  }),
  "not-enough-credits": (facts) => ({
    status: 402,
    message: facts.debtCents > 0 ? oweMessage(facts) : missingMessage(facts),
  }),
  "account-gone": () => ({ status: 403, message: "This account is deleted." }),
  suspended: () => ({ status: 403, message: "Your account is suspended." }),
};

// Free games as well wait until it is settled.
function oweMessage({ debtCents }: Facts): string {
  return (
    `You owe ${creditsCount(debtCents)} from a refunded payment. ` +
    "The next credits you buy pay that first, then you can join again."
  );
}

function missingMessage({ priceCents, balanceCents }: Facts): string {
  return (
    `This game costs ${creditsText(priceCents)} credits and you have ` +
    `${creditsText(balanceCents)}. You need ${creditsText(priceCents - balanceCents)} more.`
  );
}
