import { changedFacts, type Facts } from "#app/platform/as-shown.ts";
import { dayAndTime, monthDay, shortWeekday, wallClock } from "#app/platform/clock.ts";
import { creditsCount, creditsText } from "#app/platform/money.ts";
import { GAME_PRICE_CENTS, playersText } from "./rules.ts";

export interface ShownGame {
  startsAt: Date;
  endsAt: Date;
  venue: { id: string; name: string; address: string | null; city: string };
  /** Left out by what says nothing of a minimum. */
  minPlayers?: number | null | undefined;
  decidesAt?: Date | null;
}

/** Facts that every form of a game promises; price, refund and terms are added where a form needs
 * them. A venue may get another name: who has read the old one finds it. */
export function gameFacts({ startsAt, endsAt, venue, minPlayers, decidesAt }: ShownGame): Facts {
  const minimum = minPlayers && decidesAt ? `${minPlayers} ${decidesAt.toISOString()}` : "";
  return {
    start: startsAt.toISOString(),
    end: endsAt.toISOString(),
    place: venue.id,
    address: addressText(venue),
    ...(minPlayers !== undefined && { minimum }),
  };
}

/** "Otakaari 5, Espoo". */
export const addressText = ({ address, city }: Pick<ShownGame["venue"], "address" | "city">) =>
  address ? `${address}, ${city}` : city;

/** Facts beyond the game's own, each with the sentence that says what is true now. */
export type MoreFacts = Record<string, [fact: string, newFacts: string]>;

/** What an organiser who adds a player takes for the seat, where it is to be paid with credits. */
export const chargeFact = (game: { isFirstSessionFree: boolean }): MoreFacts => ({
  charge: [chargeText(game), `With credits it now takes ${chargeText(game)}.`],
});

export const chargeText = ({ isFirstSessionFree }: { isFirstSessionFree: boolean }) =>
  `${isFirstSessionFree ? "the free session, or " : ""}${creditsCount(GAME_PRICE_CENTS)}`;

export const priceFact = (priceCents: number): MoreFacts => ({
  price: [creditsText(priceCents), priceNow(priceCents)],
});

export type GameChanged = { ok: false; reason: "changed"; newFacts: string };

/** Null where everything is as it was shown. */
export function gameChange(
  shown: Facts | undefined,
  game: ShownGame,
  now: Date,
  more: MoreFacts = {},
): GameChanged | null {
  const others = Object.entries(more);
  const facts = Object.fromEntries(others.map(([name, [fact]]) => [name, fact]));
  const changed = changedFacts(shown, gameFacts(game));
  const newFacts = [
    ...venueChange(changed, game),
    ...(changed.includes("minimum") ? [minimumChange(game, now)] : []),
    ...changedFacts(shown, facts).map((name) => more[name]![1]),
  ];
  return newFacts.length > 0
    ? { ok: false, reason: "changed", newFacts: newFacts.join(" ") }
    : null;
}

function venueChange(changed: string[], game: ShownGame): string[] {
  if (changed.some((name) => ["start", "end", "place"].includes(name))) return [movedText(game)];
  const { venue } = game;
  if (!changed.includes("address")) return [];
  return [`The address of ${venue.name} is now ${addressText(venue)}.`];
}

function movedText({ startsAt, endsAt, venue }: ShownGame): string {
  const { date, time } = wallClock(startsAt);
  const times = `${time.slice(0, 5)} – ${wallClock(endsAt).time.slice(0, 5)}`;
  const where = venue.address ? `${venue.name}, ${venue.address}` : venue.name;
  return `This game has moved: now ${shortWeekday(date)}, ${monthDay(date)}, ${times} at ${where}.`;
}

function minimumChange({ minPlayers, decidesAt }: ShownGame, now: Date): string {
  if (!minPlayers || !decidesAt) return "This game no longer needs a minimum of players.";
  return `This game now takes place from ${playersText(minPlayers)}, decided ${dayAndTime(decidesAt, now)}.`;
}

export function priceNow(priceCents: number): string {
  const price = priceCents === 0 ? "0: this one is free" : `${creditsText(priceCents)} credits`;
  return `The price is now ${price}.`;
}
