import { sql } from "kysely";
import { listAuditEntriesOfForm, recordAudit, recordAudits } from "#app/platform/audit.server.ts";
import { changedFacts, type Facts } from "#app/platform/as-shown.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { Attendance } from "#app/platform/schema.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { tellWatchers } from "#app/features/games/live-games.server.ts";
import { cameWith } from "#app/features/friends/friends.server.ts";
import { NOT_EXCUSED, noShowsOf } from "./no-shows.server.ts";
import { isLive, refundOfRemoval, statusAfterRefund } from "#app/features/seats/rules.ts";
import { endBooking } from "#app/features/seats/end-booking.server.ts";
import { liveBookings, queuePromotion } from "#app/features/seats/seats.server.ts";
import { canMark, takesPlace } from "./rules.ts";

export type RosterPlayer = Awaited<ReturnType<typeof listRoster>>[number];

/** Who is in a game, by name. For admins alone: it has phone numbers. One query. */
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

// As a query of its own: joined, the planner would read all accounts.
const isSuspended = sql<boolean>`(
  select suspended_at is not null from users where users.id = bookings.user_id)`;

/** Whose booking it is, for what an organiser reads. */
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

/** A booking of a game only changes under the game's lock; null where there is none. */
export async function lockSeat(tx: Tx, { gameId, bookingId }: SeatKey) {
  if (!isId(gameId) || !isId(bookingId)) return null;
  const game = await lockGame(tx, gameId);
  if (!game) return null;
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
  return seat ? { game, seat } : null;
}

interface Mark extends SeatKey {
  actorId: string;
  from: Attendance | null;
  to: Attendance | null;
  /** Of the mark that was tapped on; without it `from` alone decides. */
  version?: number | undefined;
  formKey?: string | undefined;
  now: Date;
}

/** "changed" if somebody has marked it meanwhile; an equal mark stays, with its excuse. The
 * returned version is that of the mark after this tap, for later taps. */
export async function markAttendance(
  db: Db,
  mark: Mark,
): Promise<
  | { ok: true; current: Attendance | null; version: number }
  | { ok: false; reason: "not-found" | "gone" | "not-on" | "too-early" }
  | { ok: false; reason: "changed"; current: Attendance | null; version: number }
> {
  const { bookingId, formKey, from, to, version, now } = mark;
  return db.transaction().execute(async (tx) => {
    const found = await lockSeat(tx, mark);
    if (!found) return { ok: false, reason: "not-found" };
    const { game, seat } = found;
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    if (!isLive(seat.paymentStatus)) return { ok: false, reason: "gone" };
    const { attendance: current, markVersion, playerId } = seat;
    const entry = { action: "booking.attendance" as const, subject: bookingId, formKey };
    // A repeated tap was saved before, so it does not undo what somebody has changed since.
    const [saved] = await listAuditEntriesOfForm(tx, entry);
    if (saved) return { ok: true, current, version: Number(saved.version ?? markVersion) };
    if (current === to) {
      // Recorded all the same: repeated later, the mark may have changed.
      if (formKey)
        await recordMarks(tx, [{ ...mark, playerId, from: current, version: markVersion }]);
      return { ok: true, current, version: markVersion };
    }
    if (!canMark(game, now)) return { ok: false, reason: "too-early" };
    if (current !== from || (version ?? markVersion) !== markVersion) {
      return { ok: false, reason: "changed", current, version: markVersion };
    }
    const newVersion = await setAttendance(tx, { ...mark, playerId });
    await tellWatchers(tx, mark.gameId);
    return { ok: true, current: to, version: newVersion };
  });
}

type MarkOf = Omit<Mark, "now"> & { playerId: string };

/** Under the game's lock; returns the new mark's version. The caller tells the watchers. Undone, a
 * no-show keeps its excuse for when the mark comes back. */
export async function setAttendance(tx: Tx, mark: MarkOf): Promise<number> {
  const [version] = await setEachAttendance(tx, [mark], mark);
  return version!;
}

type SeatToMark = { bookingId: string; playerId: string };

/** Several in one statement, in the order of their ids; their versions. */
async function setEachAttendance(
  tx: Tx,
  seats: SeatToMark[],
  mark: Omit<MarkOf, keyof SeatToMark>,
): Promise<number[]> {
  const ids = seats.map(({ bookingId }) => bookingId);
  const rows = await tx
    .updateTable("bookings")
    .set({ attendance: mark.to, ...(mark.to === "CheckedIn" && NOT_EXCUSED) })
    .where("id", "in", ids)
    .returning(["id as bookingId", "user_id as playerId", "mark_version as version"])
    .execute();
  const marked = rows.toSorted((a, b) => (a.bookingId < b.bookingId ? -1 : 1));
  await recordMarks(
    tx,
    marked.map((seat) => ({ ...mark, ...seat })),
  );
  return marked.map(({ version }) => version);
}

