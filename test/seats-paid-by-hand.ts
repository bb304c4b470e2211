import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { markPaid, undoPayment } from "#app/features/roster/cash-payments.server.ts";
import type { Cash } from "#app/features/bookings/cash-texts.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { TestDatabase } from "./db.ts";
import { ada, aGame, ben, bookingsOf, NOW } from "./fixtures.ts";

export const TEN: Cash = { amountCents: 1_000, method: "Cash" };

export function seatsPaidByHand(database: TestDatabase) {
  return {
    /** Ada on the list, unpaid, and an organiser. */
    async anUnpaidSeat(wish: Parameters<typeof aGame>[1] = {}) {
      const { db, jobs } = database;
      const [gameId, playerId, actorId] = [await aGame(db, wish), await ada(db), await ben(db)];
      const added = await addPlayer(db, jobs, { gameId, playerId, actorId, now: NOW });
      if (!added.ok) throw new Error(added.reason);
      const { bookingId } = added;
      const seat = { gameId, bookingId, actorId, now: NOW };
      const pay = (cashPaymentId: string, cash: Cash = TEN, own: Db = db) =>
        markPaid(own, { ...seat, ...cash, cashPaymentId });
      const undo = (
        cashPaymentId: string,
        kind: "Mistake" | "GivenBack" = "Mistake",
        own: Db = db,
      ) => undoPayment(own, { ...seat, cashPaymentId, kind });
      const status = async () => (await bookingsOf(db, gameId))[0]?.payment_status;
      const rows = () =>
        db.selectFrom("cash_payments").selectAll().where("booking_id", "=", bookingId).execute();
      return { ...seat, seat, playerId, pay, undo, status, rows };
    },
    /** What the log has of a booking, in its order. */
    actionsOn: async (subject: string) => {
      const entries = database.db.selectFrom("audit_log").select(["action", "details"]);
      return entries.where("subject", "=", subject).orderBy("id").execute();
    },
  };
}
