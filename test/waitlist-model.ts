import { heldByHolds, holdsOver, lapseHolds } from "./hold-model.ts";
import {
  isLive,
  isMeanwhile,
  isOn,
  liveIn,
  type Model,
  type ModelBooking,
  type ModelEntry,
  pendingDecision,
  receive,
} from "./model-state.ts";

// The rules of the waitlist once more, in memory, for booking-model.ts.

export const entryOf = (model: Model, player: number, game: number) =>
  model.entries.find((one) => one.player === player && one.game === game && isOn(one));

export function offerOf(model: Model, player: number, game: number): ModelEntry | undefined {
  const entry = entryOf(model, player, game);
  return entry?.status === "Offered" && entry.offerUntil > model.hour ? entry : undefined;
}

export const heldIn = (model: Model, game: number) =>
  model.entries.filter((one) => one.game === game && one.status === "Offered").length +
  heldByHolds(model, game);

export const freeIn = (model: Model, game: number) =>
  model.games[game]!.spots - liveIn(model, game).length - heldIn(model, game);

export function priceOf(model: Model, player: number, game: number): number {
  return model.games[game]!.isFree && !model.players[player]!.hasUsedFree ? 0 : 1_000;
}

/** By time, then id; who has missed an offer is behind those who have missed fewer. */
export function firstEligible(model: Model, game: number): ModelEntry | undefined {
  return model.entries
    .filter((one) => one.game === game && one.status === "Waiting" && one.notAfter > model.hour)
    .toSorted((a, b) => a.missed - b.missed || a.since - b.since || (a.id < b.id ? -1 : 1))
    .find((entry) => isEligible(model, entry));
}

function isEligible(model: Model, { player, game, mode, needsConsent, maxCents }: ModelEntry) {
  const price = priceOf(model, player, game);
  const wallet = model.players[player]!;
  if (needsConsent || price > maxCents || isBusy(model, player, game)) return false;
  if (wallet.isSuspended || wallet.debtCents > 0 || wallet.cents < price) return false;
  if (isHeldBack(model, player, game)) return false;
  return mode === "auto" || (mayOffer(model, game) && !isDecisionDue(model, game));
}

/** By spots of other games that are held: at that hour, or for all the credits there are. */
function isHeldBack(model: Model, player: number, game: number): boolean {
  const offers = model.entries.filter(
    (one) => one.player === player && one.game !== game && model.games[one.game]!.isOpen,
  );
  const held = offers
    .filter((one) => one.status === "Offered" && one.offerUntil > model.hour)
    .map((one) => model.games[one.game]!);
  if (held.length === 0) return false;
  const own = model.games[game]!;
  const wallet = model.players[player]!;
  const isFree = !wallet.hasUsedFree && [own, ...held].some((one) => one.isFree);
  if (held.some((one) => isMeanwhile(one, own))) return true;
  return wallet.cents < 1_000 * (held.length + (isFree ? 0 : 1));
}

function isDecisionDue(model: Model, game: number): boolean {
  const at = pendingDecision(model, game);
  return at !== null && at <= model.hour;
}

