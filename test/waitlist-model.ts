import { liveIn, type Model, type ModelBooking, type ModelPlace, receive } from "./model-state.ts";

// The rules of the waitlist once more, in memory, for booking-model.ts.

const isLive = ({ status }: ModelPlace) => status === "Waiting" || status === "Offered";

export const placeOf = (model: Model, player: number, game: number) =>
  model.places.find((one) => one.player === player && one.game === game && isLive(one));

export function offerOf(model: Model, player: number, game: number): ModelPlace | undefined {
  const place = placeOf(model, player, game);
  return place?.status === "Offered" && place.offerUntil > model.hour ? place : undefined;
}

export const heldIn = (model: Model, game: number) =>
  model.places.filter((one) => one.game === game && one.status === "Offered").length;

export const freeIn = (model: Model, game: number) =>
  model.games[game]!.spots - liveIn(model, game).length - heldIn(model, game);

export function priceOf(model: Model, player: number, game: number): number {
  return model.games[game]!.isFree && !model.players[player]!.hasUsedFree ? 0 : 1_000;
}

/** By time, then id; who has missed an offer is behind those who have missed fewer. */
export function firstEligible(model: Model, game: number): ModelPlace | undefined {
  return model.places
    .filter((one) => one.game === game && one.status === "Waiting" && one.notAfter > model.hour)
    .toSorted((a, b) => a.missed - b.missed || a.since - b.since || (a.id < b.id ? -1 : 1))
    .find((place) => isEligible(model, place));
}

function isEligible(model: Model, { player, game, mode, needsConsent, maxCents }: ModelPlace) {
  const price = priceOf(model, player, game);
  const wallet = model.players[player]!;
  if (needsConsent || price > maxCents || isBusy(model, player, game)) return false;
  if (wallet.debtCents > 0 || wallet.cents < price) return false;
  return mode === "auto" || mayOffer(model, game);
}

/** Games last an hour and a half. */
function isBusy(model: Model, player: number, game: number): boolean {
  const { startsIn } = model.games[game]!;
  return model.bookings.some((one) => {
    const other = model.games[one.game]!;
    const isElsewhere = one.player === player && one.status === "Paid" && one.game !== game;
    return isElsewhere && other.isOpen && Math.abs(other.startsIn - startsIn) < 1.5;
  });
}

/** The start is at noon, and the clocks do not change within days. */
function mayOffer(model: Model, game: number): boolean {
  const hour = (12 + model.hour) % 24;
  return model.games[game]!.startsIn - model.hour <= 16 || (hour >= 8 && hour < 22);
}

export function belongsToOthers(model: Model, player: number, game: number): boolean {
  const first = firstEligible(model, game);
  return first !== undefined && first.player !== player;
}

type Wish = Pick<ModelPlace, "id" | "player" | "game" | "mode" | "untilHours">;

/** "waits", which the model then remembers, or the reason against it. */
export function expectedWait(model: Model, wish: Wish): string {
  const { player, game, untilHours } = wish;
  const { startsIn, isOpen } = model.games[game]!;
  const place = placeOf(model, player, game);
  if (!isOpen) return "not-published";
  if (liveIn(model, game).some((one) => one.player === player)) return "already-joined";
  if (model.hour >= startsIn) return "started";
  if (startsIn - untilHours <= model.hour) return "too-late";
  if (place && !place.needsConsent) return "already-waiting";
  const isFull = freeIn(model, game) <= 0 || belongsToOthers(model, player, game);
  if (!place && !isFull) return "not-full";
  const agreed = {
    ...{ mode: wish.mode, untilHours, maxCents: priceOf(model, player, game) },
    ...{ notAfter: startsIn - untilHours, knownStart: startsIn, needsConsent: false },
  };
  if (place) Object.assign(place, agreed);
  else {
    const start = { status: "Waiting" as const, missed: 0, since: model.hour, offerUntil: 0 };
    model.places.push({ ...wish, ...agreed, ...start });
  }
  return "waits";
}

