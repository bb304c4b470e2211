import { isRefundPending } from "#app/features/seats/pending-refunds.server.ts";
import { randomUUID } from "node:crypto";
import { isPlayed, sumRefundsOfGame } from "#app/features/organise/cancel-game.server.ts";
import { countHeld, listHeldSpots } from "#app/features/friends/friends.server.ts";
import { findLineup, teamsVersion } from "#app/features/teams/lineups.server.ts";
import { countRecipients } from "#app/features/organise/message-players.server.ts";
import { findResult } from "#app/features/teams/record-result.server.ts";
import { listLiveCash } from "#app/features/roster/cash-payments.server.ts";
import { listFormerPlayers } from "#app/features/roster/former-players.server.ts";
import { listRoster } from "#app/features/roster/roster.server.ts";
import { playersNeeded } from "#app/features/teams/rules.ts";
import {
  type AdminGame,
  listSeries,
  type PlannedGame,
  type SeriesGame,
} from "#app/features/games/admin-games.server.ts";
import { chargeText } from "#app/features/games/shown-game.ts";
import { listToDelete } from "#app/features/organise/delete-games.server.ts";
import {
  clockTime,
  GAME_PRICE_CENTS,
  hasStarted,
  isOver,
  playersText,
  spotsLeft,
} from "#app/features/games/rules.ts";
import { monthDay, monthDayYear, shortWeekday } from "#app/platform/clock.ts";
import type { Slot } from "#app/features/games/time-slots.ts";
import type { Db } from "#app/platform/db.server.ts";
import { creditsCount, euros, numericFromCents } from "#app/platform/money.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import type { App } from "#app/routes/context.server.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";
import { DECISION_OVER, describeDecision, isShort, minimumFact } from "./decision-view.server.ts";
import { heldCounts } from "./held-view.ts";
import {
  paidByHandOf,
  pendingCashOf,
  shownToAdd,
  toFormerView,
  toRosterPlayerView,
} from "#app/routes/admin/games/roster/roster-view.server.ts";
import { isKept, unreadText } from "#app/features/chat/rules.ts";
import { canMark, takesPlace } from "#app/features/roster/rules.ts";

export async function loadGameView({ db, now }: App, game: PlannedGame) {
  const { plan, status, joinedCount } = game;
  const [series, refunds, wasPlayed, unused] = await Promise.all([
    listSeries(db, game.seriesId),
    describeRefunds(db, game),
    isPlayed(db, game.id),
    listToDelete(db, { gameId: game.id, withFollowing: false, now: now() }),
  ]);
  const isOpen = isOpenStatus(status);
  const isStarted = hasStarted(game, now());
  const isDecisionOver = game.decision === null && (game.decidesAt ?? game.endsAt) <= now();
  const isDraft = status === "Draft" && !isStarted;
  const canPublish = isDraft && !isDecisionOver;
  const isAhead = status === "Published" && !isStarted;
  const following = series.slice(series.findIndex(({ id }) => id === game.id) + 1);
  return {
    id: game.id,
    title: plan.title,
    description: plan.description,
    playerNotes: plan.playerNotes,
    ...heldState({ status, isOver: isOver(game, now()), joinedCount }),
    isPublished: status === "Published",
    day: formatDay(plan.date),
    time: formatTimes(plan),
    place: `${game.venueName}, ${game.city}`,
    facts: [
      ["Seats taken", `${joinedCount}/${plan.maxPlayers}`],
      ["Sport", plan.sport],
      ["Format", plan.gameFormat],
      ["Level", plan.level ?? "Not stated"],
      ["Where", plan.isOutdoor ? "Outdoor" : "Indoor"],
      ["Price shown", priceFact(plan.priceCents)],
      ["First session free", plan.isFirstSessionFree ? "Yes" : "No"],
      ...(status === "Cancelled" ? [] : [["Minimum", minimumFact(game)] as const]),
    ],
    joinedCount,
    revision: game.revision,
    hasStarted: isStarted,
    canCancel: isOpen && !wasPlayed,
    /** Why "Cancel game" is missing. */
    isPlayed: isOpen && wasPlayed,
    canCancelFollowing: following.some(({ status: later }) => isOpenStatus(later)),
    canDelete: unused.length > 0,
    canEdit: isOpen && !isStarted,
    canChat: isKept(game.endsAt, now()),
    canPublish,
    /** Why "Publish" is missing. */
    publishObstacle: isDraft && isDecisionOver ? DECISION_OVER : null,
    canPublishFollowing: canPublish && following.some((later) => later.status === "Draft"),
    canPlayAnyway: status === "Published" && !isStarted && isShort(game),
    decision: describeDecision(game, now()),
    version: game.version,
    // With players in, a game is cancelled instead.
    canUnpublish: isAhead && joinedCount === 0,
    canUnpublishFollowing: isAhead && following.some(isEmptyAndPublished),
    refunds,
    hadTooFewPlayers: game.decision === "CalledOff",
    series: series.map((each) => toSeriesGameView(each, now())),
  };
}

