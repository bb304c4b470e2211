import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Facts } from "#app/platform/as-shown.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { addSpot } from "#app/features/games/locked-games.server.ts";
import { changeGame, type GameEvent } from "#app/features/games/change-game.server.ts";
import type { LockedGame } from "#app/features/games/games.server.ts";
import { hasStarted, MAX_PLAYERS_LIMIT, priceCents } from "#app/features/games/rules.ts";
import { chargeFact, gameChange, type GameChanged } from "#app/features/games/shown-game.ts";
import type { LockedWallet, Wallet } from "#app/features/wallet/ledger.server.ts";
import {
  afterJoin,
  freeSpots,
  freeSpotsNow,
  lockWalletsOfJoin,
  releaseHeldSpot,
} from "#app/features/seats/after-join.server.ts";
import { findLiveCash, notePayment } from "./cash-payments.server.ts";
import type { Cash } from "#app/features/bookings/cash-texts.ts";
import { findLiveEntry } from "#app/features/waitlist/entries.server.ts";
import { findNextWaiting } from "#app/features/waitlist/order.server.ts";
import { setAttendance } from "./roster.server.ts";
import { GIVEN_COLUMNS, isLive } from "#app/features/seats/rules.ts";
import { takeSeat } from "#app/features/seats/take-seat.server.ts";
import { freeSessionIsUsed } from "#app/features/seats/free-session.server.ts";
import { lapseHolds } from "#app/features/seats/hold-ends.server.ts";
import { liveBookings } from "#app/features/seats/seats.server.ts";
import { canMark, takesPlace } from "./rules.ts";

/** How the seat is paid for: the price in credits as by a join, by hand, or not yet. */
export type SeatPayment = { by: "credits" } | ({ by: "cash" } & Cash) | { by: "nothing" };

interface Addition {
  gameId: string;
  playerId: string;
  actorId: string;
  payment?: SeatPayment;
  /** Has come already: checked in, if players can be marked by now. */
  isHere?: boolean;
  formKey?: string | undefined;
  /** Player next on the waitlist, as the organiser saw it: their spot may be given away. */
  nextId?: string | undefined;
  /** How many a full game that has begun has room for with this player, as the organiser agreed. */
  raisedTo?: number | undefined;
  shown?: Facts;
  now: Date;
}

interface Named {
  playerId: string;
  name: string;
}

export interface Charge {
  chargedCents: number;
  usesFreeSession: boolean;
  cash: Cash | null;
}

type PlayerError = "no-player" | "suspended" | "already-in";

interface NotCharged {
  ok: false;
  reason: "not-enough-credits";
  player: Named;
  priceCents: number;
  wallet: Wallet;
}

type AddResult =
  | ({ ok: true; bookingId: string } & Charge)
  | { ok: false; reason: PlayerError | "not-found" | "not-on" | "added-before" | "full" }
  | NotCharged
  | GameChanged
  | { ok: false; reason: "unconfirmed"; player: Named; next: Named }
  | { ok: false; reason: "over-max"; player: Named; raisedTo: number };

/** After kick-off too, then over the maximum as well. "unconfirmed": the free spot belongs to
 * somebody on the waitlist; "over-max": anybody who adds has to agree to one spot more. */
export function addPlayer(db: Db, jobs: Jobs, addition: Addition): Promise<AddResult> {
  const { gameId, playerId, actorId, shown, now } = addition;
  const change = { gameId, jobs, actorId, action: "booking.add" } as const;
  return changeGame<AddResult>(db, change, async (tx, game) => {
    if (!isId(playerId)) return "no-player";
    const { bookingId, isAdded } = await chooseId(tx, addition);
    if (isAdded) return { ok: true, bookingId, ...(await findCharge(tx, bookingId)) };
    if (!takesPlace(game)) return "not-on";
    const changed = gameChange(shown, game, now, chargeFact(game));
    if (changed) return changed;
    const { wallet, due } = await lockWalletsOfJoin(tx, game, addition);
    if (!wallet || wallet.isGone) return "no-player";
    const reason = await playerError(tx, addition);
    if (reason) return reason;
    const wait = await findLiveEntry(tx, { gameId, playerId });
    const spots = await freeSpotsNow(tx, game, now);
    const isFull = spots === 0 && !wait?.isOffered;
    if (isFull && !canAddSpot(game, now)) return "full";
    if (isAdded === false) return "added-before";
    const raisedTo = game.maxPlayers + 1;
    if (isFull && addition.raisedTo !== raisedTo) {
      return { ok: false, reason: "over-max", player: await nameOf(tx, playerId), raisedTo };
    }
    const nextId =
      isFull || wait?.isOffered ? null : await findNextWaiting(tx, game, playerId, now);
    if (nextId && nextId !== addition.nextId) {
      const [player, next] = [await nameOf(tx, playerId), await nameOf(tx, nextId)];
      return { ok: false, reason: "unconfirmed", player, next };
    }
    const price = await findPrice(tx, game, addition);
    const failed = await chargeError(tx, wallet, price);
    if (failed) return failed;
    const lapsed = game.heldCount > 0 ? await lapseHolds(tx, { gameId, now }) : 0;
    // Money has come for one that was over when it was counted.
    if (!isFull && !wait?.isOffered && freeSpots(game) + lapsed === 0) return "full";
    if (wait) await releaseHeldSpot(tx, wait);
    const event: GameEvent[] = isFull ? [await addSpot(tx, game)] : [];
    event.push(...(await takeOwnSeat(tx, jobs, { ...addition, bookingId }, { price, wallet })));
    if (addition.isHere && canMark(game, now)) {
      const mark = { gameId, from: null, to: "CheckedIn" } as const;
      event.push(...(await setAttendance(tx, [bookingId], mark)));
    }
    const notices = await afterJoin(tx, { bookingId, wait, due, now });
    const charge = await findCharge(tx, bookingId);
    return { ok: true, bookingId, ...charge, event, promote: lapsed > 0 ? [gameId] : [], notices };
  });
}

