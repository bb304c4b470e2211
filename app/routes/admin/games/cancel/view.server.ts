import { gamesText, playersText } from "#app/features/games/rules.ts";
import {
  cancelKey,
  type GameToCancel,
  MOST_GAMES,
} from "#app/features/organise/cancel-games.server.ts";
import { cashToGiveText } from "#app/features/bookings/cash-texts.ts";
import { creditsCount } from "#app/platform/money.ts";
import { formatDay, formatTimes } from "#app/routes/admin/games/game-view.server.ts";

export type CancelView = ReturnType<typeof toCancelView>;

/** What a form is about to cancel; it sends exactly the games that it shows. */
export function toCancelView(found: GameToCancel[]) {
  const shown = found.slice(0, MOST_GAMES);
  const games = shown.filter(({ isPlayed }) => !isPlayed);
  const played = shown.filter(({ isPlayed }) => isPlayed);
  return {
    ids: games.map(({ id }) => id).join(","),
    shown: games.map((game) => `${game.id}:${cancelKey(game)}`).join(","),
    count: games.length,
    games: games.map(toRow),
    effect: effectText(games),
    hasPlayers: games.some(({ players }) => players > 0),
    played: played.length > 0 ? `${played.map(toDay).join("; ")}: ${PLAYED}` : null,
    more: found.length > MOST_GAMES ? MORE : null,
  };
}

const PLAYED = "not cancelled, because there is a result or a check-in.";
const MORE = `These are the first ${MOST_GAMES}. Come back here for the others.`;

const toDay = ({ date }: GameToCancel) => formatDay(date);

function toRow(game: GameToCancel) {
  const { id, title, status, players, waiting } = game;
  const who = [players > 0 ? `${players} in` : "Nobody in", waiting > 0 && `${waiting} waiting`];
  const draft = status === "Draft" && "Draft";
  return {
    ...{ id, title, day: `${formatDay(game.date)}, ${formatTimes(game)}` },
    notes: [draft, ...who].filter(Boolean).join(" · "),
  };
}

/** "3 games, 12 players, 2 waiting. 110 credits and 1 free session come back.", cash, and who is notified. */
function effectText(games: GameToCancel[]): string {
  const sum = (of: "waiting" | "creditsCents" | "freeSessions" | "cashCents") =>
    games.reduce((total, game) => total + game[of], 0);
  const players = new Set(games.flatMap(({ playerIds }) => playerIds)).size;
  const waiting = sum("waiting");
  const who = [players > 0 && playersText(players), waiting > 0 && `${waiting} waiting`];
  const isEmpty = players + waiting === 0;
  const counts = [gamesText(games.length), ...(isEmpty ? ["nobody in"] : who)].filter(Boolean);
  const back = backText({ creditsCents: sum("creditsCents"), freeSessions: sum("freeSessions") });
  const comes = back ? `${back}.` : NOTHING_BACK;
  const cashCents = sum("cashCents");
  const cash = cashCents > 0 ? ` ${cashToGiveText(cashCents)}` : "";
  const mail = isEmpty ? "" : " Everybody who is in or waits gets an email.";
  return `${counts.join(", ")}. ${comes}${cash}${mail}`;
}

/** "110 credits and 1 free session come back"; null where nothing does. */
function backText({ creditsCents, freeSessions: free }: Back): string | null {
  const all = [
    creditsCents > 0 && creditsCount(creditsCents),
    free > 0 && (free === 1 ? "1 free session" : `${free} free sessions`),
  ];
  const back = all.filter(Boolean).join(" and ");
  if (!back) return null;
  return /^1 [a-z ]+$/.test(back) ? `${back} comes back` : `${back} come back`;
}
type Back = Pick<GameToCancel, "creditsCents" | "freeSessions">;

export type CancelOneView = ReturnType<typeof toCancelOneView>;

/** What cancelling one game means for its players and waitlist, with a key for just that. */
export function toCancelOneView(game: GameToCancel) {
  const { players, waiting, cashCents } = game;
  const cash = cashCents > 0 && cashToGiveText(cashCents);
  const back = backText(game);
  // An empty game gives back only what was given up late.
  const comes = back ? `${back}, whatever the hour.` : players > 0 && NOTHING_BACK;
  const effect = [effectOnPlayers(players), effectOnWaiting(waiting), comes, cash];
  return { effect: effect.filter(Boolean).join(" "), shown: cancelKey(game) };
}

const NOTHING_BACK = "No credits come back.";

function effectOnWaiting(waiting: number): string {
  if (waiting === 0) return "";
  return waiting === 1 ? "The one who waits gets one too." : `The ${waiting} who wait get one too.`;
}

function effectOnPlayers(players: number): string {
  if (players === 0) return "Nobody is in it.";
  return players === 1 ? "The one player gets an email." : `All ${players} players get an email.`;
}

export function notifiedText(players: number): string {
  if (players === 0) return "Nobody was in.";
  return `${playersText(players)} ${players === 1 ? "is" : "are"} notified by email.`;
}
