import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Bib } from "#app/platform/schema.ts";
import { broughtBy, cameWith } from "#app/features/friends/friends.server.ts";
import { type Friendship, levelOf, type TeamPlayer } from "./rules.ts";
import { liveBookings } from "#app/features/seats/seats.server.ts";
import { isLive } from "#app/features/games/held-spots.server.ts";

export interface Lineup {
  seed: number;
  version: number;
  publishedAt: Date | null;
  /** In their order; none once they are removed. */
  teams: { number: number; bib: Bib }[];
}

/** Null for a game that never had teams. One query. */
export async function findLineup(db: Db, gameId: string): Promise<Lineup | null> {
  if (!isId(gameId)) return null;
  const rows = await db
    .selectFrom("game_lineups as lineup")
    .leftJoin("game_teams as team", "team.game_id", "lineup.game_id")
    .select(["seed", "version", "published_at as publishedAt", "number", "bib"])
    .where("lineup.game_id", "=", gameId)
    .orderBy("number")
    .execute();
  const [first] = rows;
  if (!first) return null;
  const { seed, version, publishedAt } = first;
  const teams = rows.flatMap(({ number, bib }) => (number && bib ? { number, bib } : []));
  return { seed, version, publishedAt, teams };
}

/** The version by which a form names a game's teams; 0 if there are none. */
export const teamsVersion = (lineup: Lineup | null) =>
  lineup && lineup.teams.length > 0 ? lineup.version : 0;

export type LineupPlayer = TeamPlayer & Awaited<ReturnType<typeof selectPlayers>>[number];

export async function listLineupPlayers(db: Db, gameId: string): Promise<LineupPlayer[]> {
  const rows = await selectPlayers(db, gameId);
  return rows.map((row) => ({ ...row, id: row.bookingId, level: levelOf(row) }));
}

/** Teams are made at the pitch: who has not come by then is in no team. */
export const mayPlay = ({ attendance }: Pick<LineupPlayer, "attendance">) =>
  attendance !== "NoShow";

// Results count as on the cards (findStats); that of this game does not.
function selectPlayers(db: Db | Tx, gameId: string) {
  return liveBookings(db, gameId)
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .innerJoinLateral(
      sql<{ recorded: number; wins: number }>`(
        select count(*)::integer as recorded, (count(*) filter (where has_won))::integer as wins
        from bookings earlier join games on games.id = earlier.game_id
        where earlier.user_id = bookings.user_id and earlier.payment_status = 'Paid'
          and earlier.goals is not null and earlier.attendance is distinct from 'NoShow'
          and games.status <> 'Cancelled' and earlier.game_id <> bookings.game_id)`.as("record"),
      (join) => join.onTrue(),
    )
    .select(["bookings.id as bookingId", "bookings.user_id as playerId", "bookings.team"])
    .select(["first_name as firstName", "last_name as lastName", "position"])
    .select(["attendance", "record.recorded", "record.wins", cameWith.as("cameWith")])
    .select(
      sql<string | null>`(
        select host.id from bookings host where host.user_id = ${broughtBy}
          and host.game_id = bookings.game_id and ${isLive("host")})`.as("hostBookingId"),
    )
    .orderBy("first_name")
    .orderBy("last_name")
    .orderBy("bookings.id")
    .execute();
}

export const friendshipsOf = (players: LineupPlayer[]): Friendship[] =>
  players.flatMap(({ id, hostBookingId }) => (hostBookingId ? [[id, hostBookingId]] : []));
