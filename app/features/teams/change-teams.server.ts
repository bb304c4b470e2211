import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { changeGame } from "#app/features/games/change-game.server.ts";
import { type Db, insertRows, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Bib } from "#app/platform/schema.ts";
import { BIBS } from "./bibs.ts";
import {
  findLineup,
  friendshipsOf,
  type Lineup,
  type LineupPlayer,
  listLineupPlayers,
  mayPlay,
  teamsVersion,
} from "./lineups.server.ts";
import { findResult, updateWinners } from "./record-result.server.ts";
import { assignTeams, placeLate, playersNeeded, type TeamCount } from "./rules.ts";
import { liveBookings } from "#app/features/seats/seats.server.ts";
import { takesPlace } from "#app/features/roster/rules.ts";

interface TeamsFormChange {
  gameId: string;
  actorId: string;
  /** Version of the teams that the form shows; 0 if it shows none. */
  version: number;
  /** Sent twice, the form makes teams only once. The other changes can be repeated. */
  formKey?: string | undefined;
}

export type TeamsProblem =
  | "not-found"
  | "not-on"
  | "changed"
  | "no-teams"
  | "recorded"
  | "too-few"
  | "gone";

type TeamsResult = { ok: true } | { ok: false; reason: TeamsProblem };

interface Making extends TeamsFormChange {
  count: TeamCount;
  seed?: number;
  /** When players see them; null or left out where they are looked at first. */
  publishedAt?: Date | null;
}

/** Balanced teams of those who are in, in place of any before; players see them once published. */
export function makeTeams(db: Db, { count, seed, publishedAt = null, ...change }: Making) {
  return changeTeams(db, "make", change, async (tx, lineup, { gameId, isStale }) => {
    if (isStale) return "changed";
    if (await findResult(tx, gameId)) return "recorded";
    const players = (await listLineupPlayers(tx, gameId)).filter(mayPlay);
    if (players.length < playersNeeded(count)) return "too-few";
    const dealt = assignOthers(players, { count, seed: seed ?? randomInt(2 ** 31) });
    const before = lineup && { teams: lineup.teams.length, seed: lineup.seed };
    await storeTeams(tx, gameId, { ...dealt, bibs: bibsOf(lineup, count), publishedAt });
    const published = publishedAt ? { published: true } : {};
    return { before, after: { teams: count, seed: dealt.seed, ...published } };
  });
}

type TeamsChange = "bibs" | "make" | "move" | "place" | "publish" | "remove" | "unpublish";
type Details = Record<string, unknown>;
/** What is wrong, what was changed, or null if nothing had to change. */
type Changed = TeamsProblem | Details | null;
type Run = (
  tx: Tx,
  lineup: Lineup | null,
  facts: { gameId: string; isStale: boolean },
) => Promise<Changed>;

/** Teams change under the game's lock, which joins and results wait for too. */
function changeTeams(
  db: Db,
  what: TeamsChange,
  { version, gameId, actorId, formKey }: TeamsFormChange,
  run: Run,
): Promise<TeamsResult> {
  const teams = { gameId, actorId, formKey, action: `teams.${what}` as const };
  return changeGame<TeamsResult>(db, teams, async (tx, game, { earlier }) => {
    if (!takesPlace(game)) return "not-on";
    if (earlier.length > 0) return { ok: true };
    const lineup = await findLineup(tx, gameId);
    const isStale = version !== teamsVersion(lineup);
    const details = await run(tx, lineup, { gameId, isStale });
    if (typeof details === "string") return details;
    if (details === null) return { ok: true };
    const lineups = tx.updateTable("game_lineups").set({ version: sql`version + 1` });
    await lineups.where("game_id", "=", gameId).execute();
    return { ok: true, event: { details } };
  });
}

const MOST_TRIES = 10;

function assignOthers(players: LineupPlayer[], how: { count: TeamCount; seed: number }) {
  const friends = friendshipsOf(players);
  const now = shapeOf(
    [1, 2, 3, 4].map((team) => players.flatMap((one) => (one.team === team ? one.id : []))),
  );
  for (let tries = 1; ; tries += 1) {
    const seed = (how.seed + tries - 1) % 2 ** 31;
    const teams = assignTeams(players, { ...how, seed, friends });
    if (shapeOf(teams) !== now || tries === MOST_TRIES) return { seed, teams };
  }
}

const shapeOf = (teams: string[][]) =>
  teams
    .flatMap((team) => (team.length > 0 ? team.toSorted().join() : []))
    .toSorted()
    .join("|");

function bibsOf(lineup: Lineup | null, count: number): Bib[] {
  const kept = lineup?.teams.map(({ bib }) => bib) ?? [];
  return [...kept, ...BIBS.filter((bib) => !kept.includes(bib))].slice(0, count);
}

interface Dealt {
  seed: number;
  teams: string[][];
  bibs: Bib[];
  publishedAt: Date | null;
}

