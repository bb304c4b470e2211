import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mailer } from "#app/platform/mail.server.ts";
import {
  accountExistsMail,
  confirmAddressMail,
  passwordChangedMail,
  resetPasswordMail,
  accountSecurityMail,
} from "./emails.tsx";
import { findLink, type LinkKind } from "./mail-links.server.ts";
import { findSignUp } from "./sign-ups.server.ts";
import { hashToken } from "./tokens.server.ts";
import { findAddressee } from "./users.server.ts";

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

/** Sends nothing where the user is gone or the link has expired; a repeated job has the same key. */
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
