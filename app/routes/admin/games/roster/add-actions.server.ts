import { addPlayer, type Charge } from "#app/features/roster/add-player.server.ts";
import { findSeatName } from "#app/features/roster/roster.server.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import {
  listPlayersByText,
  type PlayerMatch,
} from "#app/features/players/search-players.server.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { FieldError, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { paidByHandText } from "#app/features/bookings/cash-texts.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { creditsCount, creditsText, euros, numericFromCents } from "#app/platform/money.ts";
import { withQuery } from "#app/routes/auth-path.ts";
import type { App } from "#app/routes/context.server.ts";
import { qrCode } from "#app/routes/responses/qr-code.server.ts";
import { asksOfCash, cashQuestion } from "./cash-actions.server.ts";
import {
  type Choice,
  ERRORS,
  gameRow,
  type RosterResult,
  type SignUpLink,
} from "./roster-actions.server.ts";
import { seatPaymentInput } from "#app/features/roster/input.ts";

const MAX_CHOICES = 10;
const USUAL_AMOUNT = numericFromCents(GAME_PRICE_CENTS);
const NOT_BY_HAND = "Press “Add as paid by hand” below, or leave the usual amount";

// Adds the player of an address or a whole name. Asks which if a name fits several or is
// incomplete: `playerId` is the choice, `nextId` the waiting player who was asked about.
const add = gameRow({
  failed: "Failed to add player",
  keep: ["who", "payment", "amount", "method", "isHere", "confirmed"],
  input: paymentOf,
  run: async ({ db, env, jobs, change, formKey, input: payment, fields }) => {
    const { who = "", playerId, nextId, confirmed } = fields;
    if (payment.by === "cash" && asksOfCash(payment, confirmed)) return rejected("unusual");
    const found = playerId ? { playerId } : await findPlayer({ db, env }, who, change.gameId);
    if (!("playerId" in found)) return { ok: false, reason: "unclear", found } as const;
    const raisedTo = Number(fields.raisedTo) || undefined;
    const form = { payment, isHere: fields.isHere === "1", nextId, raisedTo, formKey };
    const shown = readShown(fields.shown);
    return addPlayer(db, jobs, { ...found, ...change, ...form, shown });
  },
  errors: {
    ...ERRORS,
    unusual: (_, { input }) => [
      "invalid",
      input.by === "cash" ? { unusualCash: cashQuestion(input) } : {},
    ],
    unclear: ({ found }, { input }) => ["invalid", { ...found, ...byHand(input) }],
    unconfirmed: ({ player, next }, { input }) => [
      "ok",
      { unconfirmed: { player, next }, ...byHand(input) },
    ],
    "over-max": ({ player, raisedTo }, { input }) => [
      "ok",
      { overMax: { player, raisedTo }, ...byHand(input) },
    ],
    changed: ({ newFacts }) => `${newFacts} Nobody was added: look again.`,
    "not-enough-credits": ({ player, wallet, priceCents }) => {
      const why =
        wallet.debtCents > 0
          ? `owes ${creditsCount(wallet.debtCents)}, so none can be taken`
          : `has ${creditsCount(wallet.balanceCents)}, and the game costs ${creditsText(priceCents)}`;
      return ["payment", `Not enough credits: ${player.name} ${why}. Nobody was added.`];
    },
  },
  done: async (result, { db }) => {
    const name = await findSeatName(db, result.bookingId);
    return {
      title: "Player added",
      description: `${name}. ${paidText(result)} An email is sent.`,
    };
  },
});

export const addForms = {
  add,
  // For who shares the name of somebody with an account, too.
  "sign-up-link": gameRow({
    failed: "Failed to make sign-up link",
    run: async (app) => signUpLink(app, app.gameId),
    errors: {},
    done: (signUp) => ({ shows: { form: "sign-up-link", signUp } }),
  }),
};

function paymentOf({ fields }: Posted) {
  // The button of the question about an amount names the amount alone.
  const usual = fields.confirmed ? "cash" : "nothing";
  const payment = parseForm(seatPaymentInput, { payment: usual, ...fields });
  // Enter in the amount's field presses the first button.
  const isTyped = Boolean(fields.amount) && fields.amount !== USUAL_AMOUNT;
  if (payment.by === "nothing" && isTyped) throw new FieldError({ amount: NOT_BY_HAND });
  return payment;
}

function byHand(payment: ReturnType<typeof paymentOf>): Pick<RosterResult, "paidByHand"> {
  return payment.by === "cash" ? { paidByHand: paidByHandText(payment) } : {};
}

function paidText({ chargedCents, usesFreeSession, cash }: Charge): string {
  if (cash) return `Paid by hand: ${euros(cash.amountCents)}.`;
  if (usesFreeSession) return "It is their free session.";
  if (chargedCents > 0) return `${creditsCount(chargedCents)} were taken.`;
  return "Unpaid, and no credits were taken.";
}

async function findPlayer(
  app: Pick<App, "db" | "env">,
  who: string,
  gameId: string,
): Promise<{ playerId: string } | RosterResult> {
  const text = who.replaceAll("\0", "").trim().slice(0, 255);
  const found = text ? await listPlayersByText(app.db, text, MAX_CHOICES + 1) : [];
  const [exact, ...others] = found.filter(({ isExact }) => isExact);
  if (exact && others.length === 0) return { playerId: exact.playerId };
  if (!text) return { fieldErrors: { who: "Enter a name or an email address" } };
  if (found.length === 0) {
    return { fieldErrors: { who: ERRORS["no-player"] }, signUp: signUpLink(app, gameId) };
  }
  const choices = found.slice(0, MAX_CHOICES).map(toChoice);
  if (found.length <= MAX_CHOICES) return { choices };
  return { choices, formError: "Many names begin like this. Type more of it." };
}

function signUpLink({ env }: Pick<App, "env">, gameId: string): SignUpLink {
  const query = { redirectTo: `/events/${gameId}`, tab: "sign-up" };
  const address = env.appUrl + withQuery("/auth", query);
  return { address, qrCode: qrCode(address) };
}

function toChoice(found: PlayerMatch): Choice {
  const { playerId, firstName, lastName, email, pictureUrl } = found;
  return { playerId, name: `${firstName} ${lastName}`, email, pictureUrl };
}
