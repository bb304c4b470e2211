import { markPaid, undoPayment } from "#app/features/roster/cash-payments.server.ts";
import { cashText } from "#app/features/bookings/cash-texts.ts";
import { setCollected, setKept } from "#app/features/roster/settle-money.server.ts";
import { findSeatName } from "#app/features/roster/roster.server.ts";
import { fail, parseForm } from "#app/forms/form-action.server.ts";
import type { CashUndoing } from "#app/platform/schema.ts";
import { failRoster, type GameArgs, gameOf, type RosterResult } from "./roster-actions.server.ts";
import { cashInput } from "#app/features/roster/input.ts";

export const cashForms = {
  "mark-paid": {
    failed: "Failed to mark as paid",
    keep: ["bookingId", "amount", "method"],
    run: pay,
  },
  "mark-unpaid": {
    failed: "Failed to mark as unpaid",
    run: (args: GameArgs) => undo(args, "Mistake"),
  },
  "give-cash-back": {
    failed: "Failed to mark as given back",
    run: (args: GameArgs) => undo(args, "GivenBack"),
  },
  "keep-cash": {
    failed: "Failed to mark as kept",
    run: (args: GameArgs) => keep(args, true),
  },
  "owe-cash": {
    failed: "Failed to mark as to be given back",
    run: (args: GameArgs) => keep(args, false),
  },
  "not-collected": {
    failed: "Failed to mark as not collected",
    run: (args: GameArgs) => collect(args, false),
  },
  collected: {
    failed: "Failed to mark as to be collected",
    run: (args: GameArgs) => collect(args, true),
  },
};

async function pay(args: GameArgs) {
  const { app, gameId, actorId, done } = gameOf(args);
  const { bookingId = "", cashPaymentId = "" } = args.fields;
  const cash = parseForm(cashInput, args.fields);
  const payment = { ...cash, gameId, bookingId, cashPaymentId, actorId, now: app.now() };
  const result = await markPaid(app.db, payment);
  if (result.ok) {
    const name = await findSeatName(app.db, bookingId);
    return done("Marked paid", `${name}, ${cashText(cash)}`);
  }
  if (result.reason !== "paid-already") return failRoster(result.reason);
  const formError = result.cash
    ? `Not saved: somebody else has noted ${cashText(result.cash)} already.`
    : "This player has paid already.";
  return fail<RosterResult>(409, { formError });
}

async function undo(args: GameArgs, kind: CashUndoing) {
  const { app, gameId, actorId, done } = gameOf(args);
  const { bookingId = "", cashPaymentId = "" } = args.fields;
  const undoing = { gameId, bookingId, cashPaymentId, kind, actorId, now: app.now() };
  const result = await undoPayment(app.db, undoing);
  if (!result.ok) return failRoster(result.reason);
  if (kind === "GivenBack") return done("Marked as given back");
  return done(result.isIn ? "Marked unpaid" : "Marked as never paid");
}

async function keep(args: GameArgs, isKept: boolean) {
  const { app, gameId, actorId, done } = gameOf(args);
  const { bookingId = "", cashPaymentId = "" } = args.fields;
  const keeping = { gameId, bookingId, cashPaymentId, isKept, actorId, now: app.now() };
  const result = await setKept(app.db, keeping);
  if (!result.ok) return failRoster(result.reason);
  return done(isKept ? "Marked as kept" : "Marked as to be given back");
}

async function collect(args: GameArgs, isCollected: boolean) {
  const { app, gameId, actorId, done } = gameOf(args);
  const { bookingId = "" } = args.fields;
  const collecting = { gameId, bookingId, isCollected, actorId, now: app.now() };
  const result = await setCollected(app.db, collecting);
  if (!result.ok) return failRoster(result.reason);
  return done(isCollected ? "Marked as to be collected" : "Marked as not collected");
}
