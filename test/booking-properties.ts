import { expect } from "vitest";
import type { BookingRow, GameRow, EntryRow, PayingRow, Rows } from "./booking-rows.ts";

// What is true of the rows whatever has happened, asserted beside the model, which could share a
// mistake with the code, and without the code's own queries.

const isLive = ({ status }: BookingRow) => status === "Paid" || status === "Unpaid";
const isLate = ({ lateCents }: BookingRow) => lateCents !== null;

function rowsOf(rows: Rows, { id }: GameRow) {
  const ofGame = ({ gameId }: BookingRow | EntryRow) => gameId === id;
  return { bookings: rows.bookings.filter(ofGame), entries: rows.entries.filter(ofGame) };
}

const liveIn = (rows: Rows, game: GameRow) => rowsOf(rows, game).bookings.filter(isLive);

/** Neither taken nor held. */
function freeIn(rows: Rows, game: GameRow): number {
  const held = rowsOf(rows, game).entries.filter(({ status }) => status === "Offered");
  const friends = rows.holds.filter((one) => one.gameId === game.id && one.status === "Held");
  const payers = rows.paying.filter((one) => one.gameId === game.id && holdsSpot(one));
  const holds = held.length + friends.length + payers.length;
  return game.spots - liveIn(rows, game).length - holds;
}

const holdsSpot = ({ status, holdsSpot }: PayingRow) => status === "Held" && holdsSpot;

/** A spot that is held for a payer from this step on passes nobody who waits for it. */
export function expectNonePassed(before: Rows, rows: Rows, now: Date): void {
  const ids = new Set(before.paying.map(({ id }) => id));
  for (const { gameId, playerId } of rows.paying.filter(
    (one) => holdsSpot(one) && !ids.has(one.id),
  )) {
    const game = before.games.find(({ id }) => id === gameId)!;
    const { entries } = rowsOf(before, game);
    const own = entries.find((one) => one.playerId === playerId && one.status === "Waiting");
    const others = entries.filter((one) => one !== own && isServable(before, game, one, now));
    expect(own ? others.filter((other) => !isBehind(other, own)) : others).toEqual([]);
  }
}

/** After a step; `before` are the rows before it. */
export function expectProperties(before: Rows, rows: Rows): void {
  for (const { cents, ledgerCents } of rows.players) {
    expect(ledgerCents).toBe(cents);
    expect(cents).toBeGreaterThanOrEqual(0);
  }
  for (const game of rows.games) {
    expect(freeIn(rows, game)).toBeGreaterThanOrEqual(0);
    if (game.status === "Cancelled") expectAllBack(rows, game);
    else expectLateRefunds(before, rows, game);
  }
}

/** A game that does not take place has nobody in it or on its list, and has kept no credits. */
function expectAllBack(rows: Rows, game: GameRow): void {
  const { bookings, entries } = rowsOf(rows, game);
  expect(bookings.filter(isLive)).toEqual([]);
  expect(entries.filter(({ status }) => status === "Waiting" || status === "Offered")).toEqual([]);
  for (const booking of bookings) {
    const { endReason, cents, lateCents, backCents } = booking;
    if (endReason === "GameCancelled") expect(backCents).toBe(cents);
    // Some were refunded before, when somebody took the spot.
    else if (lateCents !== null) expect([lateCents, cents]).toContain(backCents);
  }
}

/** Only for a spot that somebody took, at most one each, and spots that were never sold fill first. */
function expectLateRefunds(before: Rows, rows: Rows, game: GameRow): void {
  const countOf = ({ bookings }: { bookings: BookingRow[] }) => ({
    all: bookings.length,
    refunded: bookings.filter((one) => isLate(one) && one.backCents > 0).length,
    unsettled: bookings.filter((one) => isLate(one) && one.backCents === 0).length,
  });
  const [was, is] = [countOf(rowsOf(before, game)), countOf(rowsOf(rows, game))];
  const refunded = is.refunded - was.refunded;
  expect(refunded).toBeLessThanOrEqual(is.all - was.all);
  const unsold = game.spots - liveIn(rows, game).length;
  if (refunded > 0) expect(unsold).toBeLessThanOrEqual(is.unsettled);
}

/** After the queue has done all it can. */
export function expectServed(before: Rows, rows: Rows, now: Date): void {
  for (const game of rows.games) {
    if (game.status !== "Published" || game.startsAt <= now.getTime()) continue;
    const waiting = rowsOf(rows, game).entries.filter((one) => isServable(rows, game, one, now));
    // Nobody waits who could be in a spot that is free.
    if (freeIn(rows, game) > 0) expect(waiting).toEqual([]);
    // Nobody came before them who is behind them.
    const passed = waiting.filter((one) => isServable(before, game, placeIn(before, one), now));
    const given = rowsOf(rows, game).entries.filter((one) => {
      const isGiven = one.status === "Promoted" || one.status === "Offered";
      return isGiven && placeIn(before, one).status === "Waiting";
    });
    for (const one of passed) expect(given.filter((other) => isBehind(other, one))).toEqual([]);
  }
}

const placeIn = (rows: Rows, { id }: EntryRow) => rows.entries.find((one) => one.id === id)!;

function isBehind(entry: EntryRow, other: EntryRow): boolean {
  if (entry.missed !== other.missed) return entry.missed > other.missed;
  return entry.since === other.since ? entry.id > other.id : entry.since > other.since;
}

const PRICE_CENTS = 1_000;

const ASLEEP_UNLESS_WITHIN_MS = 16 * 3_600_000;

const HOUR = new Intl.DateTimeFormat("en", {
  timeZone: "Europe/Helsinki",
  hour: "2-digit",
  hourCycle: "h23",
});

/** Nobody is woken, or asked when it is too late to answer. */
function canBeAsked({ startsAt, decidesAt, decision }: GameRow, now: Date): boolean {
  if (decidesAt !== null && !decision && decidesAt <= now.getTime()) return false;
  const hour = Number(HOUR.format(now));
  return (hour >= 8 && hour < 22) || startsAt - now.getTime() <= ASLEEP_UNLESS_WITHIN_MS;
}

/** Without any doubt: an offer of another game may hold its player's credits, or hour. */
function isServable(rows: Rows, game: GameRow, entry: EntryRow, now: Date): boolean {
  const player = rows.players.find(({ id }) => id === entry.playerId);
  const meanwhile = rows.games.filter(
    (one) => one.startsAt < game.endsAt && game.startsAt < one.endsAt,
  );
  const isBusy = meanwhile.some((one) =>
    liveIn(rows, one).some(({ playerId }) => playerId === entry.playerId),
  );
  const isHeldElsewhere = rows.entries.some(
    (one) => one.playerId === entry.playerId && one.gameId !== game.id && one.status === "Offered",
  );
  if (!player || isBusy || isHeldElsewhere || player.isSuspended || player.debtCents > 0)
    return false;
  const price = game.isFree && !player.hasUsedFree ? 0 : PRICE_CENTS;
  const isKnown = entry.knownStart === game.startsAt && entry.knownEnd === game.endsAt;
  const isAgreed = !entry.needsConsent && isKnown;
  return (
    entry.status === "Waiting" &&
    (entry.mode === "auto" || canBeAsked(game, now)) &&
    entry.notAfter > now.getTime() &&
    isAgreed &&
    Math.min(entry.maxCents, player.cents) >= price
  );
}
