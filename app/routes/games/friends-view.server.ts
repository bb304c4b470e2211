import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import {
  HOLD_MINUTES,
  HOLDS_UNTAKEN_MAX,
  gamePath,
  holdUntil,
} from "#app/features/bookings/friend-rules.ts";
import {
  findFriends,
  findHeldSpot,
  type Friends,
  type HeldSpot,
} from "#app/features/bookings/friends.server.ts";
import type { GameDetails } from "#app/features/games/games.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import { timeText } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";

interface Facts {
  game: GameDetails;
  viewer: Viewer | null;
  isIn: boolean;
  /** Those that this viewer could have now. */
  spots: number;
  waiting: number;
}

/** What a player in a game sees of the friends they bring; null where there is nothing to see. */
export async function loadFriends({ db, env, now }: App, facts: Facts) {
  const { game, viewer, isIn } = facts;
  const instant = now();
  if (!viewer || !isIn || game.status !== "Published" || hasStarted(game, instant)) return null;
  const ids = { gameId: game.id, playerId: viewer.userId };
  const friends = await findFriends(db, { ...ids, now: instant });
  const live = friends.holds.find(({ status }) => status === "Held");
  const view = {
    live: live && {
      link: env.appUrl + gamePath(game.id, live.token),
      until: timeText(live.until, instant),
    },
    said: saidOf(friends, instant),
    ...(live ? { offer: null, closed: null } : offerOf(friends, facts, instant)),
  };
  return view.live || view.said.length > 0 || view.offer || view.closed ? view : null;
}

export type FriendsView = NonNullable<Awaited<ReturnType<typeof loadFriends>>>;

function saidOf({ holds, host }: Friends, now: Date): string[] {
  const names = holds.flatMap(({ friend }) => friend ?? []);
  const last = holds.at(-1);
  return [
    ...(host ? [`You came with ${host}.`] : []),
    ...(names.length > 0 ? [takenText(names)] : []),
    ...(last?.status === "Lapsed"
      ? [`Nobody took the spot you held until ${timeText(last.until, now)}. It is free again.`]
      : []),
  ];
}

const LIST = new Intl.ListFormat("en", { type: "conjunction" });

const takenText = (names: string[]) =>
  `${LIST.format(names)} took the ${names.length === 1 ? "spot" : "spots"} you held.`;

/** What holding a spot means now, or why there is no other. */
function offerOf({ holds }: Friends, { game, spots, waiting }: Facts, now: Date) {
  const until = holdUntil(game.startsAt, now);
  const nothing = { offer: null, closed: null };
  if (!until || spots === 0 || waiting > 0) return nothing;
  const untaken = holds.filter(({ status }) => status === "Lapsed" || status === "GivenBack");
  if (untaken.length >= HOLDS_UNTAKEN_MAX) {
    return { ...nothing, closed: "You held two spots that nobody took, so there is no third." };
  }
  const isWhole = until.getTime() - now.getTime() === HOLD_MINUTES * 60_000;
  const time = isWhole ? `for ${HOLD_MINUTES} minutes` : `until ${timeText(until, now)}`;
  return { ...nothing, offer: `Hold one spot ${time} and send a friend the link.` };
}

export interface HeldView {
  title: string;
  text: string;
  /** Where the viewer can take the spot with it. */
  token: string | null;
}

/** What the link of a held spot says; null where the game itself says that it cannot be joined. */
export async function loadHeldSpot(
  { db, now }: App,
  token: string | null,
  facts: Omit<Facts, "waiting">,
): Promise<HeldView | null> {
  const { game, viewer, isIn, spots } = facts;
  if (token === null || game.status !== "Published" || hasStarted(game, now())) return null;
  const spot = await findHeldSpot(db, { gameId: game.id, token, now: now() });
  if (isIn) return spot?.status === "Held" ? heldOfOthers(spot, viewer) : null;
  if (spot?.status !== "Held") {
    return { title: overTitle(spot), text: leftText(spots), token: null };
  }
  const title = `${spot.holderName} holds a spot for you until ${timeText(spot.until, now())}`;
  const text = viewer
    ? "The first to join with this link has it."
    : "Sign up or in by then: the first to join with this link has it.";
  return { title, text, token };
}

function heldOfOthers({ holderId, holderName }: HeldSpot, viewer: Viewer | null): HeldView {
  if (viewer?.userId === holderId) {
    return { title: "This link is for your friend", text: "You are in already.", token: null };
  }
  const text = `${holderName} still holds the spot for somebody else.`;
  return { title: "You are in this game already", text, token: null };
}

const overTitle = (spot: HeldSpot | null) =>
  spot?.status === "Taken" ? "Somebody else took this spot" : "This spot is no longer held";

/** Sentences for the page, and for the join that failed. */
const leftText = (spots: number) =>
  spots === 0 ? "The game is full now." : `${spots} ${spots === 1 ? "spot is" : "spots are"} left.`;
