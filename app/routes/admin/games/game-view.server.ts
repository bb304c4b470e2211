import { randomUUID } from "node:crypto";
import { sumRefundsOfGame } from "#app/features/bookings/cancel-game.server.ts";
import { findResult } from "#app/features/bookings/record-result.server.ts";
import {
  listRoster,
  type RosterPlayer as StoredPlayer,
} from "#app/features/bookings/roster.server.ts";
import { canMark, type Refund, refundOfRemoval, takesPlace } from "#app/features/bookings/rules.ts";
import {
  type AdminGame,
  listSeries,
  type PlannedGame,
  type SeriesGame,
} from "#app/features/games/admin-games.server.ts";
import { clockTime, hasStarted, playersText, spotsLeft } from "#app/features/games/rules.ts";
import { POSITIONS } from "#app/features/players/rules.ts";
import {
  dayAndTime,
  monthDay,
  monthDayYear,
  shortWeekday,
  weekdayAndTime,
} from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import type { App } from "#app/routes/context.server.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";

export async function loadGameView({ db, now }: App, game: PlannedGame) {
  const { plan, status, joinedCount } = game;
  const [series, refunds] = await Promise.all([
    listSeries(db, game.seriesId),
    describeRefunds(db, game),
  ]);
  const isOpen = status === "Draft" || status === "Published";
  const isStarted = hasStarted(game, now());
  const canPublish = status === "Draft" && !isStarted;
  const following = series.slice(series.findIndex(({ id }) => id === game.id) + 1);
  return {
    id: game.id,
    title: plan.title,
    description: plan.description,
    playerNotes: plan.playerNotes,
    status,
    statusTone: STATUS_TONES[status],
    day: formatDay(plan.date),
    time: formatTimes(plan),
    place: `${game.venueName}, ${game.city}`,
    facts: [
      ["Seats taken", `${joinedCount}/${plan.maxPlayers}`],
      ["Sport", plan.sport],
      ["Format", plan.gameFormat],
      ["Level", plan.level ?? "Not stated"],
      ["Where", plan.isOutdoor ? "Outdoor" : "Indoor"],
      ["Price shown", euros(plan.priceCents)],
      ["First session free", plan.isFirstSessionFree ? "Yes" : "No"],
      ["Minimum", minimumFact(game)],
    ] as const,
    joinedCount,
    waitlistVersion: game.waitlistVersion,
    hasStarted: isStarted,
    canCancel: isOpen,
    canEdit: isOpen && !isStarted,
    canPublish,
    canPublishFollowing: canPublish && following.some((later) => later.status === "Draft"),
    canPlayAnyway: status === "Published" && !isStarted && isShort(game),
    decision: describeDecision(game, now()),
    version: game.version,
    canUnpublish: status === "Published" && !isStarted,
    refunds,
    hadTooFewPlayers: game.decision === "CalledOff",
    series: series.map(toSeriesGameView),
  };
}

export type AdminGamePage = Awaited<ReturnType<typeof loadGameView>>;

function minimumFact({ plan, decidesAt }: PlannedGame): string {
  if (plan.minPlayers === null || !decidesAt) return "None";
  return `${playersText(plan.minPlayers)}, decided ${weekdayAndTime(decidesAt)}`;
}

const isShort = ({ plan, joinedCount, decision }: PlannedGame) =>
  decision === null && joinedCount < (plan.minPlayers ?? 0);

/** What the organiser has to know of the minimum, while there is something to do or to explain. */
function describeDecision(game: PlannedGame, now: Date) {
  const { plan, status, decision, decidesAt, joinedCount } = game;
  if (status !== "Published" || !decidesAt || hasStarted(game, now)) return null;
  if (decision === "PlayAnyway") {
    const text = `It is played with however many come: ${joinedCount} so far.`;
    return { title: "Play anyway", text, decided: "" };
  }
  if (!isShort(game)) return null;
  return {
    title: `${joinedCount} of ${playersText(plan.minPlayers ?? 0)}`,
    text:
      `It is called off by itself ${dayAndTime(decidesAt, now)}, unless ${plan.minPlayers} are in ` +
      "by then. Everybody then gets the full price back.",
    decided: dayAndTime(decidesAt, now),
  };
}

