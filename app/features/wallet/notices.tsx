import { findAddressee } from "#app/features/accounts/accounts.server.ts";
import { emailLink } from "#app/features/accounts/email-link.ts";
import { centsFromNumeric, creditsCount } from "#app/platform/money.ts";
import { defineNotice } from "#app/platform/notices.ts";
import { findCorrection } from "./correct-balance.server.ts";
import { findExpiring } from "./expiring-credits.server.ts";

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

export const walletNotices = [creditsExpiring, balanceCorrected] as const;