async function recordMarks(tx: Tx, marks: (MarkOf & { version: number })[]): Promise<void> {
  const entries = marks.map(({ gameId, bookingId: subject, playerId, actorId: actor, ...mark }) => {
    const { from, to, version, formKey } = mark;
    const change = { before: { attendance: from }, after: { attendance: to }, version, formKey };
    const details = { gameId, playerId, ...change };
    return { actor, action: "booking.attendance" as const, subject, details };
  });
  await recordAudits(tx, entries);
}

export interface RestToCheckIn {
  gameId: string;
  /** Those not marked on the organiser's screen: nobody who came since is checked in unseen. */
  bookingIds: string[];
  actorId: string;
  formKey?: string | undefined;
  now: Date;
}

/** Of these, checks in those who are in and not marked yet. A repeat of the form marks nobody. */
export async function checkInRest(
  db: Db,
  rest: RestToCheckIn,
): Promise<
  { ok: true; players: number } | { ok: false; reason: "not-found" | "not-on" | "too-early" }
> {
  const { gameId, now } = rest;
  if (!isId(gameId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const game = await lockGame(tx, gameId);
    if (!game) return { ok: false, reason: "not-found" };
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    if (!canMark(game, now)) return { ok: false, reason: "too-early" };
    return { ok: true, players: await checkInUnmarked(tx, rest) };
  });
}

/** Under the lock of a game that takes place and whose players can be marked. */
export async function checkInUnmarked(
  tx: Tx,
  { gameId, actorId, formKey, bookingIds: shown }: Omit<RestToCheckIn, "now">,
): Promise<number> {
  const bookingIds = shown.filter(isId).map((id) => id.toLowerCase());
  if (bookingIds.length === 0) return 0;
  const entry = { action: "booking.attendance" as const, subject: bookingIds, formKey };
  const before = await listAuditEntriesOfForm(tx, entry);
  if (before.length > 0) return before.filter(isChange).length;
  const seats = await liveBookings(tx, gameId)
    .select(["id as bookingId", "user_id as playerId", "attendance"])
    .select("mark_version as version")
    .where("id", "in", bookingIds)
    .orderBy("id")
    .execute();
  const unmarked = seats.filter(({ attendance }) => attendance === null);
  const mark = { gameId, actorId, formKey, from: null, to: "CheckedIn" } as const;
  if (unmarked.length > 0) await setEachAttendance(tx, unmarked, mark);
  if (unmarked.length > 0) await tellWatchers(tx, gameId);
  const [first] = seats;
  // Recorded with one of them if it marked nobody.
  if (unmarked.length === 0 && first && formKey) {
    const { attendance } = first;
    await recordMarks(tx, [{ ...mark, ...first, from: attendance, to: attendance }]);
  }
  return unmarked.length;
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

/** With the full price back or with nothing, whatever the hour. A repeat refunds nothing. */
export async function removePlayer(db: Db, jobs: Jobs, removal: Removal): Promise<RemoveResult> {
  const { bookingId, actorId, withRefund, formKey, shown, now } = removal;
  return db.transaction().execute(async (tx) => {
    const found = await lockSeat(tx, removal);
    if (!found) return { ok: false, reason: "not-found" };
    const { game, seat } = found;
    const { playerId, paymentStatus } = seat;
    if (!isLive(paymentStatus)) {
      return (await findRemoved(tx, removal)) ?? { ok: false, reason: "gone" };
    }
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    const facts = removalFacts(seat, seat.cashCents);
    if (changedFacts(shown, facts).length > 0) return { ok: false, reason: "refund-changed" };
    const back = refundOfRemoval(seat, withRefund);
    const { creditsBackCents: refundCents, isFreeSessionBack } = back;
    const notes = "The organiser took you off the list";
    const ended = { bookingId, userId: playerId, reason: "Removed", notes, now } as const;
    await endBooking(tx, { ...ended, ...back });
    const after = { paymentStatus: statusAfterRefund(refundCents), refundCents, isFreeSessionBack };
    const details = { gameId: game.id, playerId, before: { paymentStatus }, after, formKey };
    const action = "booking.remove";
    await recordAudit(tx, { actor: actorId, action, subject: bookingId, details });
    await jobs.enqueue(tx, "mail.removed-from-game", { bookingId, isFreeSessionBack });
    await queuePromotion(tx, jobs, game.id);
    return { ok: true, ...back };
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

async function findRemoved(tx: Tx, { bookingId, formKey }: Removal): Promise<RemoveResult | null> {
  const entry = { action: "booking.remove" as const, subject: bookingId, formKey };
  const [details] = await listAuditEntriesOfForm(tx, entry);
  const after = details?.after as { refundCents: number; isFreeSessionBack: boolean } | undefined;
  if (!after) return null;
  const { refundCents: creditsBackCents, isFreeSessionBack } = after;
  return { ok: true, creditsBackCents, isFreeSessionBack };
}
