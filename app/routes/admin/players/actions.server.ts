import { data } from "react-router";
import { z } from "zod";
import {
  changeRole,
  suspendAccount,
  unsuspendAccount,
} from "#app/features/accounts/account-status.server.ts";
import { amount, line, text } from "#app/platform/fields.ts";
import { SUSPENSION_REASON_MAX } from "#app/features/accounts/rules.ts";
import { excuseNoShow, unexcuseNoShow } from "#app/features/roster/no-shows.server.ts";
import { findPlayerRecord } from "#app/features/players/profiles.server.ts";
import {
  refundPurchase,
  type RefundQuestion,
} from "#app/features/wallet/stripe/refund-purchase.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import {
  asksAgain,
  CORRECTION_REASON_MAX,
  MOST_CORRECTED_CENTS,
} from "#app/features/wallet/rules.ts";
import { formActions, type Posted } from "#app/forms/form-action.server.ts";
import { formRows, rejected } from "#app/forms/form-rows.server.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { creditsCount, creditsText, euros } from "#app/platform/money.ts";
import { openRefunds, REFUND_ERRORS, REFUND_TITLES } from "#app/routes/admin/refunds.server.ts";
import { adminOf } from "#app/routes/admin/admin-action.server.ts";
import type { ConfirmedResult, Confirmation } from "#app/routes/admin/confirmation.tsx";
import type { Route } from "./+types/show";
import { NO_SHOW_NOTE_MAX } from "#app/features/roster/rules.ts";

type PlayerArgs = Route.ActionArgs & Posted;

async function targetOf(args: PlayerArgs) {
  const app = adminOf(args);
  const player = await findPlayerRecord(app.db, args.params.playerId);
  if (!player) throw data(null, { status: 404 });
  const { bookingId = "" } = args.fields;
  return {
    ...{ ...app, player, now: app.now(), path: `/admin/players/${player.id}` },
    target: { userId: player.id, actor: app.actor },
    mark: { bookingId, playerId: player.id, actorId: app.actor },
  };
}

const row = formRows<PlayerArgs, Awaited<ReturnType<typeof targetOf>>, PlayerResult>(targetOf);

const AMOUNT = "Enter an amount above 0 and at most 9,999 credits, such as 10 or 9.01";

/** The sign is a separate field, since number keyboards on phones have no minus. */
export const correctionInput = z
  .object({
    direction: text.pipe(z.enum(["give", "take"], "Choose whether to give or to take")),
    amount: amount(AMOUNT, { most: MOST_CORRECTED_CENTS }),
    reason: reasonUpTo(CORRECTION_REASON_MAX),
    formKey: text.pipe(z.uuid("This form is out of date. Load the page again.")),
  })
  .transform(({ direction, amount: cents, formKey: key, ...rest }) => ({
    ...rest,
    key,
    amountCents: direction === "take" ? -cents : cents,
  }));

const confirmed = text.pipe(z.string().min(1, "Tick the box to go on"));
const roleInput = z.object({ confirmed });
export const suspensionInput = z.object({ reason: reasonUpTo(SUSPENSION_REASON_MAX), confirmed });
export const excuseInput = z.object({ note: reasonUpTo(NO_SHOW_NOTE_MAX, "Note") });

function reasonUpTo(max: number, name = "Reason") {
  const tooLong = `The ${name.toLowerCase()} can be at most ${max} characters`;
  return line.pipe(z.string().min(1, `${name} is required`).max(max, tooLong));
}

export type PlayerResult = ConfirmedResult;

type Player = NonNullable<Awaited<ReturnType<typeof findPlayerRecord>>>;

function correctionConfirmation(amountCents: number, player: Player): Confirmation {
  const amount = creditsCount(Math.abs(amountCents));
  const [verb, debtCents] = amountCents < 0 ? ["Take", 0] : ["Give", player.debtCents];
  const paid = Math.min(debtCents, amountCents);
  const debt = paid > 0 ? ` ${creditsCount(paid)} pay what is owed.` : "";
  const balance = creditsCount(player.balanceCents + amountCents - Math.max(paid, 0));
  const [name, from] = [`${player.firstName} ${player.lastName}`, amountCents < 0 ? "from" : "to"];
  return {
    title: `${verb} ${amount} ${from} ${name}?`,
    text: `The balance is ${creditsCount(player.balanceCents)} and becomes ${balance}.${debt}`,
    button: `${verb} ${amount}`,
    key: String(amountCents),
  };
}

const NOTHING_CHANGED = { failed: "Nothing changed", formError: NOTHING_SAVED };

const GONE = "This account has been deleted meanwhile.";
const LAST_ADMIN = "This is the last admin who can sign in. Make somebody else an admin first.";

// An admin who gives up their own role can no longer open this page.
const role = (isAdmin: boolean) =>
  row({
    ...{ ...NOTHING_CHANGED, keep: ["confirmed"] },
    input: roleInput,
    run: ({ db, target }) => changeRole(db, { ...target, isAdmin }),
    errors: {
      gone: GONE,
      suspended: "A suspended account cannot become an admin's. Lift the suspension first.",
      "last-admin": LAST_ADMIN,
    },
    done: (_, { path, target }) => ({
      to: !isAdmin && target.userId === target.actor ? "/events" : path,
      title: isAdmin ? "Made an admin" : "Admin role taken away",
    }),
  });

const EXCUSE_ERRORS = {
  "not-found": ["missing", "There is no such booking."],
  "no-no-show": "This is not marked as a no-show any more.",
  excused: "Somebody else has excused this meanwhile, with a note of theirs.",
} as const;

const MOST_REFUNDED_CENTS = 999_999;
const REFUND_AMOUNT = "Enter an amount in euros, such as 9.99";

