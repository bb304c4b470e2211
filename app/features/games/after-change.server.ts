import { enqueuePushes } from "#app/features/notifications/notify.server.ts";
import type { NoticeTarget } from "#app/features/notifications/rules.ts";
import { type Tx, isOneOf } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { NoticeData, NoticeKind } from "#app/platform/notices.ts";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "waitlist.promote": { gameId: string };
  }
}

/** Emails about a change, to be queued with it, and who gets its push message. */
export type QueuedNotice = {
  [K in NoticeKind]: [kind: K, emails: NoticeData[K][], how?: Queued];
}[NoticeKind];

type Queued = Parameters<Jobs["enqueueAll"]>[3] & { pushes?: NoticeTarget[] };

export async function queueNotices(tx: Tx, jobs: Jobs, notices: QueuedNotice[]): Promise<void> {
  for (const [kind, emails, { pushes = [], ...when } = {}] of notices) {
    await jobs.enqueueEmails(tx, kind, emails as never[], when);
    await enqueuePushes(tx, jobs, kind, pushes, when);
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
