import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { sealToken } from "#app/platform/job-tokens.server.ts";
import { FAILED } from "#app/platform/waiting-mails.server.ts";
import type { NoticeData, NoticeKind } from "#app/platform/notices.ts";
import { TEST_SECRET } from "./db.ts";

interface Given<K extends NoticeKind> {
  kind: K;
  data: NoticeData[K];
  queuedAt?: Date;
  failedAt?: Date;
  /** What was thrown; absent, the mail server said 550. */
  output?: object;
  isRepeated?: boolean;
}

const NO_SUCH_USER = {
  name: "MailError",
  code: "550",
  message: "550 5.1.1 <[address]>: no such user",
};

/** A mail that was given up, as pg-boss keeps it (mail-outage.test.ts proves that). Its id. */
export async function aFailedMail<K extends NoticeKind>(db: Db, given: Given<K>) {
  const { kind, data, queuedAt = new Date(), failedAt = queuedAt } = given;
  const { output = NO_SUCH_USER, isRepeated = false } = given;
  const sealed = JSON.stringify(sealToken(TEST_SECRET, { kind, ...data }));
  const { rows } = await sql<{ id: string }>`
    insert into pgboss.job (name, data, source_name, source_created_on, created_on, source_output,
      source_id, source_root_id)
    select ${FAILED}, ${sealed}::jsonb, 'mail.send', ${queuedAt}, ${failedAt},
      ${JSON.stringify(output)}::jsonb, first.id,
      case when ${isRepeated} then gen_random_uuid() else first.id end
    from (select gen_random_uuid() as id) first returning id`.execute(db);
  return rows[0]!.id;
}
