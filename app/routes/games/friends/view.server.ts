import { JOIN_ERRORS } from "#app/features/bookings/join-errors.ts";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { HOLDS_UNTAKEN_MAX, gamePath, holdTime, holdUntil } from "#app/features/friends/rules.ts";
import {
  findFriends,
  findHeldSpot,
  type Friends,
  type HeldSpot,
  type OwnHold,
} from "#app/features/friends/friends.server.ts";
import { bookingState } from "#app/features/bookings/participation.ts";
import type { GameDetails } from "#app/features/games/games.server.ts";
import { gameState, hasStarted, spotsLeft } from "#app/features/games/rules.ts";
import { gameFacts } from "#app/features/games/shown-game.ts";
import { writeShown } from "#app/platform/as-shown.ts";
import { dayAndTime, timeText } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";

interface FriendsFacts {
  game: GameDetails;
  viewer: Viewer | null;
  isIn: boolean;
  /** 0 if they belong to those who wait. */
  spots: number;
}

const NO_FRIENDS: Friends = { holds: [], host: null };

/** What a player in a game sees of friends they bring; null if there is nothing. */
export async function loadFriends({ db, env, now }: App, facts: FriendsFacts) {
  const { game, viewer, isIn } = facts;
  const instant = now();
  if (!viewer || bookingState({ ...gameState(game, instant), isIn }) !== "in") return null;
  const ids = { gameId: game.id, playerId: viewer.userId };
  const friends = game.hasHolds ? await findFriends(db, { ...ids, now: instant }) : NO_FRIENDS;
  const live = friends.holds.find(({ status }) => status === "Held");
  const view = {
    live: live && {
      link: env.appUrl + gamePath(game.id, live.token),
      invitation: `${invitationText(game, { holder: viewer.firstName, until: live.until }, instant)}. ${FOR_STUDENTS}`,
      until: timeText(live.until, instant),
      givenBack: GIVEN_BACK_TEXT,
      shown: writeShown({ link: live.token }),
    },
    said: saidOf(friends, facts.spots, instant),
    ...(live ? NO_OFFER : offerOf(friends, facts, instant)),
  };
  return view.live || view.said.length > 0 || view.offer || view.closed ? view : null;
}

export type FriendsView = NonNullable<Awaited<ReturnType<typeof loadFriends>>>;

/** "Aino holds a spot for you at Tikkurila Arena, Thu 18:00, until 17:42". */
function invitationText(
  { venue, startsAt }: GameDetails,
  { holder, until }: { holder: string; until: Date },
  now: Date,
): string {
  const game = `${venue.name}, ${dayAndTime(startsAt, now)}`;
  return `${holder} holds a spot for you at ${game}, until ${timeText(until, now)}`;
}

const FOR_STUDENTS = "Joining takes a school email.";

const GIVEN_BACK_TEXT =
  "Give the spot back? It counts as one of the two spots you can hold that nobody takes.";

export const BELONGS_TO_WAITLIST = JOIN_ERRORS["belongs-to-waitlist"];

/** Also of those whose friends have left again. */
export const TOO_MANY =
  "Two spots you held were not taken, so you can't hold another in this game.";

/** `spots`: those that anybody can have now; a lapsed one may have gone to the waitlist. */
function saidOf({ holds, host }: Friends, spots: number, now: Date): string[] {
  // A friend may have taken one, left, and taken the next.
  const namesOf = (those: OwnHold[]) =>
    [...new Map(those.map(({ friendId, friend }) => [friendId, friend])).values()].flatMap(
      (name) => name ?? [],
    );
  const names = namesOf(holds.filter(({ isUntaken }) => !isUntaken));
  const last = holds.at(-1);
  return [
    ...(host?.name ? [hostText(host.name, host.isIn)] : []),
    ...(names.length > 0 ? [takenText(names)] : []),
    ...namesOf(holds.filter(({ isUntaken }) => isUntaken)).map(
      (name) => `${name} took the spot you held and is no longer in.`,
    ),
    ...(last?.status === "Lapsed"
      ? [lapsedText(timeText(last.until, now)) + (spots > 0 ? " It is free again." : "")]
      : []),
  ];
}

const hostText = (name: string, isIn: boolean) =>
  isIn ? `You're coming with ${name}.` : `${name}, who held your spot, is no longer in.`;

const lapsedText = (until: string) => `Nobody took the spot you held until ${until}.`;

const LIST = new Intl.ListFormat("en", { type: "conjunction" });

const takenText = (names: string[]) =>
  `${LIST.format(names)} took the ${names.length === 1 ? "spot" : "spots"} you held.`;

const NO_OFFER = { offer: null, limit: null, closed: null, shown: null };

/** What holding a spot means now, or why no other can be held. */
function offerOf({ holds }: Friends, { game, spots }: FriendsFacts, now: Date) {
  const until = holdUntil(game, now);
  if (!until || spots === 0) return NO_OFFER;
  const untaken = holds.filter(({ isUntaken }) => isUntaken);
  if (untaken.length >= HOLDS_UNTAKEN_MAX) return { ...NO_OFFER, closed: TOO_MANY };
  const time = holdTime(until, now);
  const limit =
    untaken.length === 0
      ? "You can hold two spots that nobody takes."
      : "One spot you held was not taken: you can hold one more.";
  const shown = writeShown({ ...gameFacts(game), hold: time });
  return { ...NO_OFFER, offer: `Hold one spot ${time} and send a friend the link.`, limit, shown };
}

interface HeldView {
  title: string;
  text: string;
  token: string | null;
  invitation?: string;
}

/** What the link of a held spot says; null if the game itself says that it cannot be joined. */
export async function loadHeldSpot(
  { db, now }: App,
  token: string | null,
  facts: FriendsFacts,
): Promise<HeldView | null> {
  const { game, viewer, isIn } = facts;
  if (token === null || game.status !== "Published" || hasStarted(game, now())) return null;
  const spot = await findHeldSpot(db, { gameId: game.id, token, now: now() });
  if (isIn) return spot?.status === "Held" ? heldOfOthers(spot, viewer) : null;
  if (spot?.status !== "Held") {
    return { title: overTitle(spot, viewer), text: leftText(facts), token: null };
  }
  const title = `${spot.holderName} holds a spot for you until ${timeText(spot.until, now())}`;
  const text = viewer
    ? "The first to join with this link gets it."
    : "Sign up or sign in with a school email by then: the first to join with this link gets it.";
  const holder = { holder: spot.holderName, until: spot.until };
  return { title, text, token, invitation: invitationText(game, holder, now()) };
}

function heldOfOthers({ holderId, holderName }: HeldSpot, viewer: Viewer | null): HeldView {
  if (viewer?.userId === holderId) {
    return { title: "This link is for your friend", text: "You are in already.", token: null };
  }
  const text = `${holderName} still holds the spot for somebody else.`;
  return { title: "You are in this game already", text, token: null };
}

/** For who can take it; others see how many spots are left. */

function overTitle(spot: HeldSpot | null, viewer: Viewer | null): string {
  if (!spot) return "This link is not valid";
  if (spot.status !== "Taken") return "This spot is no longer held";
  const isOwn = viewer !== null && spot.takerId === viewer.userId;
  return isOwn ? "You took this spot and have left again" : "Somebody else took this spot";
}

/** Without a number: the page's other numbers change live. */
function leftText({ game, spots }: FriendsFacts): string {
  if (spots > 0) return "You can join as long as there are spots.";
  const areTaken = spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount) === 0;
  return areTaken ? "The game is full now." : BELONGS_TO_WAITLIST;
}
