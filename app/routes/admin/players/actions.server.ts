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
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import {
  asksAgain,
  CORRECTION_REASON_MAX,
  MOST_CORRECTED_CENTS,
} from "#app/features/wallet/rules.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { creditsCount, creditsText } from "#app/platform/money.ts";
import { adminOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route } from "./+types/show";
import { NO_SHOW_NOTE_MAX } from "#app/features/roster/rules.ts";

type Args = Route.ActionArgs & Posted;

const NOTHING_CHANGED = { failed: "Nothing changed", formError: NOTHING_SAVED };

export const playerAction = formActions({
  "correct-balance": {
    failed: "No change was made",
    formError: NOTHING_SAVED,
    keep: ["direction", "amount", "reason"],
    run: correct,
  },
  "make-admin": { ...NOTHING_CHANGED, keep: ["confirmed"], run: (args) => setRole(args, true) },
  "unmake-admin": { ...NOTHING_CHANGED, keep: ["confirmed"], run: (args) => setRole(args, false) },
  suspend: {
    ...NOTHING_CHANGED,
    keep: ["reason", "confirmed"],
    isRepeatUnsafe: true,
    run: suspend,
  },
  unsuspend: { ...NOTHING_CHANGED, run: unsuspend },
  excuse: { ...NOTHING_CHANGED, keep: ["bookingId", "note"], run: excuse },
  unexcuse: { ...NOTHING_CHANGED, keep: ["bookingId"], run: unexcuse },
});

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

/** 404 where there is no such player. */
async function targetOf(args: Args) {
  const { db, jobs, now, actor, done } = adminOf(args);
  const player = await findPlayerRecord(db, args.params.playerId);
  if (!player) throw data(null, { status: 404 });
  return {
    ...{ db, jobs, player, now: now(), done, page: `/admin/players/${player.id}` },
    target: { userId: player.id, actor },
  };
}

/** Asks for a confirmation that holds exactly the amount. */
export type PlayerResult = FormResult & { asks?: ReturnType<typeof askAboutCorrection> };

type Player = NonNullable<Awaited<ReturnType<typeof findPlayerRecord>>>;

function askAboutCorrection(amountCents: number, player: Player) {
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

async function correct(args: Args) {
  const { db, jobs, player, target, page, done } = await targetOf(args);
  const correction = parseForm(correctionInput, args.fields);
  const isConfirmed = args.fields.confirmed === String(correction.amountCents);
  if (asksAgain(correction.amountCents, player.balanceCents) && !isConfirmed) {
    return fail<PlayerResult>(422, { asks: askAboutCorrection(correction.amountCents, player) });
  }
  const result = await correctBalance(db, jobs, { ...correction, ...target });
  if (result.ok) {
    const { amountCents } = correction;
    const booked = `${amountCents < 0 ? "−" : "+"}${creditsText(Math.abs(amountCents))} credits.`;
    const repeated = "This had been booked already, and only once.";
    return done(page, "Balance corrected", result.isRepeat ? repeated : booked);
  }
  if (result.reason === "too-few") {
    const amount = `Only ${creditsCount(result.wallet.balanceCents)} can be taken`;
    return fail<PlayerResult>(409, { fieldErrors: { amount } });
  }
  return fail<PlayerResult>(409, { formError: CORRECTION_ERRORS[result.reason] });
}

async function setRole(args: Args, isAdmin: boolean) {
  const { db, target, page, done } = await targetOf(args);
  parseForm(roleInput, args.fields);
  const result = await changeRole(db, { ...target, isAdmin });
  if (!result.ok) return fail(409, { formError: ROLE_ERRORS[result.reason] });
  // An admin who gives up their own role can no longer open this page.
  const isOwn = !isAdmin && target.userId === target.actor;
  return done(isOwn ? "/events" : page, isAdmin ? "Made an admin" : "Admin role taken away");
}

async function suspend(args: Args) {
  const { db, jobs, now, target, page, done } = await targetOf(args);
  const { reason } = parseForm(suspensionInput, args.fields);
  const result = await suspendAccount(db, jobs, { ...target, reason }, now);
  if (!result.ok) return fail(409, { formError: SUSPENSION_ERRORS[result.reason] });
  const description = "They are signed out everywhere. Bookings stay until you decide.";
  return done(page, "Account suspended", description);
}

async function unsuspend(args: Args) {
  const { db, jobs, now, target, page, done } = await targetOf(args);
  const isFound = await unsuspendAccount(db, jobs, target, now);
  if (!isFound) return fail(409, { formError: GONE });
  return done(page, "Suspension lifted", "They can sign in again.");
}

async function excuse(args: Args) {
  const { db, now, target, page, done } = await targetOf(args);
  const { note } = parseForm(excuseInput, args.fields);
  const result = await excuseNoShow(db, { ...markOf(args, target), note, now });
  if (!result.ok) return fail<PlayerResult>(...EXCUSE_ERRORS[result.reason]);
  return done(`${page}#no-shows`, "No-show excused", "It no longer counts.");
}

async function unexcuse(args: Args) {
  const { db, target, page, done } = await targetOf(args);
  const result = await unexcuseNoShow(db, markOf(args, target));
  if (!result.ok) return fail<PlayerResult>(...EXCUSE_ERRORS[result.reason]);
  return done(`${page}#no-shows`, "The no-show counts again");
}

function markOf({ fields }: Args, { userId, actor }: { userId: string; actor: string }) {
  return { bookingId: fields.bookingId ?? "", playerId: userId, actorId: actor };
}

const EXCUSE_ERRORS: Record<
  "not-found" | "no-no-show" | "excused",
  [status: number, { formError: string }]
> = {
  "not-found": [404, { formError: "There is no such booking." }],
  "no-no-show": [409, { formError: "This is not marked as a no-show any more." }],
  excused: [409, { formError: "Somebody else has excused this meanwhile, with a note of theirs." }],
};

const GONE = "This account has been deleted meanwhile.";
const LAST_ADMIN = "This is the last admin who can sign in. Make somebody else an admin first.";

const CORRECTION_ERRORS = {
  gone: GONE,
  "form-used":
    "This form was sent before with another amount. Check the balance and send it again.",
};

const ROLE_ERRORS = {
  gone: GONE,
  suspended: "A suspended account cannot become an admin's. Lift the suspension first.",
  "last-admin": LAST_ADMIN,
};

const SUSPENSION_ERRORS = {
  gone: GONE,
  self: "You cannot suspend yourself.",
  already: "This account is suspended already.",
  "last-admin": LAST_ADMIN,
};
