import { sql } from "kysely";
import { listAuditEntriesOfForm } from "#app/platform/audit.server.ts";
import { changedFacts, type Facts } from "#app/platform/as-shown.ts";
import { type Db, inCents, type Tx, isOneOf } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { QueuedNotice } from "#app/features/games/after-change.server.ts";
import type { Attendance } from "#app/platform/schema.ts";
import {
  changeGame,
  type GameChange,
  NOT_FOUND,
  type Outcome,
} from "#app/features/games/change-game.server.ts";
import type { LockedGame } from "#app/features/games/games.server.ts";
import { cameWith } from "#app/features/friends/friends.server.ts";
import { NOT_EXCUSED, noShowsOf } from "./no-shows.server.ts";
import { isLive, refundOfRemoval, statusAfterRefund } from "#app/features/seats/rules.ts";
import { endBooking } from "#app/features/seats/end-booking.server.ts";
import { liveBookings } from "#app/features/seats/seats.server.ts";
import { canMark, canMarkAs, takesPlace } from "./rules.ts";

export type RosterPlayer = Awaited<ReturnType<typeof listRoster>>[number];

/** Lists who is in a game, by name. For admins alone: it has phone numbers. One query. */
export async function listRoster(db: Db, { gameId, now }: { gameId: string; now: Date }) {
  if (!isId(gameId)) return [];
  const [playerId, exceptGameId] = [sql.ref("bookings.user_id"), sql.ref("bookings.game_id")];
  return liveBookings(db, gameId)
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .select(["bookings.id as bookingId", "bookings.user_id as playerId"])
    .select(["first_name as firstName", "last_name as lastName", "position", "phone"])
    .select(["profiles.email", isSuspended.as("isSuspended")])
    .select(noShowsOf({ playerId, exceptGameId, now }).as("noShows"))
    .select(["profile_picture_url as pictureUrl", "payment_status as paymentStatus"])
    .select(inCents("price_eur").as("priceCents"))
    .select(sql<boolean>`not_collected_at is not null`.as("isNotCollected"))
    .select(sql<boolean>`not_collected_at is null and deleted_at is null`.as("isCollected"))
    .select([
      "uses_free_session as usesFreeSession",
      "attendance",
      "mark_version as markVersion",
      sql<boolean>`no_show_excused_at is not null`.as("isExcused"),
      "goals",
      "has_won as hasWon",
      "team",
    ])
    .select(cameWith.as("cameWith"))
    .orderBy("first_name")
    .orderBy("last_name")
    .orderBy("bookings.id")
    .execute();
}

// A subquery: joined, the planner would read all accounts.
const isSuspended = sql<boolean>`(
  select suspended_at is not null from users where users.id = bookings.user_id)`;

export async function findSeatName(db: Db, bookingId: string): Promise<string> {
  const seat = db
    .selectFrom("bookings")
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id");
  const name = seat.select(["first_name", "last_name"]).where("bookings.id", "=", bookingId);
  const { first_name, last_name } = await name.executeTakeFirstOrThrow();
  return `${first_name} ${last_name}`;
}

export interface SeatKey {
  gameId: string;
  bookingId: string;
}

const LIVE_CASH = sql`coalesce((select sum(amount_eur) from cash_payments
  where booking_id = bookings.id and undone_at is null), 0)`;

type LockedSeat = NonNullable<Awaited<ReturnType<typeof findSeat>>>;

/** A change of a booking, under its game's lock. "not-found" too where the game has no such one. */
export function changeSeat<Result extends { ok: boolean }>(
  db: Db,
  change: Omit<GameChange, "subject"> & SeatKey,
  run: (
    tx: Tx,
    found: { game: LockedGame; seat: LockedSeat; earlier: Record<string, unknown>[] },
  ) => Promise<Outcome<Result>>,
) {
  const ofSeat = { ...change, subject: change.bookingId };
  return changeGame<Result>(db, ofSeat, async (tx, game, { earlier }) => {
    const seat = await findSeat(tx, change);
    return seat ? run(tx, { game, seat, earlier }) : (NOT_FOUND as never);
  });
}

