import type { HeldSpots } from "#app/features/friends/friends.server.ts";
import { timeText } from "#app/platform/clock.ts";

const LIST = new Intl.ListFormat("en", { type: "conjunction" });

/** "1 held for the waitlist", "1 held for a friend (by Aino, until 20:11)". */
export function heldCounts({ offered, forFriends, forPayers }: HeldSpots, now: Date): string[] {
  const by = forFriends.map(({ host, until }) => `by ${host}, until ${timeText(until, now)}`);
  return [
    ...(offered > 0 ? [`${offered} held for the waitlist`] : []),
    ...(by.length > 0 ? [`${by.length} held for ${friends(by.length)} (${by.join("; ")})`] : []),
    ...forPayers.slice(0, 1).map((until) => payersText(forPayers.length, until, now)),
  ];
}

/** "2 held while players pay (the first until 20:11)". */
const payersText = (count: number, until: Date, now: Date) =>
  count === 1
    ? `1 held while a player pays (until ${timeText(until, now)})`
    : `${count} held while players pay (the first until ${timeText(until, now)})`;

/** "1 spot held for the waitlist and 2 spots held for friends"; empty if none is. */
export function heldText({ offered, forFriends: { length }, forPayers }: HeldSpots): string {
  return LIST.format([
    ...(offered > 0 ? [`${countSpots(offered)} held for the waitlist`] : []),
    ...(length > 0 ? [`${countSpots(length)} held for ${friends(length)}`] : []),
    ...(forPayers.length > 0
      ? [
          `${countSpots(forPayers.length)} held while ${forPayers.length === 1 ? "it is" : "they are"} paid for`,
        ]
      : []),
  ]);
}

const friends = (count: number) => (count === 1 ? "a friend" : "friends");
const countSpots = (spots: number) => (spots === 1 ? "1 spot" : `${spots} spots`);