/** The walk-in takes the place of a no-show, or is one more. */
const canAddSpot = (game: LockedGame, now: Date) =>
  hasStarted(game, now) && game.maxPlayers < MAX_PLAYERS_LIMIT;

/** After the wallet's lock, so that a free session is used only once. */
async function findPrice(
  tx: Tx,
  game: LockedGame,
  { playerId, payment }: Addition,
): Promise<number | null> {
  if (payment?.by !== "credits") return null;
  const { rows } = await sql<{ hasUsedFreeSession: boolean }>`
    select ${freeSessionIsUsed(playerId)} as "hasUsedFreeSession"`.execute(tx);
  return priceCents(game, rows[0]!);
}

/** A debt blocks free games as well, like a join. */
async function chargeError(
  tx: Tx,
  wallet: LockedWallet,
  price: number | null,
): Promise<NotCharged | null> {
  if (price === null) return null;
  if (wallet.debtCents === 0 && wallet.balanceCents >= price) return null;
  const player = await nameOf(tx, wallet.userId);
  return { ok: false, reason: "not-enough-credits", player, priceCents: price, wallet };
}

async function takeOwnSeat(
  tx: Tx,
  jobs: Jobs,
  addition: Addition & { bookingId: string },
  { price, wallet }: { price: number | null; wallet: LockedWallet },
): Promise<GameEvent[]> {
  const { gameId, playerId, actorId, bookingId, payment, now } = addition;
  const mail = "added-to-game";
  if (price === null) {
    const seat = { user_id: playerId, game_id: gameId, payment_status: "Unpaid" as const };
    const booking = { id: bookingId, ...seat, ...GIVEN_COLUMNS, created_at: now };
    await tx.insertInto("bookings").values(booking).execute();
    await jobs.enqueueEmails(tx, mail, [{ bookingId }]);
  } else {
    const seat = { gameId, formKey: bookingId, now };
    const taken = await takeSeat(tx, jobs, seat, { price, wallet, mail });
    if (!taken.ok) throw new Error(`the seat was not taken: ${taken.reason}`);
  }
  const after =
    price === null ? { paymentStatus: "Unpaid" } : { paymentStatus: "Paid", priceCents: price };
  const added = { subject: bookingId, details: { gameId, playerId, before: null, after } };
  if (payment?.by !== "cash") return [added];
  const { amountCents, method } = payment;
  const cash = { gameId, bookingId, playerId, amountCents, method, priceCents: 0 };
  return [added, await notePayment(tx, { ...cash, cashPaymentId: bookingId, actorId, now })];
}

/** Reads what is so now, for a repeated form too: a payment may have been taken back since. */
async function findCharge(tx: Tx, bookingId: string): Promise<Charge> {
  const seat = await tx
    .selectFrom("bookings")
    .select([inCents("price_eur").as("chargedCents"), "uses_free_session as usesFreeSession"])
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  return { ...seat, cash: await findLiveCash(tx, bookingId) };
}

/** `isAdded`: this form has added this player before; false where they have left since. */
async function chooseId(tx: Tx, { gameId, playerId, formKey = randomUUID() }: Addition) {
  const used = await tx
    .selectFrom("bookings")
    .select(["user_id", "game_id", "payment_status"])
    .where("id", "=", formKey)
    .executeTakeFirst();
  if (!used) return { bookingId: formKey };
  if (used.user_id !== playerId || used.game_id !== gameId) return { bookingId: randomUUID() };
  return { bookingId: formKey, isAdded: isLive(used.payment_status) };
}

async function nameOf(tx: Tx, playerId: string): Promise<Named> {
  const profile = tx.selectFrom("profiles").select(["first_name", "last_name"]);
  const row = await profile.where("user_id", "=", playerId).executeTakeFirstOrThrow();
  return { playerId, name: `${row.first_name} ${row.last_name}` };
}

async function playerError(tx: Tx, { gameId, playerId }: Addition): Promise<PlayerError | null> {
  const account = tx.selectFrom("users").select("suspended_at").where("id", "=", playerId);
  if ((await account.executeTakeFirstOrThrow()).suspended_at) return "suspended";
  const seat = liveBookings(tx, gameId).select("id").where("user_id", "=", playerId);
  return (await seat.executeTakeFirst()) ? "already-in" : null;
}