async function findSeat(tx: Tx, { gameId, bookingId }: SeatKey) {
  if (!isId(bookingId)) return null;
  const seat = await tx
    .selectFrom("bookings")
    .select(["user_id as playerId", "payment_status as paymentStatus"])
    .select(inCents("price_eur").as("priceCents"))
    .select(["uses_free_session as usesFreeSession", "attendance", "mark_version as markVersion"])
    .select(sql<boolean>`not_collected_at is null`.as("isCollected"))
    .select(inCents(LIVE_CASH).as("cashCents"))
    .where("id", "=", bookingId)
    .where("game_id", "=", gameId)
    .executeTakeFirst();
  return seat ?? null;
}

interface Mark extends SeatKey {
  actorId: string;
  from: Attendance | null;
  to: Attendance | null;
  /** Version of the mark that was tapped on; without it `from` alone decides. */
  version?: number | undefined;
  formKey?: string | undefined;
  now: Date;
}

type MarkResult =
  | { ok: true; current: Attendance | null; version: number }
  | { ok: false; reason: "not-found" | "gone" | "not-on" | "too-early" | "not-started" }
  | { ok: false; reason: "changed"; current: Attendance | null; version: number };

/** "changed" if somebody has marked it meanwhile; an equal mark stays, with its excuse. The
 * returned version is that of the mark after this tap, for later taps. */
export function markAttendance(db: Db, mark: Mark): Promise<MarkResult> {
  const { formKey, from, to, version, now } = mark;
  const change = { ...mark, action: ATTENDANCE };
  return changeSeat<MarkResult>(db, change, async (tx, { game, seat, earlier: [saved] }) => {
    if (!takesPlace(game)) return "not-on";
    if (!isLive(seat.paymentStatus)) return "gone";
    const { attendance: current, markVersion, playerId } = seat;
    // A repeated tap was saved before, so it does not undo what somebody has changed since.
    if (saved) return { ok: true, current, version: Number(saved.version ?? markVersion) };
    if (current === to) {
      // Recorded all the same: repeated later, the mark may have changed.
      const same = { ...mark, playerId, from: current, version: markVersion };
      return { ok: true, current, version: markVersion, event: formKey ? markEvent(same) : [] };
    }
    if (!canMark(game, now)) return "too-early";
    if (current !== from || (version ?? markVersion) !== markVersion) {
      return { ok: false, reason: "changed", current, version: markVersion };
    }
    if (!canMarkAs(game, to, now)) return "not-started";
    const [event] = await setAttendance(tx, [mark.bookingId], mark);
    return { ok: true, current: to, version: event!.details.version, event: event! };
  });
}

const ATTENDANCE = "booking.attendance" as const;

type NewMark = Pick<Mark, "gameId" | "from" | "to" | "formKey">;

/** Several in one statement, under the game's lock; their events in the order of their ids. Undone,
 * a no-show keeps its excuse for when the mark comes back. */
export async function setAttendance(tx: Tx, bookingIds: string[], mark: NewMark) {
  const { gameId, from, to, formKey } = mark;
  const rows = await tx
    .updateTable("bookings")
    .set({ attendance: to, ...(to === "CheckedIn" && NOT_EXCUSED) })
    .where(isOneOf("id", bookingIds))
    .returning(["id as bookingId", "user_id as playerId", "mark_version as version"])
    .execute();
  return rows
    .toSorted((a, b) => (a.bookingId < b.bookingId ? -1 : 1))
    .map((seat) => markEvent({ gameId, from, to, formKey, ...seat }));
}

function markEvent(mark: NewMark & { bookingId: string; playerId: string; version: number }) {
  const { gameId, playerId, from, to, version, formKey } = mark;
  const change = { before: { attendance: from }, after: { attendance: to }, version, formKey };
  const details = { gameId, playerId, ...change };
  return { action: ATTENDANCE, subject: mark.bookingId, details };
}

export interface RestToCheckIn {
  gameId: string;
  /** Seats not marked on the organiser's screen: nobody who came since is checked in unseen. */
  bookingIds: string[];
  actorId: string;
  formKey?: string | undefined;
  now: Date;
}

type RestResult =
  | { ok: true; players: number }
  | { ok: false; reason: "not-found" | "not-on" | "too-early" };

/** Checks in those of them who are in and not marked yet. A repeat of the form marks nobody. */
export function checkInRest(db: Db, rest: RestToCheckIn): Promise<RestResult> {
  const { gameId, actorId, now } = rest;
  const change = { gameId, actorId, action: ATTENDANCE };
  return changeGame<RestResult>(db, change, async (tx, game) => {
    if (!takesPlace(game)) return "not-on";
    if (!canMark(game, now)) return "too-early";
    const { players, event } = await checkInUnmarked(tx, rest);
    return { ok: true, players, event };
  });
}

