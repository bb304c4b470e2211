import { stopPaying } from "#app/features/bookings/hold-while-paying.server.ts";
import { gamePath, isHoldToken } from "#app/features/friends/rules.ts";
import { JOIN_ERRORS } from "#app/features/bookings/join-errors.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { otherGamesText } from "#app/features/waitlist/order.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { creditsText } from "#app/platform/money.ts";
import { debtSentence, openPlans } from "#app/routes/credits/plans.server.ts";
import { friendForms } from "#app/routes/games/friends/actions.server.ts";
import { gameRow } from "./game-row.server.ts";
import { CANCEL } from "#app/routes/own-spot/cancel-row.server.ts";
import { shownIn } from "./shown.server.ts";
import { waitlistForms } from "#app/routes/games/waitlist/actions.server.ts";

const FORM_OF_OTHER =
  "This form has booked another seat before. Nothing was booked: join again if you want to play.";

const JOIN_FAILED = "Failed to join game. Please try again.";

// Optional: `shown`, `priceShown` in credits, `formKey`, `overlap` to be asked about other games then, or
// with the key of that question, and `hold`, the token of a spot that another player holds.
const join = gameRow({
  failed: "Failed to join game",
  title: "Booking Error",
  formError: JOIN_FAILED,
  hasReason: true,
  run: async ({ db, jobs, change, formKey, form, fields: { hold, intent, overlap } }) => {
    const shown = shownIn(form);
    if (!shown) return { ok: false, reason: "incomplete" } as const;
    return joinGame(db, jobs, {
      ...{ ...change, formKey, shown, holdToken: hold || undefined },
      takesOffer: intent === "take-offer",
      ...{ asksOfOtherGame: overlap !== undefined, confirmed: overlap },
    });
  },
  errors: {
    incomplete: ["incomplete", { formError: JOIN_FAILED, reason: undefined }],
    ...JOIN_ERRORS,
    "not-found": ["missing", JOIN_ERRORS["not-found"]],
    "not-published": ["missing", JOIN_ERRORS["not-published"]],
    "no-offer": "This offer is over. You are still on the waitlist.",
    "form-used":
      "You have left this game since you sent this form. " +
      "Nothing was booked: join again if you want to play.",
    "form-of-other": FORM_OF_OTHER,
    changed: ({ newFacts = "" }) =>
      `${newFacts} Nothing was booked: look again and join if that is fine.`,
    "plays-meanwhile": ({ otherGames = [], key }) => ({
      ...{ formError: otherGamesText(otherGames), confirms: key },
    }),
    "not-enough-credits": async (
      { priceCents = 0, wallet },
      { viewer, fields, change, ...app },
    ) => {
      const { hold } = fields;
      const returnTo = gamePath(change.gameId, isHoldToken(hold) ? hold : null);
      // The locked wallet, since the session's may be older.
      const plans = await openPlans(app, { ...viewer, ...wallet }, { returnTo, priceCents });
      const { debtCents = 0 } = wallet ?? {};
      // Who only lacks credits has made no mistake: the plans say what is missing.
      return ["payment", debtCents > 0 ? { formError: debtError(debtCents), plans } : { plans }];
    },
    "account-gone": ["forbidden", JOIN_ERRORS["account-gone"]],
    suspended: ["forbidden", JOIN_ERRORS.suspended],
  },
  done: ({ priceCents }, { path }) => ({
    ...joinedToast(priceCents),
    to: `${path}/joined`,
    // One step back then leads to where the game was opened from.
    headers: { "X-Remix-Replace": "true" },
  }),
});

/** The spot that is held while its player pays. */
const stopPayingForm = gameRow({
  failed: "Failed to give the spot back",
  run: ({ db, jobs, change, fields: { confirmed } }) =>
    stopPaying(db, jobs, { ...change, confirmed }),
  errors: {
    "not-found": ["missing", "Game not found"],
    "not-paying": "No spot is held for you any more.",
    "pays-already": ({ key }) => ({ formError: GOES_ON, confirms: key }),
  },
  done: ({ isUnderWay }) => ({
    title: "Spot given back",
    description: isUnderWay
      ? "Your payment goes on: once it is confirmed, it is in your wallet."
      : "Nothing was booked.",
  }),
});

const GOES_ON =
  "Your payment is under way and cannot be stopped here. Once it is confirmed, its credits are in " +
  "your wallet, for any game. It does not book this one any more.";

export const gameAction = formActions({
  join,
  "stop-paying": stopPayingForm,
  "take-offer": join,
  cancel: gameRow(CANCEL),
  ...waitlistForms,
  ...friendForms,
});

function joinedToast(priceCents: number) {
  const title = "Successfully joined!";
  if (priceCents === 0) return { title, description: "This one's free." };
  return { title, description: `You've joined the game for ${creditsText(priceCents)} credits!` };
}

/** Debt blocks free games too. */
const debtError = (debtCents: number) =>
  `${debtSentence(debtCents)} The next credits you buy pay that first, then you can join again.`;
