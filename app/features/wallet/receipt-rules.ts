import { dateAndTime, helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import type { Env } from "#app/platform/env.server.ts";
import { disputeStage, isMoneyGone } from "./rules.ts";

export interface Receipt {
  paymentId: string;
  year: number;
  number: number;
  paidAt: Date;
  /** Null once the account is deleted. */
  buyer: string | null;
  pack: string | null;
  isMonthly: boolean;
  /** That it was to pay for, where that is known. */
  game: { venue: string; date: string; time: string } | null;
  creditsCents: number;
  amountCents: number;
  refundedCents: number;
  refundedAt: Date | null;
  disputes: { amountCents: number; status: string; at: Date | null }[];
}

type Site = Pick<Env, "companyName" | "seller" | "vatRates" | "paymentMethods">;

/** "2026-0042". */
export function receiptNumber({ year, number }: Pick<Receipt, "year" | "number">): string {
  return `${year}-${String(number).padStart(4, "0")}`;
}

/** What a receipt says on screen, on paper and by email. */
export function describeReceipt(receipt: Receipt, site: Site) {
  const { amountCents, paidAt, creditsCents, pack } = receipt;
  const perMille = vatRateAt(site.vatRates, helsinkiDate(paidAt));
  return {
    number: receiptNumber(receipt),
    date: monthDayYear(helsinkiDate(paidAt)),
    seller: sellerLines(site),
    buyer: receipt.buyer,
    method: methodOf(receipt, site),
    game: receipt.game && `For ${receipt.game.venue}, ${dateAndTime(receipt.game)}`,
    item: [creditsCount(creditsCents), pack].filter(Boolean).join(", "),
    total: euros(amountCents),
    vat: vatRows(amountCents, perMille),
    returned: returnedRows(receipt, perMille),
  };
}

export type ReceiptView = ReturnType<typeof describeReceipt>;

/** "by card" where there is but one way to pay; Stripe says no more of which one was chosen. */
function methodOf({ isMonthly }: Receipt, { paymentMethods }: Site): string | null {
  const [method, ...others] = paymentMethods[isMonthly ? "monthly" : "single"];
  return method && others.length === 0 ? `by ${method}` : null;
}

function sellerLines({ companyName, seller: { address, businessId, vatId } }: Site): string[] {
  return [
    companyName,
    ...(address?.split(",").map((line) => line.trim()) ?? []),
    ...(businessId ? [`Business ID ${businessId}`] : []),
    ...(vatId ? [`VAT ID ${vatId}`] : []),
  ];
}

interface Row {
  label: string;
  amount: string;
}

function vatRows(amountCents: number, perMille: number): Row[] {
  if (perMille === 0) return [];
  const vatCents = vatIn(amountCents, perMille);
  return [
    { label: "Without VAT", amount: euros(amountCents - vatCents) },
    { label: `VAT ${perMille / 10} %`, amount: euros(vatCents) },
  ];
}

/** What has gone back since, and what is left; an inquiry of a bank moves no money. */
function returnedRows(receipt: Receipt, perMille: number): Row[] {
  const { amountCents, refundedCents, refundedAt, disputes } = receipt;
  const rows: Row[] = [];
  if (refundedCents > 0) {
    rows.push({ label: `Refunded${onDay(refundedAt)}`, amount: `−${euros(refundedCents)}` });
  }
  let leftCents = amountCents - refundedCents;
  for (const { status, at, ...dispute } of disputes) {
    if (isMoneyGone(status)) leftCents -= dispute.amountCents;
    if (disputeStage(status) > 0) rows.push(disputeRow({ status, at, ...dispute }));
  }
  if (rows.length === 0) return [];
  leftCents = Math.max(0, leftCents);
  const vatCents = vatIn(leftCents, perMille);
  const vat = perMille === 0 || leftCents === 0 ? "" : `, with ${euros(vatCents)} VAT`;
  return [...rows, { label: `Paid after that${vat}`, amount: euros(leftCents) }];
}

function disputeRow({ status, at, amountCents }: Receipt["disputes"][number]): Row {
  const amount = `−${euros(amountCents)}`;
  if (status === "lost") return { label: `Returned by the bank${onDay(at)}`, amount };
  if (isMoneyGone(status)) return { label: `Disputed at the bank${onDay(at)}`, amount };
  return { label: `Dispute closed${onDay(at)}: the payment stands`, amount: euros(0) };
}

const onDay = (at: Date | null) => (at ? ` on ${monthDayYear(helsinkiDate(at))}` : "");

/** In tenths of a percent; 0 before the first. `rates` are newest first. */
export function vatRateAt(rates: Site["vatRates"], date: string): number {
  return rates.find(({ from }) => from <= date)?.perMille ?? 0;
}

/** The VAT that an amount includes, rounded to the nearest cent, a half up. */
export function vatIn(amountCents: number, perMille: number): number {
  return Math.round((amountCents * perMille) / (1_000 + perMille));
}
