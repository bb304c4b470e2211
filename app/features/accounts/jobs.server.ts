import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { MailContent, Mailer } from "#app/platform/mail.server.ts";
import {
  accountExistsMail,
  accountSuspendedMail,
  accountSecurityMail,
  confirmAddressMail,
  passwordChangedMail,
  resetPasswordMail,
  type SecurityChange,
  suspensionLiftedMail,
} from "./emails.tsx";
import { findLink, type LinkKind } from "./mail-links.server.ts";
import { findSignUp } from "./sign-ups.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";
import { findAddressee } from "./accounts.server.ts";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "mail.confirm-address": { signUpId: string; token: string };
    "mail.account-exists": { userId: string } & OnTheWay;
    "mail.reset-password": { userId: string; token: string } & OnTheWay;
    /** `at` (ISO) distinguishes repeated changes. */
    "mail.password-changed": { userId: string; at: string };
    "mail.account-suspended": { userId: string; at: string };
    "mail.suspension-lifted": { userId: string; at: string };
    "mail.account-security": { userId: string; change: SecurityChange; eventId: string };
  }
}

interface OnTheWay {
  gameId?: string | null;
}

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
  nameGame(path: string | null): Promise<string | null>;
}

/** Sends nothing if the user is gone or the link has expired. A repeated job has the same key. */
export function accountJobs({ env, db, mailer, nameGame }: Tools) {
  // A mail may have waited for the mail server until its link expired.
  const isValid = (kind: LinkKind, token: string) => findLink(db, kind, token, new Date());
  const send = async (
    userId: string,
    key: string,
    content: (firstName: string) => Promise<MailContent>,
  ) => {
    const to = await findAddressee(db, userId);
    if (to) await mailer({ ...(await content(to.firstName)), to: to.email, key });
  };
  return {
    async "mail.confirm-address"({ signUpId, token }) {
      const to = await findSignUp(db, signUpId);
      if (!to || !(await isValid("confirm", token))) return;
      const mail = await confirmAddressMail(env, token, await nameGame(to.redirectTo));
      await mailer({ ...mail, to: to.email, key: `confirm:${hashToken(token)}` });
    },
    async "mail.account-exists"({ userId, gameId }) {
      // Repeats within the hour share a key, so they are one mail.
      const key = `account-exists:${userId}:${new Date().toISOString().slice(0, 13)}`;
      await send(userId, key, (name) => accountExistsMail(env, name, gameId));
    },
    async "mail.reset-password"({ userId, token, gameId }) {
      if (!(await isValid("reset", token))) return;
      const key = `reset:${hashToken(token)}`;
      await send(userId, key, (name) => resetPasswordMail(env, name, { token, gameId }));
    },
    async "mail.password-changed"({ userId, at }) {
      const key = `password-changed:${userId}:${at}`;
      await send(userId, key, (name) => passwordChangedMail(env, name, new Date(at)));
    },
    async "mail.account-suspended"({ userId, at }) {
      const key = `account-suspended:${userId}:${at}`;
      await send(userId, key, (name) => accountSuspendedMail(env, name, new Date(at)));
    },
    async "mail.suspension-lifted"({ userId, at }) {
      const key = `suspension-lifted:${userId}:${at}`;
      await send(userId, key, (name) => suspensionLiftedMail(env, name, new Date(at)));
    },
    async "mail.account-security"({ userId, change, eventId }) {
      const key = `account-security:${eventId}`;
      await send(userId, key, (name) => accountSecurityMail(env, name, change));
    },
  } satisfies Partial<JobHandlers>;
}