export function expectedLeave(model: Model, player: number, game: number): string {
  const place = placeOf(model, player, game);
  if (!place) return "not-waiting";
  place.status = "Left";
  return "left";
}

/** A game that does not take place, or has begun, has no list. */
export function endList(model: Model, game: number): void {
  for (const place of model.places)
    if (place.game === game && isLive(place)) place.status = "Lapsed";
}

/** Gives every free spot to the first who is eligible; who was booked, or asked, in order. */
export function promote(model: Model, game: number): ModelPlace[] {
  const { startsIn, isOpen } = model.games[game]!;
  if (!isOpen || model.hour >= startsIn) endList(model, game);
  for (const place of model.places) if (place.game === game) passTime(model, place);
  const given: ModelPlace[] = [];
  while (freeIn(model, game) > 0) {
    const first = firstEligible(model, game);
    if (!first) break;
    given.push(first);
    if (first.mode === "ask") offer(model, first);
    else book(model, first);
  }
  return given;
}

function passTime(model: Model, place: ModelPlace): void {
  const { startsIn } = model.games[place.game]!;
  if (!isLive(place)) return;
  if (place.knownStart !== startsIn) {
    const notAfter = startsIn - place.untilHours;
    Object.assign(place, { status: "Waiting", needsConsent: true, notAfter, knownStart: startsIn });
  }
  if (place.status === "Offered" && place.offerUntil <= model.hour) {
    Object.assign(place, { status: "Waiting", missed: place.missed + 1 });
  }
  if (place.status === "Waiting" && place.notAfter <= model.hour) place.status = "Lapsed";
}

function offer(model: Model, place: ModelPlace): void {
  const ahead = model.games[place.game]!.startsIn - model.hour;
  const hours = ahead > 16 ? 2 : ahead >= 1 ? 0.5 : 1 / 6;
  const offerUntil = Math.min(model.hour + hours, place.notAfter);
  Object.assign(place, { status: "Offered", offerUntil });
}

function book(model: Model, place: ModelPlace): void {
  const { player, game } = place;
  const { startsIn } = model.games[game]!;
  const freeUntil =
    startsIn - model.hour < 24 ? Math.min(model.hour + 0.5, startsIn - 1) : -Infinity;
  take(model, { player, game, freeUntil, placeId: place.id });
}

/** Books a spot that the player may have, and settles one that was given back late. */
export function take(
  model: Model,
  seat: Pick<ModelBooking, "player" | "game"> & Partial<ModelBooking>,
): ModelBooking {
  const { player, game } = seat;
  const cents = priceOf(model, player, game);
  const wallet = model.players[player]!;
  const place = placeOf(model, player, game);
  const start = { id: "", freeUntil: -Infinity, lateCents: 0, cancelledAt: 0 };
  const booking = { ...start, cents, isFree: cents === 0, status: "Paid" as const, ...seat };
  wallet.cents -= cents;
  wallet.hasUsedFree ||= cents === 0;
  if (place) place.status = "Promoted";
  model.bookings.push(booking);
  settleOldest(model, game);
  return booking;
}

/** Spots that were never sold fill first. */
function settleOldest(model: Model, game: number): void {
  const { spots, startsIn } = model.games[game]!;
  const late = unsettledIn(model, game);
  const free = spots - liveIn(model, game).length;
  if (late.length <= free || model.hour >= startsIn) return;
  late.sort((a, b) => a.cancelledAt - b.cancelledAt || (a.id < b.id ? -1 : 1));
  const [oldest] = late;
  oldest!.status = "Refunded";
  receive(model, oldest!.player, oldest!.lateCents);
}

export const unsettledIn = (model: Model, game: number) =>
  model.bookings.filter(
    (one) => one.game === game && one.status === "Cancelled" && one.lateCents > 0,
  );
