import type { Db } from "../../platform/db.server.ts";
import type { Env } from "../../platform/env.server.ts";
import type { JobHandlers } from "../../platform/jobs.server.ts";
import type { Mailer } from "../../platform/mail.server.ts";
import { accountSecurityMail } from "./security-emails.tsx";
import { findAddressee } from "./users.server.ts";

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
}

/** The mails that tell of a change in how an account is signed in to. */
export function securityJobs({
  env,
  db,
  mailer,
}: Tools): Pick<JobHandlers, "mail.account-security"> {
  return {
    async "mail.account-security"({ userId, change, eventId }) {
      const to = await findAddressee(db, userId);
      if (!to) return;
      const mail = await accountSecurityMail(env, to.firstName, change);
      await mailer({ ...mail, to: to.email, key: `account-security:${eventId}` });
    },
  };
}
