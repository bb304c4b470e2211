import { bookPaying, expectedJoin, factsOf, joinObstacle, type JoinWish } from "./booking-model.ts";
import { lapseHolds, payingOf, untilOf } from "./hold-model.ts";
import { type Model, type ModelPaying, pendingDecision } from "./model-state.ts";
import { offerOf, priceOf } from "./waitlist-model.ts";

// The rules of who pays to come in once more, in memory, for model.test.ts.

const PAYING_HOURS = 0.25;

const isOpen = ({ status }: ModelPaying) => status === "Held" || status === "Lapsed";

/** "held", which the model then remembers, "free", or the reason against it. */
export function expectedPaying(model: Model, wish: JoinWish & { id: string }): string {
  const { id, player, game, hold: friend } = wish;
  const obstacle = joinObstacle(model, wish);
  if (obstacle) return obstacle;
  if (priceOf(model, player, game) === 0) return "free";
  const intention = { shown: factsOf(model, player, game), friend };
  const own = payingOf(model, player, game);
  if (own?.holdsSpot) {
    Object.assign(own.paying, intention);
    return "held";
  }
  closePaying(model, player, { onlyUnbound: true });
  lapseHolds(model, game);
  const offer = offerOf(model, player, game);
  const until = Math.min(
    model.hour + PAYING_HOURS,
    model.games[game]!.startsIn,
    pendingDecision(model, game) ?? Infinity,
    friend ? untilOf(model, friend) : Infinity,
    offer?.offerUntil ?? Infinity,
  );
  const isHeldAlready = offer !== undefined || friend !== undefined;
  const holdsSpot = !isHeldAlready && until > model.hour && countUnpaid(model, player, game) < 2;
  const start = { since: model.hour, status: "Held" as const, session: null, paidAt: null };
  model.paying.push({ id, player, game, until, holdsSpot, ...intention, ...start });
  return "held";
}

const countUnpaid = (model: Model, player: number, game: number) =>
  model.paying.filter((one) => {
    const isOver = one.status === "Lapsed" || one.status === "GivenBack";
    return one.player === player && one.game === game && one.holdsSpot && !one.session && isOver;
  }).length;

/** What is not paid, of one game or of all; whether there was any. */
export function closePaying(
  model: Model,
  player: number,
  { game, onlyUnbound = false }: { game?: number; onlyUnbound?: boolean },
): boolean {
  const open = model.paying.filter((one) => {
    const isIts = one.player === player && (game === undefined || one.game === game);
    return isIts && isOpen(one) && one.paidAt === null;
  });
  for (const one of open) one.status = onlyUnbound && one.session ? "Lapsed" : "GivenBack";
  return open.length > 0;
}

/** Credits alone: only games that no payment is under way for. */
export function payForNoGame(model: Model, player: number): void {
  const own = model.paying.filter((one) => one.player === player && isOpen(one) && !one.session);
  for (const game of new Set(own.map((one) => one.game))) {
    closePaying(model, player, { game, onlyUnbound: true });
  }
}

/** The intention of this payment, else the newest of a day without any. */
export function bindPaying(
  model: Model,
  { player, session, isPaid }: { player: number; session: string; isPaid: boolean },
): void {
  const open = model.paying.filter((one) => {
    return one.player === player && isOpen(one) && one.paidAt === null && !isOutrun(model, one);
  });
  const isBound = model.paying.some((one) => one.session === session);
  const newest = open.filter((one) => !one.session && one.since > model.hour - 24).at(-1);
  const bound = open.find((one) => one.session === session) ?? (isBound ? undefined : newest);
  if (bound) Object.assign(bound, { session, paidAt: isPaid ? model.hour : null });
}

/** The player came in by other ways since. */
const isOutrun = (model: Model, { player, game, since }: ModelPaying) =>
  model.bookings.some(
    (one) => one.player === player && one.game === game && one.createdAt >= since,
  );

export function unbindPaying(model: Model, session: string): void {
  for (const one of model.paying) {
    if (one.session === session && one.paidAt === null) one.session = null;
  }
}

export const isToBook = (one: ModelPaying) => isOpen(one) && one.paidAt !== null;

/** Books all that is paid, as the money came, or leaves the credits. */
export function expectBooked(model: Model): void {
  const paid = model.paying.filter(isToBook).toSorted((a, b) => a.paidAt! - b.paidAt!);
  for (const one of paid) if (isToBook(one)) expectPaidJoin(model, one);
}

function expectPaidJoin(model: Model, paying: ModelPaying): void {
  const { id, player, game, shown, friend, paidAt, until } = paying;
  const asksOfOtherGame = paying.status === "Lapsed" || paidAt! >= until;
  const wish = { player, game, shown, asksOfOtherGame };
  let result = expectedJoin(model, { ...wish, hold: friend });
  if (result === "hold-taken" || result === "hold-over") result = expectedJoin(model, wish);
  if (result === "joined") model.bookings.at(-1)!.id = id;
  else if (result === "already-joined") bookPaying(model, player, game);
  else paying.status = "Declined";
}
