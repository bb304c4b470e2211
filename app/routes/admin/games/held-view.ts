import type { HeldSpots } from "#app/features/friends/friends.server.ts";
import { timeText } from "#app/platform/clock.ts";

const LIST = new Intl.ListFormat("en", { type: "conjunction" });

/** "1 held for the waitlist", "1 held for a friend (by Aino, until 20:11)". */
export function heldCounts({ offered, forFriends }: HeldSpots, now: Date): string[] {
  const by = forFriends.map(({ host, until }) => `by ${host}, until ${timeText(until, now)}`);
  return [
    ...(offered > 0 ? [`${offered} held for the waitlist`] : []),
    ...(by.length > 0 ? [`${by.length} held for ${friends(by.length)} (${by.join("; ")})`] : []),
  ];
}

/** "1 spot held for the waitlist and 2 spots held for friends"; empty if none is. */
export function heldText({ offered, forFriends: { length } }: HeldSpots): string {
  return LIST.format([
    ...(offered > 0 ? [`${countSpots(offered)} held for the waitlist`] : []),
    ...(length > 0 ? [`${countSpots(length)} held for ${friends(length)}`] : []),
  ]);
}

const friends = (count: number) => (count === 1 ? "a friend" : "friends");
const countSpots = (spots: number) => (spots === 1 ? "1 spot" : `${spots} spots`);
