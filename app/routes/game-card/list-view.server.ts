import type { findViewerGames, listFaces } from "#app/features/bookings/bookings.server.ts";
import type { Participation } from "#app/features/bookings/participation.ts";
import { unreadText } from "#app/features/chat/rules.ts";
import type { findNextFreeGame, GameCard } from "#app/features/games/games.server.ts";
import { minimumText } from "#app/features/games/minimum-rules.ts";
import { GAME_COSTS, type PriceViewer, priceView } from "#app/features/games/price.ts";
import { clockTime, GAME_PRICE_CENTS, playersText, spotsLeft } from "#app/features/games/rules.ts";
import {
  addDays,
  dayAndTime,
  helsinkiDate,
  monthDay,
  shortWeekday,
  upperWeekday,
} from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import type { ViewerPlaceholder } from "#app/routes/viewer-placeholders.server.ts";
import { smallPicture } from "#app/ui/avatar.tsx";
import { ownPath } from "#app/ui/picture.tsx";

type Viewer = Awaited<ReturnType<typeof findViewerGames>> & Pick<PriceViewer, "balanceCents">;
type FoundFace = Awaited<ReturnType<typeof listFaces>>[number];

export type CardView = ReturnType<typeof toCardView>;
export type DayView = ReturnType<typeof groupByDay>[number];

interface Shown {
  viewer?: Viewer | null;
  faces?: FoundFace[] | undefined;
  unread?: number | undefined;
  now: Date;
  own?: ViewerPlaceholder;
}

const asItIs: ViewerPlaceholder = (_, word) => word;

/** A game as a card; visitors (without a viewer) see no players. */
export function toCardView(
  game: GameCard,
  { viewer = null, faces = [], unread = 0, now, own = asItIs }: Shown,
) {
  const place = game.isOutdoor ? "Outdoor" : "Indoor";
  return {
    id: game.id,
    start: clockTime(game.startTime),
    end: clockTime(game.endTime),
    venueName: game.venueName,
    city: game.city,
    facts: [place, game.gameFormat, game.level].filter(Boolean).join(" · "),
    minimum: minimumText(game, now),
    photoUrl: ownPath(game.photoUrl),
    viewerIs: viewer ? viewerIn(viewer, game.id) : null,
    unread: unread > 0 ? own(`unread-${game.id}`, unreadText(unread)) : null,
    credits: creditsCount(GAME_PRICE_CENTS),
    free: priceView(game, viewer).free,
    spots: spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount),
    joined: game.joinedCount,
    planVersion: game.planVersion,
    players: faces.length > 0 ? playersText(game.joinedCount) : "",
    faces: faces.map(toFace),
  };
}

type OnCard = Extract<Participation, "in" | "waiting"> | null;

function viewerIn({ joined, waiting }: Viewer, gameId: string): OnCard {
  if (joined.includes(gameId)) return "in";
  return waiting.includes(gameId) ? "waiting" : null;
}

/** A picture's path, otherwise an initial. */
function toFace({ pictureUrl, firstName }: FoundFace): string {
  return smallPicture(pictureUrl) ?? /\p{L}/u.exec(firstName)?.[0] ?? "";
}

/** Full games fold to a row, unless the viewer is in. */
function isFolded(game: GameCard, viewer: Viewer): boolean {
  return (
    spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount) === 0 &&
    !viewer.joined.includes(game.id)
  );
}

interface Listed {
  viewer: Viewer;
  faces: FoundFace[];
  unread: Map<string, number>;
  now: Date;
  own: ViewerPlaceholder;
}

/** Formats dates on the server, since browsers format them differently. */
export function groupByDay(games: GameCard[], { viewer, faces, unread, now, own }: Listed) {
  const today = helsinkiDate(now);
  const facesOf = Map.groupBy(faces, ({ gameId }) => gameId);
  return [...Map.groupBy(games, ({ date }) => date)].map(([date, sameDay]) => ({
    date,
    weekday: upperWeekday(date),
    monthDay: monthDay(date),
    near: nearWord(date, today),
    games: sameDay.map((game) => {
      const isRow = isFolded(game, viewer);
      const faces = isRow ? [] : facesOf.get(game.id);
      const shown = { viewer, faces, unread: unread.get(game.id), now, own };
      return { ...toCardView(game, shown), isFolded: isRow };
    }),
  }));
}

const DAYS_AHEAD = 14;

/** Two weeks from today; a day without games has no date, since it leads nowhere. */
export function listDays(games: GameCard[], now: Date) {
  const today = helsinkiDate(now);
  const dates = new Set(games.map(({ date }) => date));
  return Array.from({ length: DAYS_AHEAD }, (_, ahead) => {
    const date = addDays(today, ahead);
    const weekday = ahead === 0 ? "Today" : shortWeekday(date);
    const text = `${weekday}\n${Number(date.slice(-2))}`;
    return { text, date: dates.has(date) ? date : null };
  });
}

type FreeGame = Awaited<ReturnType<typeof findNextFreeGame>>;

/** For those who have never booked: the free game, otherwise the price. */
export function toFirstSteps(free: FreeGame, now: Date, words = "Your first session is free") {
  if (!free) return { gameId: null, text: GAME_COSTS };
  return {
    gameId: free.id,
    text: `${words}: ${dayAndTime(free.startsAt, now)}, ${free.venueName}`,
  };
}

function nearWord(date: string, today: string): string | null {
  if (date === today) return "Today";
  return date === addDays(today, 1) ? "Tomorrow" : null;
}
