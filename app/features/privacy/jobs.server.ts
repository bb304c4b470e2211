import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mailer } from "#app/platform/mail.server.ts";
import { accountDeletedMail } from "./emails.tsx";

/** The mail that confirms a deletion. Its job brings the address, which no table holds any more. */
export function privacyJobs({
  env,
  mailer,
}: {
  env: Env;
  mailer: Mailer;
}): Pick<JobHandlers, "mail.account-deleted"> {
  return {
    async "mail.account-deleted"({ userId, email, ...deleted }) {
      const mail = await accountDeletedMail(env, { givenBackCents: 0, ...deleted });
      await mailer({ ...mail, to: email, key: `account-deleted:${userId}` });
    },
  };
}
