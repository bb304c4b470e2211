import {
  liveIn,
  type Model,
  type ModelBooking,
  type ModelHold,
  type ModelPaying,
  pendingDecision,
} from "./model-state.ts";

// The rules of spots that are held, for friends and for who pays, once more, in memory, for model.test.ts.

const heldOf = (model: Model, game: number) =>
  model.holds.filter((one) => one.game === game && one.status === "Held");

const spotsOfPayers = (model: Model, game: number) =>
  model.paying.filter((one) => one.game === game && one.status === "Held" && one.holdsSpot);

export const heldByHolds = (model: Model, game: number) =>
  heldOf(model, game).length + spotsOfPayers(model, game).length;

export const untilOf = (model: Model, { game, until }: Pick<ModelHold, "game" | "until">) =>
  Math.min(until, model.games[game]!.startsIn - 1, pendingDecision(model, game) ?? Infinity);

/** Its time, its game or its holder; the next sweep ends it. */
function isHoldOver(model: Model, hold: ModelHold): boolean {
  const { player, game } = hold;
  const isIn = liveIn(model, game).some((one) => one.player === player);
  const isSuspended = model.players[player]?.isSuspended ?? false;
  return !model.games[game]!.isOpen || untilOf(model, hold) <= model.hour || !isIn || isSuspended;
}

/** The same of a payer, whose paid spot waits for its booking. */
function isPayingOver(model: Model, paying: ModelPaying): boolean {
  const { player, game, until, paidAt } = paying;
  const { isOpen, startsIn } = model.games[game]!;
  const isIn = liveIn(model, game).some((one) => one.player === player);
  const end = Math.min(until, startsIn, pendingDecision(model, game) ?? Infinity);
  const isSuspended = model.players[player]?.isSuspended ?? false;
  return !isOpen || (paidAt === null && end <= model.hour) || isIn || isSuspended;
}

/** A player's open intention to join this game, with its spot if it holds one. */
export function payingOf(model: Model, player: number, game: number) {
  const own = model.paying.filter((one) => one.player === player && one.game === game);
  const paying =
    own.findLast(({ status }) => status === "Held") ??
    own.findLast(({ status }) => status === "Lapsed");
  const isHeld = paying?.status === "Held" && paying.holdsSpot;
  return paying && { paying, holdsSpot: isHeld && !isPayingOver(model, paying) };
}

export const statusOf = (model: Model, hold: ModelHold) =>
  hold.status === "Held" && isHoldOver(model, hold) ? "Lapsed" : hold.status;

/** Spots that are counted as held, and are free. */
export const holdsOver = (model: Model, game: number) => listOver(model, game).length;

export function lapseHolds(model: Model, game: number): void {
  for (const hold of listOver(model, game)) hold.status = "Lapsed";
}

const listOver = (model: Model, game: number) => [
  ...heldOf(model, game).filter((hold) => isHoldOver(model, hold)),
  ...spotsOfPayers(model, game).filter((paying) => isPayingOver(model, paying)),
];

/** Ends it with the booking of its holder. */
export function endHoldOf(model: Model, { player, game }: ModelBooking): void {
  for (const hold of heldOf(model, game)) if (hold.player === player) hold.status = "Lapsed";
}

interface HoldWish {
  id: string;
  player: number;
  game: number;
  /** Neither taken nor held. */
  free: number;
  /** To somebody who waits. */
  belongs: boolean;
}

/** "held", which the model then remembers, or the reason against it. */
export function expectedHold(model: Model, { id, player, game, free, belongs }: HoldWish): string {
  const { isOpen } = model.games[game]!;
  const own = model.holds.filter((one) => one.player === player && one.game === game);
  if (model.players[player]!.isSuspended) return "suspended";
  if (!isOpen) return "not-published";
  if (!liveIn(model, game).some((one) => one.player === player)) return "not-in";
  if (own.some((hold) => statusOf(model, hold) === "Held")) return "held-already";
  if (own.filter((hold) => !isTaken(model, hold)).length >= 2) return "too-many";
  const elsewhere = model.holds.filter((one) => one.player === player && one.game !== game);
  if (elsewhere.filter((hold) => statusOf(model, hold) === "Held").length >= 3) {
    return "too-many-games";
  }
  const until = untilOf(model, { game, until: model.hour + 0.5 });
  if (until - model.hour < 1 / 12) return "too-late";
  if (free + holdsOver(model, game) <= 0) return "full";
  if (belongs) return "somebody-waits";
  lapseHolds(model, game);
  model.holds.push({ id, token: "", player, game, until, status: "Held", booking: null });
  return "held";
}

/** By a friend who is in, also by another booking. */
const isTaken = (model: Model, { game, booking }: ModelHold) =>
  liveIn(model, game).some((one) => one.player === booking?.player);

export function expectedGiveBack(model: Model, player: number, game: number): string {
  const hold = heldOf(model, game).find((one) => one.player === player);
  if (!hold) return "not-held";
  hold.status = "GivenBack";
  return "given-back";
}