export function isBusy(model: Model, player: number, game: number): boolean {
  return model.bookings.some((one) => {
    const other = model.games[one.game]!;
    const isElsewhere = one.player === player && isLive(one) && one.game !== game;
    return isElsewhere && other.isOpen && isMeanwhile(other, model.games[game]!);
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

type Wish = Pick<ModelEntry, "id" | "player" | "game" | "mode" | "untilHours"> & {
  isFormUsed?: boolean;
};

/** "waits", which the model then remembers, or the reason against it. */
export function expectedWait(model: Model, wish: Wish): string {
  const { id, player, game } = wish;
  const entry = entryOf(model, player, game);
  const error = waitError(model, wish);
  if (error) return error;
  if (entry && !entry.needsConsent && !costsMore(model, entry)) return "already-waiting";
  const free = freeIn(model, game) + holdsOver(model, game);
  const isFull = free <= 0 || belongsToOthers(model, player, game);
  if (!entry && !isFull) return "not-full";
  const earlier = model.entries.filter((one) => one.player === player && one.game === game);
  if (!entry && earlier.length >= 10) return "too-often";
  const agreed = agreedTo(model, wish);
  if (entry) Object.assign(entry, agreed);
  else {
    const start = { status: "Waiting" as const, since: model.hour, offeredAt: 0, offerUntil: 0 };
    const missed = Math.max(0, ...earlier.map((one) => one.missed));
    model.entries.push({ id, player, game, ...agreed, ...start, missed });
  }
  return "waits";
}

function waitError(model: Model, { player, game, untilHours, isFormUsed = false }: Wish) {
  const { startsIn, isOpen } = model.games[game]!;
  if (model.players[player]!.isSuspended) return "suspended";
  if (!isOpen) return "not-published";
  if (liveIn(model, game).some((one) => one.player === player)) return "already-joined";
  if (model.hour >= startsIn) return "started";
  if (isFormUsed) return "form-used";
  return startsIn - untilHours <= model.hour ? "too-late" : null;
}

function agreedTo(model: Model, { id: agreedId, player, game, mode, untilHours }: Wish) {
  const { startsIn: knownStart, endsIn: knownEnd } = model.games[game]!;
  const notAfter = knownStart - untilHours;
  const terms = { mode, untilHours, maxCents: priceOf(model, player, game), notAfter };
  return { agreedId, ...terms, knownStart, knownEnd, needsConsent: false, unanswered: 0 };
}

/** Other terms for a place that has its turn. */
export function expectedChange(model: Model, wish: Wish): string {
  const entry = entryOf(model, wish.player, wish.game);
  if (!entry) return "not-waiting";
  if (entry.status === "Offered") return "offered";
  const error = waitError(model, wish);
  if (error) return error;
  Object.assign(entry, agreedTo(model, wish));
  return "changed";
}

export function expectedLeave(model: Model, player: number, game: number): string {
  const entry = entryOf(model, player, game);
  if (!entry) return "not-waiting";
  if (entry.status === "Offered") entry.missed = oneMore(entry);
  entry.status = "Left";
  return "left";
}

/** A game that does not take place, or has begun, has no list. */
export function endList(model: Model, game: number): void {
  for (const entry of model.entries)
    if (entry.game === game && isOn(entry)) entry.status = "Lapsed";
}

/** Gives every free spot to the first who is eligible; who was booked, or asked, in order. */
export function promote(model: Model, game: number): ModelEntry[] {
  const { startsIn, isOpen } = model.games[game]!;
  if (!isOpen || model.hour >= startsIn) endList(model, game);
  for (const entry of model.entries) if (entry.game === game) passTime(model, entry);
  const given: ModelEntry[] = [];
  for (;;) {
    // Again: who was promoted needs no spot any more to pay for.
    lapseHolds(model, game);
    if (freeIn(model, game) <= 0) break;
    const first = firstEligible(model, game);
    if (!first) break;
    given.push(first);
    if (first.mode === "ask") offer(model, first);
    else book(model, first);
  }
  return given;
}

/** Before all others, by an organiser; a free spot is theirs at once. */
export function putFirst(model: Model, entry: ModelEntry) {
  const list = model.entries.filter((one) => one.game === entry.game && isOn(one));
  const isWaiting = entry.status === "Waiting" && entry.notAfter > model.hour;
  if (!isWaiting) return { result: "not-waiting", given: [] };
  entry.missed = Math.min(0, ...list.map(({ missed }) => missed)) - 1;
  const given = promote(model, entry.game);
  if (entry.status === "Left" || entry.status === "Lapsed") return { result: "not-waiting", given };
  return { result: entry.status === "Waiting" ? "waits" : "served", given };
}

const oneMore = ({ missed }: ModelEntry) => Math.max(missed, 0) + 1;

const costsMore = (model: Model, { player, game, status, maxCents }: ModelEntry) =>
  status === "Waiting" && maxCents < priceOf(model, player, game);

function passTime(model: Model, entry: ModelEntry): void {
  const { startsIn, endsIn } = model.games[entry.game]!;
  if (!isOn(entry)) return;
  if (entry.knownStart !== startsIn || entry.knownEnd !== endsIn) {
    const notAfter = startsIn - entry.untilHours;
    const known = { knownStart: startsIn, knownEnd: endsIn };
    Object.assign(entry, {
      status: "Waiting",
      needsConsent: true,
      unanswered: 0,
      notAfter,
      ...known,
    });
  }
  endOffer(model, entry);
  if (entry.status === "Waiting" && entry.notAfter <= model.hour) entry.status = "Lapsed";
  if (!entry.needsConsent && costsMore(model, entry)) {
    Object.assign(entry, { needsConsent: true, unanswered: 0 });
  }
}

function endOffer(model: Model, entry: ModelEntry): void {
  if (entry.status !== "Offered") return;
  const isSuspended = model.players[entry.player]!.isSuspended;
  const isDecided = isDecisionDue(model, entry.game);
  if (!isSuspended && !isDecided && entry.offerUntil > model.hour) return;
  entry.status = "Waiting";
  const hours = Math.min(entry.offerUntil, model.hour) - entry.offeredAt;
  // Ten minutes, give or take what is lost in fractions of an hour.
  if (isSuspended || (isDecided && hours < 1 / 6 - 1e-6)) return;
  const unanswered = entry.unanswered + 1;
  Object.assign(entry, { missed: oneMore(entry), unanswered, needsConsent: unanswered >= 2 });
}

function offer(model: Model, entry: ModelEntry): void {
  const ahead = model.games[entry.game]!.startsIn - model.hour;
  const hours = ahead > 16 ? 2 : ahead >= 1 ? 0.5 : 1 / 6;
  const decidesAt = pendingDecision(model, entry.game) ?? Infinity;
  const offerUntil = Math.min(model.hour + hours, entry.notAfter, decidesAt);
  Object.assign(entry, { status: "Offered", offeredAt: model.hour, offerUntil });
}

function book(model: Model, entry: ModelEntry): void {
  const { player, game } = entry;
  const { startsIn } = model.games[game]!;
  const hoursLeft = startsIn - model.hour;
  // None in the last hour, and at its very start.
  const hasGrace = hoursLeft < 24 && hoursLeft > 1;
  const freeUntil = hasGrace ? Math.min(model.hour + 0.5, startsIn - 1) : -Infinity;
  take(model, { player, game, freeUntil, entryId: entry.id });
}

/** Books a spot that the player may have, and settles one that was given back late. */
export function take(
  model: Model,
  seat: Pick<ModelBooking, "player" | "game"> & Partial<ModelBooking>,
): ModelBooking {
  const { player, game } = seat;
  const { cents = priceOf(model, player, game) } = seat;
  const wallet = model.players[player]!;
  const entry = entryOf(model, player, game);
  const start = { id: "", freeUntil: -Infinity, lateCents: 0, cancelledAt: 0, backCents: 0 };
  const createdAt = model.hour;
  const sold = { ...start, createdAt, cents, isFree: cents === 0, status: "Paid" as const };
  const booking = { ...sold, ...seat };
  wallet.cents -= cents;
  wallet.hasUsedFree ||= booking.isFree;
  if (entry) entry.status = "Promoted";
  model.bookings.push(booking);
  refundOldest(model, game);
  return booking;
}

/** Spots that were never sold fill first. */
function refundOldest(model: Model, game: number): void {
  const { spots, startsIn } = model.games[game]!;
  const late = unsettledIn(model, game);
  const free = spots - liveIn(model, game).length;
  if (late.length <= free || model.hour >= startsIn) return;
  late.sort((a, b) => a.cancelledAt - b.cancelledAt || (a.id < b.id ? -1 : 1));
  const [oldest] = late;
  oldest!.status = "Refunded";
  oldest!.backCents = oldest!.lateCents;
  receive(model, oldest!.player, oldest!.lateCents);
}

export const unsettledIn = (model: Model, game: number) =>
  model.bookings.filter(
    (one) => one.game === game && one.status === "Cancelled" && one.lateCents > 0,
  );
