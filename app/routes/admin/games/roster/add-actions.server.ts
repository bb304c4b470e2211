import { addPlayer, type Charge } from "#app/features/roster/add-player.server.ts";
import { findSeatName } from "#app/features/roster/roster.server.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import {
  listPlayersByText,
  type PlayerMatch,
} from "#app/features/players/search-players.server.ts";
import { fail, FieldError, parseForm } from "#app/forms/form-action.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { paidByHandText } from "#app/features/bookings/cash-texts.ts";
import { creditsCount, creditsText, euros, numericFromCents } from "#app/platform/money.ts";
import { withQuery } from "#app/routes/auth/auth-path.ts";
import type { App } from "#app/routes/context.server.ts";
import { qrCode } from "#app/routes/responses/qr-code.server.ts";
import {
  type Choice,
  ERRORS,
  failRoster,
  type GameArgs,
  gameOf,
  type RosterResult,
  type SignUpLink,
} from "./roster-actions.server.ts";
import { seatPaymentInput } from "#app/features/roster/input.ts";

export const addForms = {
  add: {
    failed: "Failed to add player",
    keep: ["who", "payment", "amount", "method", "isHere"],
    run: add,
  },
  "sign-up-link": { failed: "Failed to make sign-up link", run: offerSignUp },
};

const MAX_CHOICES = 10;
const USUAL_AMOUNT = numericFromCents(GAME_PRICE_CENTS);
const NOT_BY_HAND = "Press “Add as paid by hand” below, or leave the usual amount";

// Adds the player of an address or a whole name. Asks which if a name fits several or is
// incomplete: `playerId` is the choice, `nextId` the waiting player who was asked about.
async function add(args: GameArgs) {
  const { app, gameId, actorId, done } = gameOf(args);
  const { who = "", playerId, nextId, formKey } = args.fields;
  const payment = parseForm(seatPaymentInput, { payment: "nothing", ...args.fields });
  // Enter in the amount's field presses the first button.
  const isTyped = Boolean(args.fields.amount) && args.fields.amount !== USUAL_AMOUNT;
  if (payment.by === "nothing" && isTyped) throw new FieldError({ amount: NOT_BY_HAND });
  const found = playerId ? { playerId } : await findPlayer(app, who, gameId);
  const asked = payment.by === "cash" ? { paidByHand: paidByHandText(payment) } : {};
  if (!("playerId" in found)) return fail<RosterResult>(422, { ...found, ...asked });
  const isHere = args.fields.isHere === "1";
  const raisedTo = Number(args.fields.raisedTo) || undefined;
  const form = { actorId, payment, isHere, nextId, raisedTo, formKey: formKeyOf(formKey) };
  const result = await addPlayer(app.db, app.jobs, { ...found, gameId, ...form, now: app.now() });
  if (!result.ok) return failAdd(result, asked);
  const name = await findSeatName(app.db, result.bookingId);
  return done("Player added", `${name}. ${paidText(result)} An email is sent.`);
}

/** For who shares the name of somebody with an account, too. */
async function offerSignUp(args: GameArgs) {
  const { app, gameId } = gameOf(args);
  return fail<RosterResult>(200, { signUp: signUpLink(app, gameId) });
}

type NotAdded = Extract<Awaited<ReturnType<typeof addPlayer>>, { ok: false }>;

function failAdd(result: NotAdded, asked: Pick<RosterResult, "paidByHand">) {
  if (result.reason === "unconfirmed") {
    const { player, next } = result;
    return fail<RosterResult>(200, { unconfirmed: { player, next }, ...asked });
  }
  if (result.reason === "over-max") {
    const { player, raisedTo } = result;
    return fail<RosterResult>(200, { overMax: { player, raisedTo }, ...asked });
  }
  if (result.reason !== "not-enough-credits") return failRoster(result.reason);
  const { player, wallet, priceCents } = result;
  const why =
    wallet.debtCents > 0
      ? `owes ${creditsCount(wallet.debtCents)}, so none can be taken`
      : `has ${creditsCount(wallet.balanceCents)}, and the game costs ${creditsText(priceCents)}`;
  const formError = `Not enough credits: ${player.name} ${why}. Nobody was added.`;
  return fail<RosterResult>(402, { formError });
}

function paidText({ chargedCents, usesFreeSession, cash }: Charge): string {
  if (cash) return `Paid by hand: ${euros(cash.amountCents)}.`;
  if (usesFreeSession) return "It is their free session.";
  if (chargedCents > 0) return `${creditsCount(chargedCents)} were taken.`;
  return "Unpaid, and no credits were taken.";
}

async function findPlayer(
  app: App,
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

function signUpLink({ env }: App, gameId: string): SignUpLink {
  const query = { redirectTo: `/events/${gameId}`, tab: "sign-up" };
  const address = env.appUrl + withQuery("/auth", query);
  return { address, qrCode: qrCode(address) };
}

function toChoice(found: PlayerMatch): Choice {
  const { playerId, firstName, lastName, email, pictureUrl } = found;
  return { playerId, name: `${firstName} ${lastName}`, email, pictureUrl };
}
