import { log } from "#app/platform/log.server.ts";
import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { fileName, type Files, fileUrl } from "#app/platform/files.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mailer } from "#app/platform/mail.server.ts";
import { readMark } from "#app/platform/upload-owner.server.ts";
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
      /** Paid by hand, and not given back yet; absent in a job of an earlier version. */
      cashDueCents?: number;
    };
  }
}

export function privacyJobs({ env, mailer }: { env: Env; mailer: Mailer }) {
  return {
    async "mail.account-deleted"({ userId, email, ...job }) {
      const { givenBackCents: debtPaidCents = 0, cashDueCents = 0, ...deleted } = job;
      const mail = await accountDeletedMail(env, { ...deleted, debtPaidCents, cashDueCents });
      await mailer({ ...mail, to: email, key: `account-deleted:${userId}` });
    },
  } satisfies Partial<JobHandlers>;
}

/** Files are stored before the row that names them, which follows within seconds or never. */
const GRACE_MS = 86_400_000;

export async function sweepFiles(db: Db, files: Files, now: Date): Promise<number> {
  const [mark, owner] = await Promise.all([readMark(db), files.findOwner()]);
  if (owner !== null && owner !== mark) throw new Error(OTHERS);
  const old = await files.list(new Date(now.getTime() - GRACE_MS));
  const kept = await listNamed(db);
  // More likely the wrong or an unrestored database than that all rows are gone.
  if (kept.size === 0 && old.length > 0) return 0;
  // Another database may do so at this moment: the next sweep reads which of them it was.
  if (owner === null) return files.claim(mark).then(() => 0);
  const left = old.filter(({ name }) => !kept.has(withoutSize(name)));
  let swept = 0;
  for (const { name } of left) {
    await files.remove(name).then(
      () => (swept += 1),
      (error) => log.error({ err: error, name }, "file not swept"),
    );
  }
  return swept;
}

const OTHERS =
  "The uploads are another database's, by its mark in owner.txt: none is deleted (docs/operations.md, Uploads)";

async function listNamed(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ url: string }>`
    select url from (
      select profile_picture_url as url from profiles
      union all select logo_url from partners
      union all select unnest(photo_urls) from venues
    ) files where starts_with(url, ${fileUrl("")})`.execute(db);
  return new Set(rows.map(({ url }) => withoutSize(fileName(url) ?? "")));
}

// A row names one size of a picture for all of them, in each format.
function withoutSize(name: string): string {
  return name.replace(/(-\d+)?\.(webp|avif)$/, "");
}
