import type { Tx } from "#app/platform/db.server.ts";
import type { GameFacts } from "./rules.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";

interface Change {
  gameId: string;
  /** The game's version after the change: each change is told once. */
  version: number;
  before: GameFacts;
  after: GameFacts;
}

/**
 * After a game has changed under who has joined it: until kick-off their bookings give the full
 * price back, and each is told by mail. Answers how many. The caller holds the game's lock.
 */
export async function tellPlayers(
  tx: Tx,
  jobs: Jobs,
  { gameId, version, before, after }: Change,
): Promise<number> {
  const bookings = await tx
    .updateTable("bookings")
    .set({ refund_hours: 0, refund_fee_eur: "0.00" })
    .where("game_id", "=", gameId)
    .where("payment_status", "in", ["Paid", "Unpaid"])
    .returning("id")
    .execute();
  const facts = { version, before: factsOf(before), after: factsOf(after) };
  for (const { id } of bookings) {
    await jobs.enqueue(tx, "mail.game-changed", { bookingId: id, ...facts });
  }
  return bookings.length;
}

function factsOf(plan: GameFacts): GameFacts {
  const { date, startTime, endTime, venueId, maxPlayers, isFirstSessionFree } = plan;
  return { date, startTime, endTime, venueId, maxPlayers, isFirstSessionFree };
}
