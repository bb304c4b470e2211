import { type Tx, isOneOf } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { NoticeData, NoticeKind } from "#app/platform/notices.ts";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "waitlist.promote": { gameId: string };
  }
}

/** Emails about a change, to be queued with it. */
export type Notice = {
  [K in NoticeKind]: [kind: K, emails: NoticeData[K][], when?: Parameters<Jobs["enqueueAll"]>[3]];
}[NoticeKind];

export async function queueNotices(tx: Tx, jobs: Jobs, notices: Notice[]): Promise<void> {
  for (const [kind, emails, when] of notices) {
    await jobs.enqueueEmails(tx, kind, emails as never[], when);
  }
}

/** After whatever may have freed a spot: the first who waits gets it once this has committed. */
export async function queuePromotions(tx: Tx, jobs: Jobs, gameIds: string[]): Promise<void> {
  if (gameIds.length === 0) return;
  const waiting = tx.selectFrom("waitlist_entries").select("game_id as gameId").distinct();
  const games = await waiting
    .where(isOneOf("game_id", gameIds))
    .where("status", "=", "Waiting")
    .execute();
  await jobs.enqueueAll(tx, "waitlist.promote", games, { isUrgent: true });
}
