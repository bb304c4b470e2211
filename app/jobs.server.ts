import type pg from "pg";
import { createQueues, type Jobs, openQueues, type Queues } from "#app/platform/jobs.server.ts";

export const QUEUES: Queues = {
  "mail.send": "keep",
  // Of their own, so that the site's own emails never wait for them.
  "mail.news": "keep",
  "mail.important-announcement": "keep",
  // Its data is the address of an account that is gone.
  "mail.account-deleted": "delete",
  // By then nobody needs the push message.
  "push.send": "delete",
  // The sweep looks again.
  "waitlist.promote": "delete",
  "games.refund": "delete",
  "payment.join": "delete",
};

export const installJobs = (pool: pg.Pool): Promise<void> => createQueues(pool, QUEUES);

export const openJobs = (pool: pg.Pool, secret: string): Promise<Jobs> =>
  openQueues(pool, secret, QUEUES);
