import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mailer } from "#app/platform/mail.server.ts";
import { accountDeletedMail } from "./emails.tsx";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    /** The one job that carries an address: when it runs, no table holds it any more. */
    "mail.account-deleted": {
      userId: string;
      email: string;
      firstName: string;
      debtCents: number;
      /** What cancelled bookings paid of a debt; absent in a job of an earlier version. */
      givenBackCents?: number;
    };
  }
}

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