const isEmptyAndPublished = ({ status, joinedCount }: SeriesGame) =>
  status === "Published" && joinedCount === 0;

const isOpenStatus = (status: GameStatus) => status === "Draft" || status === "Published";

export type AdminGamePage = Awaited<ReturnType<typeof loadGameView>>;

function priceFact(cents: number): string {
  const differs = cents !== GAME_PRICE_CENTS;
  return `${euros(cents)}${differs ? ` (players pay ${creditsCount(GAME_PRICE_CENTS)})` : ""}`;
}

async function describeRefunds(db: Db, game: PlannedGame): Promise<string | null> {
  const { id, status, joinedCount } = game;
  if (status !== "Cancelled") return null;
  const isPending = joinedCount > 0 && (await isRefundPending(db, id));
  if (isPending) return `The refunds of ${playersText(joinedCount)} are under way.`;
  const { players, cents } = await sumRefundsOfGame(db, id);
  if (players === 0) return "Nobody had paid with credits, so none were refunded.";
  const who = players === 1 ? "1 player was" : `${players} players were`;
  return `${who} refunded in full, ${creditsCount(cents)} in all.`;
}

export function toAdminGameView(game: AdminGame, unread = 0) {
  return {
    id: game.id,
    title: game.title,
    day: formatDay(game.date),
    time: formatTimes(game),
    place: `${game.venueName}, ${game.city}`,
    ...statusView(game),
    seats: `${game.joinedCount}/${game.maxPlayers}`,
    notes: [notesOf(game), unread > 0 && unreadText(unread)].filter(Boolean).join(" · "),
  };
}

/** What a game that is over still lacks, or that it was played. */
function statusView({ status, isOver, joinedCount, ...game }: AdminGame) {
  const lacking = [game.lacksAttendance && "attendance", game.lacksResult && "result"]
    .filter(Boolean)
    .join(" or ");
  if (lacking) return { status: `No ${lacking}`, statusTone: "amber" as const };
  return heldState({ status, isOver, joinedCount });
}

function heldState({ status, isOver, joinedCount }: Held) {
  const isHeld = status === "Published" || status === "Completed";
  if (isOver && isHeld) {
    return { status: joinedCount > 0 ? "Played" : "No players", statusTone: "neutral" as const };
  }
  return { status, statusTone: STATUS_TONES[status] };
}

type Held = Pick<AdminGame, "status" | "isOver" | "joinedCount">;

/** Too few players so far, who waits, who has not paid, and what is to be given back. */
function notesOf({ status, joinedCount, undecidedMinimum, ...game }: AdminGame): string {
  const { waiting, unpaid, cashDueCents } = game;
  const isShort = status === "Published" && joinedCount < (undecidedMinimum ?? 0);
  const short = isShort && `${joinedCount} of at least ${undecidedMinimum}`;
  const counts = [waiting > 0 && `${waiting} waiting`, unpaid > 0 && `${unpaid} unpaid`];
  const cash = cashDueCents > 0 && `${euros(cashDueCents)} to give back`;
  return [short, ...counts, cash].filter(Boolean).join(" · ");
}

