import type pg from "pg";
import { createQueues, type Jobs, openQueues, type Queues } from "#app/platform/jobs.server.ts";

export const QUEUES: Queues = {
  "mail.confirm-address": "keep",
  "mail.account-exists": "keep",
  "mail.reset-password": "keep",
  "mail.password-changed": "keep",
  "mail.account-security": "keep",
  "mail.account-suspended": "keep",
  "mail.suspension-lifted": "keep",
  "mail.booking-confirmed": "keep",
  "mail.booking-cancelled": "keep",
  "mail.game-cancelled": "keep",
  "mail.too-few-players": "keep",
  "mail.called-off": "keep",
  "mail.played-anyway": "keep",
  "mail.game-changed": "keep",
  "mail.added-to-game": "keep",
  "mail.removed-from-game": "keep",
  "mail.game-message": "keep",
  "mail.waitlist-booked": "keep",
  "mail.spot-offered": "keep",
  "mail.offer-missed": "keep",
  "mail.passed-over": "keep",
  "mail.waitlist-changed": "keep",
  "mail.waitlist-ended": "keep",
  "mail.late-refund": "keep",
  // The sweep looks again.
  "waitlist.promote": "delete",
  "games.refund": "delete",
  "mail.reminder": "keep",
  "mail.credits-expiring": "keep",
  "mail.balance-corrected": "keep",
  "mail.support-message": "keep",
  "mail.review": "keep",
  "mail.withdrawal": "keep",
  "mail.withdrawal-ended": "keep",
  "mail.answer": "keep",
  "mail.ticket-reply": "keep",
  // It holds an address that no account has any more.
  "mail.account-deleted": "delete",
  // By then nobody needs the push message.
  "push.send": "delete",
};

export const installJobs = (pool: pg.Pool): Promise<void> => createQueues(pool, QUEUES);

export const openJobs = (pool: pg.Pool, secret: string): Promise<Jobs> =>
  openQueues(pool, secret, QUEUES);
