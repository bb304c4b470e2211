import { clockTime } from "#app/features/games/rules.ts";
import type { GameDetails } from "#app/features/games/games.server.ts";
import { monthDay } from "#app/platform/clock.ts";
import type { FriendsView } from "./view.server.ts";

/** What every button that shares the game sends: while a spot is held for a friend, its link. */
export function toShareView(game: GameDetails, appUrl: string, friends: FriendsView | null) {
  const { link: url, invitation: text } = friends?.live ?? { link: `${appUrl}/events/${game.id}` };
  const title = `${game.venue.name}, ${monthDay(game.date)} ${clockTime(game.startTime)}`;
  const copy = text ? `${text}\n${url}` : url;
  const message = text ?? `Come and play: ${title}`;
  const at = new URLSearchParams({ url, text: message });
  return {
    ...{ title, url, copy, ...(text && { text }) },
    whatsapp: `https://wa.me/?text=${encodeURIComponent(`${message}\n${url}`)}`,
    telegram: `https://t.me/share/url?${at}`,
    mailto: `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(copy)}`,
    copied: text ? "With it your friend gets the spot" : "Game link copied to clipboard",
  };
}
