import { sql } from "kysely";
import { changeGames } from "#app/features/games/change-game.server.ts";
import { lockGames } from "#app/features/games/locked-games.server.ts";
import { type Db, type Tx, isOneOf } from "#app/platform/db.server.ts";
import { listGameKeys } from "./game-keys.server.ts";
import { isId } from "#app/platform/ids.ts";

interface Deletion {
  gameIds: string[];
  /** The key of each as it was listed (`listGameKeys`); without one as it is now. */
  shown?: Map<string, string | undefined>;
  actorId: string;
  formKey: string | undefined;
  now: Date;
}

type DeleteGamesResult =
  | { ok: true; games: number }
  /** "used": one has, or had, a player; nothing is deleted. */
  | { ok: false; reason: "not-found" | "used" }
  | { ok: false; reason: "changed"; games: { title: string; date: string }[] };

/** All or none. Only games that nobody ever was in, waited for or wrote about. */
export async function deleteGames(db: Db, deletion: Deletion): Promise<DeleteGamesResult> {
  const { actorId, formKey, now, shown } = deletion;
  const ids = deletion.gameIds.filter(isId);
  if (ids.length === 0) return { ok: false, reason: "not-found" };
  const change = { actorId, formKey, action: "game.delete" } as const;
  const lock = (tx: Tx) => lockGames(tx, ids);
  const deleting = changeGames<DeleteGamesResult>(db, change, lock, async (tx, found, earlier) => {
    if (found.length < ids.length) {
      const isRepeat = earlier.length > 0 && found.length === 0;
      return isRepeat ? { ok: true, games: earlier.length } : "not-found";
    }
    // Read after the lock: somebody may have joined just before.
    const unused = await unusedGames(tx, now).where(isOneOf("id", ids)).selectAll().execute();
    if (unused.length < ids.length) return "used";
    const keys = await listGameKeys(tx, ids);
    const changed = unused.filter(({ id }) => (shown?.get(id) ?? keys.get(id)) !== keys.get(id));
    if (changed.length > 0) return { ok: false, reason: "changed", games: changed };
    await tx.deleteFrom("games").where(isOneOf("id", ids)).execute();
    const event = unused.map(
      ({ id: subject, start_time: startTime, venue_id: venueId, ...game }) => {
        const { title, date, status } = game;
        const before = { title, date, startTime, venueId, status };
        return { subject, details: { before, after: null } };
      },
    );
    return { ok: true, games: unused.length, event };
  });
  return deleting.catch((error: { code?: string }) => {
    if (IS_REFERRED_TO.includes(error.code ?? "")) return { ok: false, reason: "used" };
    throw error;
  });
}

// PostgreSQL 18 has a code of its own for `on delete restrict`.
const IS_REFERRED_TO = ["23001", "23503"];

/** A published game that has begun counts in the metrics, even if nobody came. */
function unusedGames(db: Db | Tx, now: Date) {
  return db
    .selectFrom("games")
    .where(({ eb, or }) =>
      or([
        eb("status", "in", ["Draft", "Cancelled"]),
        eb.and([eb("status", "=", "Published"), eb("starts_at", ">", now)]),
      ]),
    )
    .where(IS_UNUSED);
}

const IS_UNUSED = sql<boolean>`not exists (select from bookings where game_id = games.id)
  and not exists (select from waitlist_entries where game_id = games.id)
  and not exists (select from friend_holds where game_id = games.id)
  and not exists (select from payment_holds where game_id = games.id)
  and not exists (select from game_messages where game_id = games.id)
  and not exists (select from game_results where game_id = games.id)
  and not exists (select from chat_messages where game_id = games.id)`;

export async function listToDelete(
  db: Db,
  { gameId, withFollowing, now }: { gameId: string; withFollowing: boolean; now: Date },
) {
  if (!isId(gameId)) return [];
  return unusedGames(db, now)
    .select(["id", "title", "date", "status"])
    .select([sql<string>`to_char(start_time, 'HH24:MI')`.as("startTime")])
    .select([sql<string>`to_char(end_time, 'HH24:MI')`.as("endTime")])
    .where((eb) => {
      const self = eb("id", "=", gameId);
      const chosen = eb.selectFrom("games as chosen").where("chosen.id", "=", gameId);
      const following = eb.and([
        eb("series_id", "=", chosen.select("chosen.series_id")),
        eb("starts_at", ">", chosen.select("chosen.starts_at")),
      ]);
      return withFollowing ? eb.or([self, following]) : self;
    })
    .orderBy("starts_at")
    .orderBy("id")
    .execute();
}
