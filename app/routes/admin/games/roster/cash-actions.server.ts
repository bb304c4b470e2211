import { markPaid, undoPayment } from "#app/features/roster/cash-payments.server.ts";
import { type Cash, cashText } from "#app/features/bookings/cash-texts.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { isUnusualCash } from "#app/features/roster/rules.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { euros } from "#app/platform/money.ts";
import type { Confirmation } from "#app/routes/admin/confirmation.tsx";
import { setCollected, setKept } from "#app/features/roster/cash-decisions.server.ts";
import { findSeatName } from "#app/features/roster/roster.server.ts";
import type { CashUndoing } from "#app/platform/schema.ts";
import { ERRORS, gameRow } from "./roster-actions.server.ts";
import { cashInput } from "#app/features/roster/input.ts";

const cashKey = ({ amountCents, method }: Cash) => `${amountCents} ${method}`;

export const asksOfCash = (cash: Cash, confirmed: string | undefined) =>
  isUnusualCash(cash.amountCents) && confirmed !== cashKey(cash);

export function cashQuestion(cash: Cash): Confirmation {
  const text = cashText(cash);
  return {
    title: `${text} for one seat?`,
    text: `A game usually costs ${euros(GAME_PRICE_CENTS)}. Nothing is saved yet.`,
    button: `Yes, ${text}`,
    key: cashKey(cash),
  };
}

const undo = (failed: string, kind: CashUndoing) =>
  gameRow({
    failed,
    run: ({ db, change, fields: { bookingId = "", cashPaymentId = "" } }) =>
      undoPayment(db, { ...change, bookingId, cashPaymentId, kind }),
    errors: ERRORS,
    done: ({ isIn }) => {
      if (kind === "GivenBack") return { title: "Marked as given back" };
      return { title: isIn ? "Marked unpaid" : "Marked as never paid" };
    },
  });

const keep = (failed: string, isKept: boolean) =>
  gameRow({
    failed,
    run: ({ db, change, fields: { bookingId = "", cashPaymentId = "" } }) =>
      setKept(db, { ...change, bookingId, cashPaymentId, isKept }),
    errors: ERRORS,
    done: { title: isKept ? "Marked as kept" : "Marked as to be given back" },
  });

const collect = (failed: string, isCollected: boolean) =>
  gameRow({
    failed,
    run: ({ db, change, fields: { bookingId = "" } }) =>
      setCollected(db, { ...change, bookingId, isCollected }),
    errors: ERRORS,
    done: { title: isCollected ? "Marked as to be collected" : "Marked as not collected" },
  });

export const cashForms = {
  "mark-paid": gameRow({
    failed: "Failed to mark as paid",
    keep: ["bookingId", "amount", "method"],
    input: cashInput,
    run: async ({ db, change, input, fields }) => {
      const { bookingId = "", cashPaymentId = "", confirmed } = fields;
      if (asksOfCash(input, confirmed)) return rejected("unusual");
      return markPaid(db, { ...change, ...input, bookingId, cashPaymentId });
    },
    errors: {
      ...ERRORS,
      unusual: (_, { input }) => ["invalid", { unusualCash: cashQuestion(input) }],
      "paid-already": ({ cash }) => [
        "conflict",
        cash
          ? `Not saved: somebody else has noted ${cashText(cash)} already.`
          : "This player has paid already.",
      ],
    },
    done: async (_, { db, input, fields }) => {
      const name = await findSeatName(db, fields.bookingId ?? "");
      return { title: "Marked paid", description: `${name}, ${cashText(input)}` };
    },
  }),
  "mark-unpaid": undo("Failed to mark as unpaid", "Mistake"),
  "give-cash-back": undo("Failed to mark as given back", "GivenBack"),
  "keep-cash": keep("Failed to mark as kept", true),
  "owe-cash": keep("Failed to mark as to be given back", false),
  "not-collected": collect("Failed to mark as not collected", false),
  collected: collect("Failed to mark as to be collected", true),
};
