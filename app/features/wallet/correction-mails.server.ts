import { findAddressee } from "#app/features/accounts/accounts.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mailer } from "#app/platform/mail.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { findCorrection } from "./correct-balance.server.ts";
import { balanceCorrectedMail } from "./emails.tsx";

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
}

/** Apart from the correction itself, which commands make too: they cannot load emails. */
export function correctionMails(tools: Tools): Pick<JobHandlers, "mail.balance-corrected"> {
  const { env, db, mailer } = tools;
  return {
    async "mail.balance-corrected"({ userId, key }) {
      const [to, booked] = await Promise.all([findAddressee(db, userId), findCorrection(db, key)]);
      if (!to || !booked?.notes) return;
      const profile = db.selectFrom("profiles").select("wallet_balance_eur");
      const { wallet_balance_eur: balance } = await profile
        .where("user_id", "=", userId)
        .executeTakeFirstOrThrow();
      const content = await balanceCorrectedMail(env, {
        firstName: to.firstName,
        amountCents: centsFromNumeric(booked.amount_eur),
        balanceCents: centsFromNumeric(balance),
        reason: booked.notes,
      });
      await mailer({ ...content, to: to.email, key: `balance-corrected:${key}` });
    },
  };
}
