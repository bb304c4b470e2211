import { bibName } from "#app/features/teams/bibs.ts";
import {
  findLineup,
  type LineupPlayer,
  listLineupPlayers,
  mayPlay,
  teamsVersion,
} from "#app/features/teams/lineups.server.ts";
import { findResult } from "#app/features/teams/record-result.server.ts";
import { meanLevel, playersNeeded, TEAM_COUNTS } from "#app/features/teams/rules.ts";
import type { PlannedGame } from "#app/features/games/admin-games.server.ts";
import { clockTime, playersText } from "#app/features/games/rules.ts";
import { POSITIONS } from "#app/features/players/rules.ts";
import type { App } from "#app/routes/context.server.ts";
import { formatDay } from "#app/routes/admin/games/game-view.server.ts";
import { canMark, takesPlace } from "#app/features/roster/rules.ts";

export async function loadTeamsView({ db, now }: App, game: PlannedGame) {
  const { plan } = game;
  const [lineup, players, result] = await Promise.all([
    findLineup(db, game.id),
    listLineupPlayers(db, game.id),
    findResult(db, game.id),
  ]);
  const teams = (lineup?.teams ?? []).map(({ number, bib }) => {
    const own = players.filter(({ team }) => team === number);
    const about = aboutOf(own, players.some(isKeeper));
    return { number, bib, name: bibName(bib), about, players: own.map(toTeamPlayerView) };
  });
  const playing = players.filter(mayPlay).length;
  return {
    gameId: game.id,
    title: plan.title,
    when: `${formatDay(plan.date)}, ${clockTime(plan.startTime)}`,
    isOn: takesPlace(game),
    isRecorded: result !== null,
    isMatchDay: canMark(game, now()),
    isPublished: teams.length > 0 && Boolean(lineup?.publishedAt),
    version: teamsVersion(lineup),
    joined: playersText(players.length),
    leftOut: leftOutText(players),
    needed: playersNeeded(2),
    playing: playersText(playing),
    counts: TEAM_COUNTS.filter((count) => playing >= playersNeeded(count)),
    teams,
    unplaced: players
      .filter((player) => player.team === null && mayPlay(player))
      .map(toTeamPlayerView),
  };
}

export type TeamsView = Awaited<ReturnType<typeof loadTeamsView>>;
export type TeamView = TeamsView["teams"][number];
export type TeamPlayerView = ReturnType<typeof toTeamPlayerView>;

function leftOutText(players: LineupPlayer[]): string {
  const isLeftOut = (player: LineupPlayer) => player.team === null && !mayPlay(player);
  const count = players.filter(isLeftOut).length;
  return count > 0 ? ` · ${count} no-show${count > 1 ? "s" : ""} left out` : "";
}

const isKeeper = ({ position }: LineupPlayer) => position === "GK";

/** Does not mention goalkeepers if the game has none. */
function aboutOf(team: LineupPlayer[], hasKeepers: boolean): string {
  const keepers = team.filter(isKeeper).length;
  const facts = [
    playersText(team.length),
    hasKeepers && (keepers === 1 ? "1 goalkeeper" : `${keepers} goalkeepers`),
    `level ${Math.round(meanLevel(team))} of 100`,
  ];
  return facts.filter(Boolean).join(" · ");
}

function toTeamPlayerView({
  id,
  firstName,
  lastName,
  position,
  cameWith,
  attendance,
}: LineupPlayer) {
  const facts = [
    position && POSITIONS[position],
    cameWith && `with ${cameWith}`,
    attendance === "NoShow" && "No-show",
  ];
  return { id, name: `${firstName} ${lastName}`, facts: facts.filter(Boolean).join(" · ") };
}