async function storeTeams(tx: Tx, game_id: string, { seed, teams, bibs, publishedAt }: Dealt) {
  const shown = { seed, published_at: publishedAt };
  await tx
    .insertInto("game_lineups")
    .values({ game_id, ...shown })
    .onConflict((conflict) => conflict.column("game_id").doUpdateSet(shown))
    .execute();
  // Takes every booking out of its team too.
  await tx.deleteFrom("game_teams").where("game_id", "=", game_id).execute();
  const rows = bibs.map((bib, index) => ({ game_id, number: index + 1, bib }));
  await insertRows(tx, "game_teams", rows).execute();
  await seatAll(
    tx,
    teams.flatMap((ids, index) => ids.map((id) => [id, index + 1] as const)),
  );
}

async function seatAll(tx: Tx, seats: (readonly [bookingId: string, team: number])[]) {
  const ids = seats.map(([id]) => id);
  const teams = seats.map(([, team]) => team);
  await sql`
    update bookings set team = seat.team
    from unnest(${ids}::uuid[], ${teams}::smallint[]) as seat (id, team)
    where bookings.id = seat.id`.execute(tx);
}

/** One player into another team. Once a result is recorded, who has won follows. */
export function moveToTeam(
  db: Db,
  { bookingId, team, ...change }: TeamsFormChange & { bookingId: string; team: number },
): Promise<TeamsResult> {
  return changeTeams(db, "move", change, async (tx, lineup, { gameId, isStale }) => {
    const to = lineup?.teams.find(({ number }) => number === team);
    if (!to) return "no-teams";
    if (!isId(bookingId)) return "gone";
    const seat = await liveBookings(tx, gameId)
      .select(["user_id as playerId", "team"])
      .where("id", "=", bookingId)
      .executeTakeFirst();
    if (!seat) return "gone";
    if (seat.team === team) return null;
    if (isStale) return "changed";
    await seatAll(tx, [[bookingId, team]]);
    await updateWinners(tx, gameId);
    const { playerId, team: from } = seat;
    return { playerId, bib: to.bib, before: { team: from }, after: { team } };
  });
}

export function placeInTeams(db: Db, change: TeamsFormChange): Promise<TeamsResult> {
  return changeTeams(db, "place", change, async (tx, lineup, { gameId, isStale }) => {
    if (!lineup || lineup.teams.length === 0) return "no-teams";
    const players = (await listLineupPlayers(tx, gameId)).filter(mayPlay);
    const late = players.filter(({ team }) => team === null);
    if (late.length === 0) return null;
    if (isStale) return "changed";
    const teams = lineup.teams.map(({ number }) => players.filter(({ team }) => team === number));
    const placed = placeLate(teams, late, friendshipsOf(players));
    await seatAll(
      tx,
      placed.map(([id, index]) => [id, lineup.teams[index]!.number]),
    );
    await updateWinners(tx, gameId);
    return { placed: late.map(({ playerId }) => playerId) };
  });
}

export function publishTeams(
  db: Db,
  { isPublished, now, ...change }: TeamsFormChange & { isPublished: boolean; now: Date },
): Promise<TeamsResult> {
  const action = isPublished ? "publish" : "unpublish";
  return changeTeams(db, action, change, async (tx, lineup, { gameId, isStale }) => {
    if (!lineup || lineup.teams.length === 0) return isPublished ? "no-teams" : null;
    if ((lineup.publishedAt !== null) === isPublished) return null;
    if (isStale) return "changed";
    const published_at = isPublished ? now : null;
    const lineups = tx.updateTable("game_lineups").set({ published_at });
    await lineups.where("game_id", "=", gameId).execute();
    return {};
  });
}

export function changeBibs(db: Db, { bibs, ...change }: TeamsFormChange & { bibs: Bib[] }) {
  return changeTeams(db, "bibs", change, async (tx, lineup, { gameId, isStale }) => {
    const before = lineup?.teams.map(({ bib }) => bib) ?? [];
    if (before.length === 0) return "no-teams";
    if (before.join() === bibs.join()) return null;
    if (isStale || bibs.length !== before.length) return "changed";
    await sql`
      update game_teams set bib = worn.bib
      from unnest(${bibs}::text[]) with ordinality as worn (bib, number)
      where game_id = ${gameId} and game_teams.number = worn.number`.execute(tx);
    return { before: { bibs: before }, after: { bibs } };
  });
}

export function removeTeams(db: Db, change: TeamsFormChange): Promise<TeamsResult> {
  return changeTeams(db, "remove", change, async (tx, lineup, { gameId, isStale }) => {
    if (!lineup || lineup.teams.length === 0) return null;
    if (await findResult(tx, gameId)) return "recorded";
    if (isStale) return "changed";
    await tx.deleteFrom("game_teams").where("game_id", "=", gameId).execute();
    const lineups = tx.updateTable("game_lineups").set({ published_at: null });
    await lineups.where("game_id", "=", gameId).execute();
    return { before: { teams: lineup.teams.length } };
  });
}
