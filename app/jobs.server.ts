import type pg from "pg";
import { createQueues, type Jobs, openQueues, type Queues } from "#app/platform/jobs.server.ts";

/** Every job queue of the product; what its jobs carry is declared beside their handlers. */
export const QUEUES: Queues = {
  "mail.confirm-address": "keep",
  "mail.account-exists": "keep",
  "mail.reset-password": "keep",
  "mail.password-changed": "keep",
  "mail.account-security": "keep",
  "mail.booking-confirmed": "keep",
  "mail.booking-cancelled": "keep",
  "mail.game-cancelled": "keep",
  "mail.game-changed": "keep",
  "mail.added-to-game": "keep",
  "mail.removed-from-game": "keep",
  "mail.game-message": "keep",
  "mail.support-message": "keep",
  "mail.review": "keep",
  "mail.withdrawal": "keep",
  "mail.withdrawal-ended": "keep",
  "mail.answer": "keep",
  // It carries an address, and nobody is left who could ask for it again.
  "mail.account-deleted": "delete",
};

/** Creates the queues' tables where they are missing. */
export const installJobs = (pool: pg.Pool): Promise<void> => createQueues(pool, QUEUES);

/** Opens the queues, created where they are missing; `secret` encrypts the tokens of their jobs. */
export const openJobs = (pool: pg.Pool, secret: string): Promise<Jobs> =>
  openQueues(pool, secret, QUEUES);