export const refundInput = z.object({
  amount: amount(REFUND_AMOUNT, { most: MOST_REFUNDED_CENTS }),
  paymentId: text,
});

const refund = row({
  failed: "Nothing was refunded",
  keep: ["paymentId", "amount"],
  input: refundInput,
  run: async ({ db, env, now, player, target, input, fields: { formKey, confirmed } }) => {
    const stripe = openRefunds(env);
    const refundId = formKeyOf(formKey);
    if (!stripe) return rejected("key");
    if (!refundId) return rejected("gone");
    return refundPurchase(db, {
      ...{ stripe, refundId, confirmed, actor: target.actor, now },
      ...{ playerId: player.id, paymentId: input.paymentId, amountCents: input.amount },
    });
  },
  errors: {
    ...REFUND_ERRORS,
    unconfirmed: (question, { player }) => [
      "invalid",
      { confirmation: refundConfirmation(question, player) },
    ],
    "too-much": { fieldErrors: { amount: "That is more than is left to refund" } },
    withdrawal: "The player has withdrawn from this purchase. Refund it in the inbox.",
    "form-used": ({ usedCents }) =>
      `This form has refunded ${euros(usedCents)} already. Load the page again for another refund.`,
  },
  done: ({ status, amountCents }, { player, path }) => ({
    to: `${path}#purchases`,
    title: REFUND_TITLES[status],
    description: `${euros(amountCents)} ${status === "failed" ? "did not go" : "goes"} back to ${nameOf(player)}.`,
  }),
});

const nameOf = ({ firstName, lastName }: Player) => `${firstName} ${lastName}`;

/** What is paid back, to whom, and what their credits become. */
function refundConfirmation(question: RefundQuestion, player: Player): Confirmation {
  const { amountCents, requestedCents, balanceCents, takenCents, debtCents, key } = question;
  const balance = `the balance is ${creditsCount(balanceCents)} and becomes ${creditsCount(balanceCents - takenCents)}`;
  const texts = [
    requestedCents > 0 && `${euros(requestedCents)} of this purchase were asked for here before.`,
    "Stripe pays it back in the way it was paid.",
    takenCents > 0
      ? `With it ${creditsCount(takenCents)} leave the wallet: ${balance}.`
      : "No credits leave the wallet.",
    debtCents > 0 &&
      `${creditsCount(debtCents)} of it are spent already: bookings stay, and so many are owed until new credits pay for them.`,
    takenCents + debtCents === 0 && "Its credits have expired, or were taken back before.",
  ];
  return {
    title: `Refund ${euros(amountCents)} to ${nameOf(player)}?`,
    text: texts.filter(Boolean).join(" "),
    button: `Refund ${euros(amountCents)}`,
    key,
  };
}

export const playerAction = formActions({
  "correct-balance": row({
    failed: "No change was made",
    formError: NOTHING_SAVED,
    keep: ["direction", "amount", "reason"],
    input: correctionInput,
    run: async ({ db, jobs, player, target, input, fields: { confirmed } }) => {
      const isConfirmed = confirmed === String(input.amountCents);
      if (asksAgain(input.amountCents, player.balanceCents) && !isConfirmed)
        return rejected("unconfirmed");
      return correctBalance(db, jobs, { ...input, ...target });
    },
    errors: {
      unconfirmed: (_, { input, player }) => [
        "invalid",
        { confirmation: correctionConfirmation(input.amountCents, player) },
      ],
      gone: GONE,
      "form-used":
        "This form was sent before with another amount. Check the balance and send it again.",
      "too-few": ({ wallet }) => ({
        fieldErrors: { amount: `Only ${creditsCount(wallet.balanceCents)} can be taken` },
      }),
    },
    done: ({ isRepeat }, { input: { amountCents } }) => ({
      title: "Balance corrected",
      description: isRepeat
        ? "This had been booked already, and only once."
        : `${amountCents < 0 ? "−" : "+"}${creditsText(Math.abs(amountCents))} credits.`,
    }),
  }),
  refund,
  "make-admin": role(true),
  "unmake-admin": role(false),
  suspend: row({
    ...{ ...NOTHING_CHANGED, keep: ["reason", "confirmed"], isRepeatUnsafe: true },
    input: suspensionInput,
    run: ({ db, jobs, now, target, input: { reason } }) =>
      suspendAccount(db, jobs, { ...target, reason }, now),
    errors: {
      gone: GONE,
      self: "You cannot suspend yourself.",
      already: "This account is suspended already.",
      "last-admin": LAST_ADMIN,
    },
    done: {
      title: "Account suspended",
      description: "They are signed out everywhere. Bookings stay until you decide.",
    },
  }),
  unsuspend: row({
    ...NOTHING_CHANGED,
    run: async ({ db, jobs, now, target }) =>
      (await unsuspendAccount(db, jobs, target, now)) || rejected("gone"),
    errors: { gone: GONE },
    done: { title: "Suspension lifted", description: "They can sign in again." },
  }),
  excuse: row({
    ...{ ...NOTHING_CHANGED, keep: ["bookingId", "note"] },
    input: excuseInput,
    run: ({ db, mark, input, now }) => excuseNoShow(db, { ...mark, ...input, now }),
    errors: EXCUSE_ERRORS,
    done: (_, { path }) => ({
      to: `${path}#no-shows`,
      title: "No-show excused",
      description: "It no longer counts.",
    }),
  }),
  unexcuse: row({
    ...{ ...NOTHING_CHANGED, keep: ["bookingId"] },
    run: ({ db, mark }) => unexcuseNoShow(db, mark),
    errors: EXCUSE_ERRORS,
    done: (_, { path }) => ({ to: `${path}#no-shows`, title: "The no-show counts again" }),
  }),
});
