import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { CALLED_OFF_NOTE } from "./rules.ts";

/** How many players a game's cancellation has refunded, and how much in all. */
export async function sumRefundsOfGame(
  db: Db,
  gameId: string,
): Promise<{ players: number; cents: number }> {
  const { players, total } = await db
    .selectFrom("bookings")
    .innerJoin("wallet_transactions as entry", "entry.booking_id", "bookings.id")
    .select(({ fn }) => [
      fn.countAll<number>().as("players"),
      fn.sum<string | null>("entry.amount_eur").as("total"),
    ])
    .where("bookings.game_id", "=", gameId)
    .where("entry.type", "=", "refund")
    .where("entry.notes", "=", CALLED_OFF_NOTE)
    .executeTakeFirstOrThrow();
  return { players, cents: centsFromNumeric(total ?? "0") };
}
