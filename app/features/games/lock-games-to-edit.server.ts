import type { Tx } from "#app/platform/db.server.ts";
import { planOf } from "./plan.server.ts";

interface Choice {
  gameId: string;
  /** With those of its series that come after it and have not started. */
  withFollowing: boolean;
  now: Date;
}

/**
 * Locks a game to be edited, and where it is wanted the following ones of its series, in the order
 * of their ids as everywhere. Answers them by kick-off, their plans as they are now.
 */
export async function lockGamesToEdit(tx: Tx, { gameId, withFollowing, now }: Choice) {
  const rows = await tx
    .selectFrom("games")
    .selectAll()
    .where((eb) => {
      const self = eb("id", "=", gameId);
      const of = eb.selectFrom("games as chosen").where("chosen.id", "=", gameId);
      const following = eb.and([
        eb("series_id", "=", of.select("chosen.series_id")),
        eb("starts_at", ">", of.select("chosen.starts_at")),
        eb("starts_at", ">", now),
        eb("status", "in", ["Draft", "Published"]),
      ]);
      return withFollowing ? eb.or([self, following]) : self;
    })
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows
    .sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())
    .map((row) => ({
      id: row.id,
      status: row.status,
      version: row.version,
      startsAt: row.starts_at,
      joinedCount: row.seats_taken,
      plan: planOf(row),
    }));
}

export type GameToEdit = Awaited<ReturnType<typeof lockGamesToEdit>>[number];