/** The refunds of a cancelled game. */
async function describeRefunds(db: Db, { id, status }: PlannedGame): Promise<string | null> {
  if (status !== "Cancelled") return null;
  const { players, cents } = await sumRefundsOfGame(db, id);
  if (players === 0) return "Nobody had paid, so nothing was refunded.";
  const who = players === 1 ? "1 player was" : `${players} players were`;
  return `${who} refunded in full, ${creditsCount(cents)} in all.`;
}

export function toAdminGameView(game: AdminGame) {
  return {
    id: game.id,
    title: game.title,
    day: formatDay(game.date),
    time: formatTimes(game),
    place: `${game.venueName}, ${game.city}`,
    status: game.status,
    statusTone: STATUS_TONES[game.status],
    seats: `${game.joinedCount}/${game.maxPlayers}`,
    notes: notesOf(game),
  };
}

/** Too few players so far, and who waits. */
function notesOf({ status, joinedCount, undecidedMinimum, waiting }: AdminGame): string {
  const isShort = status === "Published" && joinedCount < (undecidedMinimum ?? 0);
  const short = isShort && `${joinedCount} of at least ${undecidedMinimum}`;
  return [short, waiting > 0 && `${waiting} waiting`].filter(Boolean).join(" · ");
}

export type AdminGameView = ReturnType<typeof toAdminGameView>;

function toSeriesGameView(game: SeriesGame) {
  return {
    id: game.id,
    day: `${shortWeekday(game.date)}, ${monthDay(game.date)}, ${clockTime(game.startTime)}`,
    status: game.status,
    statusTone: STATUS_TONES[game.status],
    seats: `${game.joinedCount}/${game.maxPlayers}`,
  };
}

/** "Sat, Nov 21, 2026". */
export function formatDay(date: string): string {
  return `${shortWeekday(date)}, ${monthDayYear(date)}`;
}

/** "19:00–20:30", with a note past midnight. */
function formatTimes({ startTime, endTime }: { startTime: string; endTime: string }): string {
  const [start, end] = [clockTime(startTime), clockTime(endTime)];
  return `${start}–${end}${end < start ? " (past midnight)" : ""}`;
}

const STATUS_TONES: Record<GameStatus, BadgeTone> = {
  Draft: "neutral",
  Published: "green",
  Cancelled: "red",
  Completed: "sky",
};

export async function loadRoster({ db, now }: App, game: PlannedGame) {
  const { plan } = game;
  const [players, result] = await Promise.all([listRoster(db, game.id), findResult(db, game.id)]);
  const instant = now();
  const isOn = takesPlace(game);
  return {
    gameId: game.id,
    path: `/admin/games/${game.id}`,
    heading: `${plan.title}, ${formatDay(plan.date)}, ${plan.startTime}`,
    place: `${game.venueName}, ${game.city}`,
    isOn,
    canMark: isOn && canMark(game, instant),
    canRecord: isOn && hasStarted(game, instant),
    spots: spotsLeft(plan.maxPlayers, game.joinedCount, game.heldCount),
    held: game.heldCount,
    players: players.map(toPlayerView),
    result,
    // A form that is sent twice is one message.
    messageId: randomUUID(),
  };
}

export type Roster = Awaited<ReturnType<typeof loadRoster>>;
export type RosterPlayer = Roster["players"][number];

function toPlayerView(stored: StoredPlayer) {
  const { firstName, lastName, position, priceCents, usesFreeSession, ...player } = stored;
  const seat = { paymentStatus: player.paymentStatus, priceCents, usesFreeSession };
  return {
    ...player,
    name: `${firstName} ${lastName}`,
    position: position && POSITIONS[position],
    /** What a removal with a refund gives back; null where there is nothing to give. */
    refund: describeRefund(refundOfRemoval(seat, true)),
  };
}

function describeRefund({ creditsBackCents, isFreeSessionBack }: Refund): string | null {
  if (creditsBackCents > 0) return `Give ${creditsCount(creditsBackCents)} back`;
  return isFreeSessionBack ? "Give the free session back" : null;
}
