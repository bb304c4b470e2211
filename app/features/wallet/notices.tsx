import { findAddressee } from "#app/features/accounts/accounts.server.ts";
import { emailLink } from "#app/features/accounts/email-link.ts";
import { formatMoment, helsinkiDate, monthDay } from "#app/platform/clock.ts";
import { centsFromNumeric, creditsCount, creditsText, euros } from "#app/platform/money.ts";
import { defineNotice } from "#app/platform/notices.ts";
import { MailRows } from "#app/ui/mail-shell.tsx";
import { findCorrection } from "./correct-balance.server.ts";
import { findExpiring } from "./expiring-credits.server.ts";
import { FAILED_DAYS, findPendingPayment } from "./pending-payments.server.ts";
import { describeReceipt } from "./receipt-rules.ts";
import { findReceipt, type PaymentReceipt } from "./receipts.server.ts";

/** `version` is when they expire. */
interface ExpiringJob {
  userId: string;
  version: string;
}

const creditsExpiring = defineNotice({
  kind: "credits-expiring",
  label: "Credits about to expire",
  switchable: {
    label: "Credits about to expire",
    hint: "A week before, if you have any left",
  },
  facts: (job: ExpiringJob, { db, now }) => findExpiring(db, job, now),
  key: ({ userId, version }) => `credits-expiring:${userId}:${version}`,
  email: ({ firstName, title }, site) => ({
    subject: title,
    preview: "Then they expire.",
    action: { label: "Find a game", href: emailLink(site, "/events") },
    text: [
      `Hi ${firstName},`,
      "What you don't use by then expires. Just join a game: credits that expire soonest are used first.",
    ],
  }),
  push: {
    data: (userId, version) => ({ userId, version }),
    message: ({ title, expiresAt: until }) => ({
      ...{ title, until, body: "Then they expire.", url: "/events" },
      ...{ tag: "credits-expiring", isUrgent: false },
    }),
  },
});

const balanceCorrected = defineNotice({
  kind: "balance-corrected",
  label: "Balance corrected",
  async facts({ userId, key }: { userId: string; key: string }, { db }) {
    const [to, booked] = await Promise.all([findAddressee(db, userId), findCorrection(db, key)]);
    if (!to || !booked?.notes) return null;
    const profile = db.selectFrom("profiles").select("wallet_balance_eur");
    const { wallet_balance_eur: balance } = await profile
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    const amountCents = centsFromNumeric(booked.amount_eur);
    return { ...to, amountCents, balance, reason: booked.notes };
  },
  key: ({ key }) => `balance-corrected:${key}`,
  email({ firstName, amountCents, balance, reason }, site) {
    const credits = creditsCount(Math.abs(amountCents));
    const title = amountCents < 0 ? `${credits} were taken` : `You were given ${credits}`;
    const corrected = title.charAt(0).toLowerCase() + title.slice(1);
    return {
      subject: title,
      preview: reason,
      action: { label: "See your statement", href: emailLink(site, "/wallet") },
      footer: `Is this not right? Write to ${site.contactEmail}.`,
      text: [
        `Hi ${firstName},`,
        `The organisers have corrected your balance: ${corrected}. Their reason: ${reason}`,
        `Your balance is now ${creditsCount(centsFromNumeric(balance))}.`,
      ],
    };
  },
});

const purchase = defineNotice({
  kind: "purchase",
  label: "Receipt of a purchase",
  async facts({ paymentId }: { paymentId: string }, { db }) {
    const receipt = await findReceipt(db, { paymentId });
    const to = receipt && (await findAddressee(db, receipt.userId));
    return to && { ...to, receipt };
  },
  key: ({ paymentId }, { receipt: { assignments } }) =>
    `purchase:${paymentId}${assignments > 1 ? `:${assignments}` : ""}`,
  email({ firstName, receipt }, site) {
    if (!site.mailsReceipts) return null;
    const view = describeReceipt(receipt, site);
    const { number, date, method, item, game, total, vat, returned, seller, buyer } = view;
    const paid = { label: "Paid", amount: total, isTotal: true };
    return {
      subject: `Receipt: ${item}`,
      preview: `${total}, receipt ${number}`,
      action: {
        label: "Open the receipt",
        href: emailLink(site, `/wallet/receipts/${receipt.paymentId}`),
      },
      text: [
        `Hi ${firstName},`,
        `Thank you for your purchase. ${whatBecame(receipt)}`,
        [`Receipt ${number}`, [date, method].filter(Boolean).join(", ")].join("\n"),
        <MailRows
          key="amounts"
          rows={[{ label: item, note: game, amount: total }, ...vat, paid, ...returned]}
        />,
        ["Seller:", ...seller].join("\n"),
        buyer && `Buyer: ${buyer}`,
      ],
    };
  },
});

function whatBecame({ creditsCents, expiresAt, settledCents }: PaymentReceipt): string {
  const added = `${creditsCount(creditsCents)} were added to your wallet`;
  const lasts = expiresAt ? `and can be used until ${formatMoment(expiresAt)}` : "and never expire";
  const settled = `${creditsText(settledCents)} of them settled a payment that was taken back.`;
  return `${added} ${lasts}.${settledCents > 0 ? ` ${settled}` : ""}`;
}

/** `payment` is its checkout session. */
interface PaymentJob {
  userId: string;
  payment: string;
}

/** A payment that was under way, such as a bank's. */
const paymentFailed = defineNotice({
  kind: "payment-failed",
  label: "Payment failed",
  facts: ({ payment }: PaymentJob, { db }) => findPendingPayment(db, payment),
  stillTrue: ({ status }) => status === "Failed",
  key: ({ payment }) => `payment-failed:${payment}`,
  email: ({ firstName, amountCents, since, gameId }, site) => ({
    subject: `Your payment of ${euros(amountCents)} did not go through`,
    preview: NOT_CHARGED,
    action: {
      label: gameId ? "Open the game" : "Buy credits",
      href: emailLink(site, pathOfPayment(gameId)),
    },
    footer: `Was the money taken from your account? Write to ${site.contactEmail}.`,
    text: [
      `Hi ${firstName},`,
      `The payment of ${euros(amountCents)} that you began on ${monthDay(helsinkiDate(since))} was not confirmed. ${NOT_CHARGED}`,
      gameId
        ? "You are not in the game by it. If you still want to play, please pay again, perhaps in another way."
        : "If you still need credits, please pay again, perhaps in another way.",
    ],
  }),
  push: {
    data: (payment, _, userId) => ({ userId, payment }),
    message: ({ amountCents, endedAt, gameId }) => ({
      title: `Your payment of ${euros(amountCents)} did not go through`,
      body: NOT_CHARGED,
      url: pathOfPayment(gameId),
      tag: "payment-failed",
      until: new Date((endedAt ?? new Date(0)).getTime() + FAILED_DAYS * 86_400_000),
      isUrgent: true,
    }),
  },
});

const pathOfPayment = (gameId: string | null) => (gameId ? `/events/${gameId}` : "/wallet");

const NOT_CHARGED = "Nothing was charged, and no credits were added.";

export const walletNotices = [creditsExpiring, balanceCorrected, purchase, paymentFailed] as const;