export type AdminGameView = ReturnType<typeof toAdminGameView>;

function toSeriesGameView(game: SeriesGame, now: Date) {
  return {
    id: game.id,
    canChange: isOpenStatus(game.status) && !hasStarted(game, now),
    day: `${shortWeekday(game.date)}, ${monthDay(game.date)}, ${clockTime(game.startTime)}`,
    status: game.status,
    statusTone: STATUS_TONES[game.status],
    seats: `${game.joinedCount}/${game.maxPlayers}`,
  };
}

export function formatDay(date: string): string {
  return `${shortWeekday(date)}, ${monthDayYear(date)}`;
}

/** "19:00–20:30", with a note past midnight. */
export function formatTimes({ startTime, endTime }: Omit<Slot, "date">): string {
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
  const instant = now();
  const [players, former, cash, result, lineup, held, reached] = await Promise.all([
    listRoster(db, { gameId: game.id, now: instant }),
    listFormerPlayers(db, game.id),
    listLiveCash(db, game.id),
    findResult(db, game.id),
    findLineup(db, game.id),
    listHeldSpots(db, { gameId: game.id, now: instant }),
    countRecipients(db, game),
  ]);
  const heldCount = countHeld(held);
  const isOn = takesPlace(game);
  const isMatchDay = isOn && canMark(game, instant);
  const playing = players.filter(({ attendance }) => attendance !== "NoShow").length;
  const canBeTaken = isOn && !hasStarted(game, instant);
  const formerViews = former.map((player) => toFormerView(player, cash, canBeTaken));
  return {
    gameId: game.id,
    path: `/admin/games/${game.id}`,
    heading: `${plan.title}, ${formatDay(plan.date)}, ${plan.startTime}`,
    place: `${game.venueName}, ${game.city}`,
    isOn,
    canMark: isMatchDay,
    /** At the pitch two; more, at any time, are made on a page of their own. */
    canMakeTeams: isMatchDay && !lineup && !result && playing >= playersNeeded(2),
    canRecord: isOn && hasStarted(game, instant),
    /** On match day: a page that is open at kick-off then offers what is possible from there on. */
    secondsToKickOff: Math.ceil((game.startsAt.getTime() - instant.getTime()) / 1_000),
    spots: spotsLeft(plan.maxPlayers, game.joinedCount, heldCount),
    held: heldCounts(held, instant),
    players: players.map((player) => toRosterPlayerView(player, cash)),
    former: formerViews,
    pendingCash: pendingCashOf(formerViews),
    paidByHand: paidByHandOf(cash),
    teams: lineup?.teams ?? [],
    teamsVersion: teamsVersion(lineup),
    /** What a charged seat costs, and the usual payment by hand. */
    charge: chargeText(plan),
    shown: shownToAdd(game),
    usualAmount: numericFromCents(GAME_PRICE_CENTS),
    result,
    keepsResult: game.keepsResult,
    /** Whom a message to all reaches; after a cancellation the former players. */
    reached,
    message: describeMessage(reached, isOn),
    // A form that is sent twice is one message.
    messageId: randomUUID(),
  };
}

function describeMessage(count: number, isOn: boolean) {
  const where = isOn
    ? "on the game's page and in its chat, for players who join later too."
    : "in the game's chat.";
  return {
    effect: `${playersText(count)} ${count === 1 ? "gets" : "get"} this as an email. It stays ${where}`,
    send: `Send to ${playersText(count)}`,
  };
}

export type Roster = Awaited<ReturnType<typeof loadRoster>>;
export type RosterPlayer = Roster["players"][number];
