import {
  holdWhilePaying,
  payForNoGame,
  stopPaying,
} from "#app/features/bookings/hold-while-paying.server.ts";
import { joinPaid, sweepPaidHolds } from "#app/features/bookings/join-paid.server.ts";
import { sweepHolds } from "#app/features/waitlist/promote-waiting.server.ts";
import { findPaymentHold } from "#app/features/wallet/payment-holds.server.ts";
import type { Facts } from "#app/platform/as-shown.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { TestDatabase } from "./db.ts";
import { NOW } from "./fixtures.ts";
import { deliverEvents, singlePurchase } from "./payments.ts";

interface Paying {
  now?: Date;
  shown?: Facts;
  holdToken?: string;
}

/** Players who go to pay for a game. `unguarded`: the same database without a guard. */
export function payingOf(database: TestDatabase, unguarded?: Db) {
  const scene = () => ({ db: unguarded ?? database.db, jobs: database.jobs });
  const tryHold = (gameId: string, playerId: string, { now = NOW, ...more }: Paying = {}) =>
    holdWhilePaying(scene().db, scene().jobs, { gameId, playerId, now, ...more });
  /** The jobs that a payment has queued. */
  const work = async (now = NOW) => {
    const { rows } = await database.pool.query<{ holdId: string }>(
      `delete from pgboss.job where name = 'payment.join' returning data->>'holdId' as "holdId"`,
    );
    for (const { holdId } of rows) await joinPaid(scene().db, scene().jobs, { holdId, now });
    return rows.length;
  };
  return {
    tryHold,
    work,
    async hold(gameId: string, playerId: string, paying: Paying = {}) {
      const held = await tryHold(gameId, playerId, paying);
      if (!held.ok) throw new Error(held.reason);
      const [hold] = (await paymentHoldsOf(database.db, playerId)).slice(-1);
      return hold!.id;
    },
    /** Says yes where a payment under way is asked about. */
    async stop(gameId: string, playerId: string, now = NOW) {
      const { db, jobs } = scene();
      const stopped = await stopPaying(db, jobs, { gameId, playerId, now });
      if (stopped.ok || stopped.reason !== "pays-already") return stopped;
      return stopPaying(db, jobs, { gameId, playerId, confirmed: stopped.key, now });
    },
    payForNoGame: (playerId: string, now = NOW) =>
      payForNoGame(scene().db, scene().jobs, { playerId, now }),
    find: (gameId: string, userId: string, now = NOW) =>
      findPaymentHold(database.db, { gameId, userId, now }),
    sweep: (now = NOW) => sweepHolds(scene().db, scene().jobs, now),
    sweepPaid: (now = NOW) => sweepPaidHolds(scene().db, scene().jobs, now),
    /** A single pack arrives, and what it has queued is done. */
    async pay(playerId: string, now = NOW) {
      const purchase = singlePurchase(playerId);
      await deliverEvents(database, purchase.completed, now);
      await work(now);
      return purchase;
    },
  };
}

/** All that a player ever held, as they came. */
export const paymentHoldsOf = (db: Db, userId: string) =>
  db
    .selectFrom("payment_holds")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export const paymentStatuses = async (db: Db, userId: string) =>
  (await paymentHoldsOf(db, userId)).map(({ status }) => status);