/** Under the lock of a game that takes place and whose players can be marked. */
export async function checkInUnmarked(
  tx: Tx,
  { gameId, formKey, bookingIds: shown }: Omit<RestToCheckIn, "actorId" | "now">,
) {
  const bookingIds = shown.filter(isId).map((id) => id.toLowerCase());
  if (bookingIds.length === 0) return { players: 0, event: [] };
  const entry = { action: ATTENDANCE, subject: bookingIds, formKey };
  const before = await listAuditEntriesOfForm(tx, entry);
  if (before.length > 0) return { players: before.filter(isChange).length, event: [] };
  const seats = await liveBookings(tx, gameId)
    .select(["id as bookingId", "user_id as playerId", "attendance"])
    .select("mark_version as version")
    .where(isOneOf("id", bookingIds))
    .orderBy("id")
    .execute();
  const unmarked = seats.flatMap((seat) => (seat.attendance === null ? seat.bookingId : []));
  const players = unmarked.length;
  const mark = { gameId, formKey, from: null, to: "CheckedIn" } as const;
  if (players > 0) return { players, event: await setAttendance(tx, unmarked, mark) };
  const [first] = seats;
  if (!first || !formKey) return { players, event: [] };
  // Recorded with one of them if it marked nobody.
  const { attendance } = first;
  return { players, event: [markEvent({ ...mark, ...first, from: attendance, to: attendance })] };
}

type Marked = { attendance: Attendance | null };

const isChange = ({ before, after }: Record<string, unknown>) =>
  (before as Marked).attendance !== (after as Marked).attendance;

interface Removal extends SeatKey {
  actorId: string;
  withRefund: boolean;
  formKey?: string | undefined;
  shown?: Facts;
  now: Date;
}

type RemoveResult =
  | { ok: true; creditsBackCents: number; isFreeSessionBack: boolean }
  | { ok: false; reason: "not-found" | "gone" | "not-on" | "refund-changed" };

/** Refunds the full price or nothing, whatever the hour. A repeat refunds nothing. */
export function removePlayer(db: Db, jobs: Jobs, removal: Removal): Promise<RemoveResult> {
  const { gameId, bookingId, withRefund, shown, now } = removal;
  const change = { ...removal, jobs, action: "booking.remove" } as const;
  return changeSeat<RemoveResult>(db, change, async (tx, { game, seat, earlier: [removed] }) => {
    const { playerId, paymentStatus } = seat;
    if (!isLive(paymentStatus)) return removed ? removedBefore(removed) : "gone";
    if (!takesPlace(game)) return "not-on";
    const facts = removalFacts(seat, seat.cashCents);
    if (changedFacts(shown, facts).length > 0) return "refund-changed";
    const back = refundOfRemoval(seat, withRefund);
    const { creditsBackCents: refundCents } = back;
    const notes = "The organiser took you off the list";
    const ended = { bookingId, userId: playerId, reason: "Removed", notes, now } as const;
    await endBooking(tx, { ...ended, ...back });
    const { isFreeSessionBack } = back;
    const notices: QueuedNotice[] = [["removed-from-game", [{ bookingId, isFreeSessionBack }]]];
    const after = { paymentStatus: statusAfterRefund(refundCents), refundCents, isFreeSessionBack };
    const details = { gameId, playerId, before: { paymentStatus }, after };
    return { ok: true, ...back, event: { details }, promote: [gameId], notices };
  });
}

/** What the dialog that removes a player says of credits, a free session and cash. */
export function removalFacts(
  seat: Parameters<typeof refundOfRemoval>[0],
  cashCents: number,
): Facts {
  const { creditsBackCents, isFreeSessionBack } = refundOfRemoval(seat, true);
  return { back: [creditsBackCents, isFreeSessionBack, cashCents].join() };
}

function removedBefore({ after }: Record<string, unknown>) {
  const was = after as { refundCents: number; isFreeSessionBack: boolean };
  const { refundCents: creditsBackCents, isFreeSessionBack } = was;
  return { ok: true, creditsBackCents, isFreeSessionBack } as const;
}
