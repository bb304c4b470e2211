import { z } from "zod";
import { amount } from "#app/platform/fields.ts";
import { CASH_METHODS } from "./rules.ts";

const WRONG_AMOUNT = "Enter an amount above 0 and at most 999.99\u00a0€, such as 10 or 7.50";

const cashFields = {
  amount: amount(WRONG_AMOUNT, { most: 99_999 }),
  method: z.enum(CASH_METHODS, "Choose how it was paid"),
};

/** What was paid by hand: more than 0, at most 999.99 euros. */
export const cashInput = z
  .object(cashFields)
  .transform(({ amount: amountCents, method }) => ({ amountCents, method }));

/** How the seat of an added player is paid; a form without it takes no money. */
export const seatPaymentInput = z
  .discriminatedUnion(
    "payment",
    [
      z.object({ payment: z.literal("credits") }),
      z.object({ payment: z.literal("nothing") }),
      z.object({ payment: z.literal("cash"), ...cashFields }),
    ],
    "Choose how it is paid",
  )
  .transform((input) =>
    input.payment === "cash"
      ? { by: input.payment, amountCents: input.amount, method: input.method }
      : { by: input.payment },
  );
