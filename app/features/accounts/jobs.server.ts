import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mailer } from "#app/platform/mail.server.ts";
import {
  accountExistsMail,
  confirmAddressMail,
  passwordChangedMail,
  resetPasswordMail,
} from "./emails.tsx";
import { findLink, type LinkKind } from "./mail-links.server.ts";
import { accountSecurityMail } from "./security-emails.tsx";
import type { SecurityChange } from "./rules.ts";
import { findSignUp } from "./sign-ups.server.ts";
import { hashToken } from "./tokens.server.ts";
import { findAddressee } from "./users.server.ts";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "mail.confirm-address": { signUpId: string; token: string };
    "mail.account-exists": { userId: string };
    "mail.reset-password": { userId: string; token: string };
    /** `at` (ISO) tells one change from the next. */
    "mail.password-changed": { userId: string; at: string };
    "mail.account-security": { userId: string; change: SecurityChange; eventId: string };
  }
}

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
}
type AccountQueue =
  | "mail.confirm-address"
  | "mail.account-exists"
  | "mail.reset-password"
  | "mail.password-changed"
  | "mail.account-security";

/**
 * The mails about accounts. Whom they go to is read when the job runs; where the user is gone, or
 * never was, or the link has ended, nothing is sent. The same job run twice sends the same mail
 * under the same key.
 */
export function accountJobs({ env, db, mailer }: Tools): Pick<JobHandlers, AccountQueue> {
  // A mail may have waited for the mail server longer than its link lasts.
  const works = (kind: LinkKind, token: string) => findLink(db, kind, token, new Date());
  return {
    async "mail.confirm-address"({ signUpId, token }) {
      const to = await findSignUp(db, signUpId);
      if (!to || !(await works("confirm", token))) return;
      const mail = await confirmAddressMail(env, token);
      await mailer({ ...mail, to: to.email, key: `confirm:${hashToken(token)}` });
    },
    async "mail.account-exists"({ userId }) {
      const to = await findAddressee(db, userId);
      if (!to) return;
      const mail = await accountExistsMail(env, to.firstName);
      await mailer({ ...mail, to: to.email, key: `account-exists:${userId}:${thisHour()}` });
    },
    async "mail.reset-password"({ userId, token }) {
      const to = await findAddressee(db, userId);
      if (!to || !(await works("reset", token))) return;
      const mail = await resetPasswordMail(env, to.firstName, token);
      await mailer({ ...mail, to: to.email, key: `reset:${hashToken(token)}` });
    },
    async "mail.password-changed"({ userId, at }) {
      const to = await findAddressee(db, userId);
      if (!to) return;
      const mail = await passwordChangedMail(env, to.firstName, new Date(at));
      await mailer({ ...mail, to: to.email, key: `password-changed:${userId}:${at}` });
    },
    async "mail.account-security"({ userId, change, eventId }) {
      const to = await findAddressee(db, userId);
      if (!to) return;
      const mail = await accountSecurityMail(env, to.firstName, change);
      await mailer({ ...mail, to: to.email, key: `account-security:${eventId}` });
    },
  };
}

// The mail says nothing new the second time, so that its repeats within an hour are one mail.
function thisHour(): string {
  return new Date().toISOString().slice(0, 13);
}
