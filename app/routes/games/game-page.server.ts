import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { createContext, type RequestHandler, RouterContextProvider } from "react-router";
import { mayOrganise, type Viewer } from "#app/features/accounts/sessions.server.ts";
import { findOwnBookings, listAttendees } from "#app/features/bookings/bookings.server.ts";
import { saleText } from "#app/features/seats/rules.ts";
import { findPaymentHold } from "#app/features/wallet/payment-holds.server.ts";
import { toPayingView } from "#app/routes/credits/begun-payment.server.ts";
import { listAtGame } from "#app/routes/credits/under-way.server.ts";
import { hasWaited } from "#app/features/waitlist/entries.server.ts";
import { findGame, type GameDetails } from "#app/features/games/games.server.ts";
import { priceView } from "#app/features/games/price.ts";
import { isUndecided, minimumText, withFewerText } from "#app/features/games/minimum-rules.ts";
import {
  clockTime,
  durationMinutes,
  gameState,
  hasStarted,
  isOver,
  priceCents,
  spotsLeft,
  spotsText,
  spotsTone,
} from "#app/features/games/rules.ts";
import { addressText, gameFacts } from "#app/features/games/shown-game.ts";
import { writeShown } from "#app/platform/as-shown.ts";
import { webAddress } from "#app/platform/web-address.ts";
import { loadGameChat } from "#app/routes/games/chat/chat-view.server.ts";
import { TOAST_LABEL } from "#app/forms/toast.server.ts";
import { helsinkiIso, monthDay, upperLongDate } from "#app/platform/clock.ts";
import { pictureKey } from "#app/platform/images/drawn-pictures.server.ts";
import {
  creditsCount,
  creditsText,
  numericFromCents,
  wholeCreditsCount,
} from "#app/platform/money.ts";
import { singleFlight } from "#app/platform/single-flight.server.ts";
import { createPageCache, type FinishedPage, finishPage } from "#app/platform/page-cache.server.ts";
import { COOKIE_PREFIX } from "#app/platform/signed-cookie.server.ts";
import { noteRoute } from "#app/platform/observability/request-scope.server.ts";
import { addressContext, type App, appContext, nonceContext } from "#app/routes/context.server.ts";
import { SESSION_LABEL } from "#app/routes/cookies.server.ts";
import type { Site } from "#app/routes/meta.ts";
import { postalAddress } from "#app/routes/structured-data.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";
import { ownPath } from "#app/ui/picture.tsx";
import { describeCalledOff } from "./cancelled-game.server.ts";
import { HELD_BADGE } from "#app/features/friends/rules.ts";
import { loadFriends, loadHeldSpot } from "#app/routes/games/friends/view.server.ts";
import { loadOrganiser } from "./organiser.server.ts";
import { findWaitlist, toWaitlistView } from "#app/routes/waitlist/view.server.ts";
import { toShareView } from "#app/routes/games/friends/share-view.server.ts";
import { toOwnTerms } from "./own-terms.ts";
import { loadTeams } from "./teams-view.server.ts";
import { gamePicture } from "./social-drawing.server.tsx";

/** Not counted among the free ones, whatever the stream of them says. */
const HELD_HERE = { badge: HELD_BADGE, hasSpot: true };
const NEVER_IN = {
  isIn: false,
  wasIn: false,
  staysIn: false,
  hasUsedFreeSession: false,
  bookingId: null,
  sold: null,
};

// Null if this viewer may not see the game. Visitors get no player's name; with the token of a held
// spot they get its holder's first name.
export async function loadGamePage(
  app: App,
  viewer: Viewer | null,
  gameId: string,
  holdToken: string | null = null,
) {
  const now = app.now();
  const together = <T>(what: string, read: () => Promise<T>) =>
    singleFlight(app.db, `${what} ${gameId}`, read);
  const game = await together("game", () => findGame(app.db, gameId, now));
  if (!game) return null;
  const ids = { gameId, playerId: viewer?.userId ?? "" };
  const found = findWaitlist(app, game, viewer);
  const [own, attendees, waitlist] = viewer
    ? await Promise.all([
        findOwnBookings(app.db, ids),
        together("players", () => listAttendees(app.db, gameId)),
        found,
      ])
    : [NEVER_IN, [], await found];
  const isOwn = own.wasIn || (await hasWaitedFor(app, game, ids.playerId));
  const isAdmin = mayOrganise(viewer, app.env);
  if (game.status !== "Published" && !isOwn && !isAdmin) return null;
  const { isIn } = own;
  const insider = { isIn, isAdmin };
  const { cents: price, ...said } = priceView(game, viewer && { ...viewer, ...own });
  const isTaken = waitlist?.isTaken ?? false;
  const isOff = isOwn && game.status === "Cancelled";
  const off = isOff ? await describeCalledOff(app, game, ids, isIn) : null;
  const described = describe(game, isTaken, now);
  const facts = { game, viewer, isIn, spots: described.spots };
  // An admin who owes a second factor has no chat, in a game that they play in neither.
  const mayChat = viewer && (isAdmin || !viewer.isAdmin);
  const reader = mayChat && { ...viewer, isIn: own.staysIn };
  const paying = viewer && !isIn ? { gameId, userId: viewer.userId, now } : null;
  const [organiser, teams, chat, friends, held, hold, payments] = await Promise.all([
    loadOrganiser(app, game, insider),
    loadTeams(app, game, { ...insider, attendees, viewerId: ids.playerId }),
    reader ? loadGameChat(app, game, reader) : null,
    loadFriends(app, facts),
    loadHeldSpot(app, holdToken, facts),
    paying && findPaymentHold(app.db, paying),
    paying && viewer!.balanceCents < price ? listAtGame(app, paying) : [],
  ]);
  return {
    ...described,
    ...((held?.token || hold?.holdsSpot || waitlist?.entry?.isOffered) && HELD_HERE),
    friends,
    held,
    paying: await toPayingView(app, hold, { ...facts, price, held }),
    waitlist:
      waitlist && !isIn ? toWaitlistView(waitlist, { game, viewer, priceCents: price, now }) : null,
    share: toShareView(game, app.env.appUrl, friends),
    ...{ payments, isSignedIn: viewer !== null },
    roster: isAdmin ? `/admin/games/${game.id}` : null,
    ...{ isIn, wasIn: own.wasIn },
    creditsBack: off?.creditsBack ?? null,
    otherGames: off?.otherGames ?? [],
    players: attendees.map(({ userId, firstName, lastName, profilePictureUrl }) => ({
      userId,
      name: `${firstName} ${lastName}`,
      pictureUrl: profilePictureUrl,
    })),
    price: {
      credits: creditsText(price),
      text: price === 0 ? "Free" : said.credits,
      note: price === 0 ? null : said.free,
    },
    withFewer: isUndecided(game) ? withFewerText(viewer && price) : null,
    balance: viewer && balanceText(viewer, price),
    /** Joining leads to the plans. A debt is said first. */
    isShort: viewer !== null && viewer.debtCents <= 0 && viewer.balanceCents < price,
    /** Visitors' forms book nothing. */
    shown: viewer && writeShown({ ...gameFacts(game), cancellation: saleText() }),
    organiser,
    teams,
    chat,
    ...toOwnTerms(own, game, now),
    isPublic: game.status === "Published",
    socialPicture: `/events/${game.id}/social.png?v=${pictureKey(gamePicture(game, app))}`,
    structuredData: game.status === "Draft" ? null : sportsEvent(game, app.env, app.now()),
  };
}

/** Players who waited for a cancelled game read that too. */
async function hasWaitedFor({ db }: App, { id: gameId, status }: GameDetails, playerId: string) {
  return status === "Cancelled" && playerId !== "" && hasWaited(db, { gameId, playerId });
}

export type GamePage = NonNullable<Awaited<ReturnType<typeof loadGamePage>>>;

/** Loaded before the routes run, which render it. */
export const gamePageContext = createContext<GamePage | null>(null);

/** `isTaken`: its free spots, if any, belong to those who wait. */
function describe(game: GameDetails, isTaken: boolean, now: Date) {
  const { date, venue } = game;
  return {
    id: game.id,
    date,
    longDate: upperLongDate(date),
    shortDate: monthDay(date),
    start: clockTime(game.startTime),
    end: clockTime(game.endTime),
    minutes: durationMinutes(game),
    surroundings: game.isOutdoor ? "Outdoor" : "Indoor",
    format: game.gameFormat,
    level: game.level,
    description: game.description,
    maxPlayers: game.maxPlayers,
    joinedCount: game.joinedCount,
    spots: isTaken ? 0 : spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount),
    revision: game.revision,
    ...{ badge: badgeOf(game, isTaken, now), hasSpot: false },
    ...gameState(game, now),
    hadTooFewPlayers: game.status === "Cancelled" && game.decision === "CalledOff",
    minimum: game.status === "Published" ? minimumText(game, now) : null,
    venue: {
      page: venue.isHidden ? null : `/venues/${venue.id}`,
      name: venue.name,
      place: addressText(venue),
      city: venue.city,
      mapsUrl: webAddress(venue.mapsUrl),
      photos: venue.photoUrls
        .map((url, i) => ({ url, alt: venue.photoAlts[i] || venue.name }))
        .filter(({ url }) => ownPath(url)),
    },
  };
}

function badgeOf(
  game: GameDetails,
  isTaken: boolean,
  now: Date,
): { text: string; tone: BadgeTone } {
  if (game.status === "Cancelled") return { text: "Cancelled", tone: "red" };
  if (isOver(game, now)) return { text: "Full time", tone: "neutral" };
  const spots = isTaken ? 0 : spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount);
  return { text: spotsText(spots), tone: spotsTone(spots) };
}

function balanceText({ balanceCents, debtCents }: Viewer, price: number): string | null {
  if (debtCents > 0) return `${creditsCount(debtCents)} owed`;
  if (price === 0) return null;
  const left = balanceCents - price;
  if (left >= 0) return `Balance after: ${wholeCreditsCount(left)}`;
  return `You need ${creditsCount(-left).replace(" ", " more ")}`;
}

/** The game as schema.org's SportsEvent, without any player's name. */
export function sportsEvent(
  game: GameDetails,
  site: Pick<Site, "appUrl" | "brandName">,
  now: Date,
) {
  const url = `${site.appUrl}/events/${game.id}`;
  const isCancelled = game.status === "Cancelled";
  return {
    "@context": "https://schema.org",
    "@type": "SportsEvent",
    name: game.title,
    description: game.description || undefined,
    sport: "Football",
    url,
    startDate: helsinkiIso(game.startsAt),
    endDate: helsinkiIso(game.endsAt),
    eventStatus: `https://schema.org/${isCancelled ? "EventCancelled" : "EventScheduled"}`,
    eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
    image: game.venue.photoUrls.filter(ownPath).map((photo) => new URL(photo, site.appUrl).href),
    maximumAttendeeCapacity: game.maxPlayers,
    remainingAttendeeCapacity: spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount),
    location: { "@type": "Place", name: game.venue.name, address: postalAddress(game.venue) },
    organizer: { "@type": "Organization", name: site.brandName, url: site.appUrl },
    offers: isCancelled || hasStarted(game, now) ? undefined : offer(game, url),
  };
}

function offer(game: GameDetails, url: string) {
  const isFull = spotsLeft(game.maxPlayers, game.joinedCount, game.heldCount) === 0;
  return {
    "@type": "Offer",
    // Search engines get the price without a free session.
    price: numericFromCents(priceCents(game, { hasUsedFreeSession: false })),
    priceCurrency: "EUR",
    availability: `https://schema.org/${isFull ? "SoldOut" : "InStock"}`,
    url,
  };
}

const GAME = /^\/events\/([0-9a-f-]{36})$/;

// A game's page for visitors, the same bytes for all. Its data is read on every request, so that an
// edit by SQL shows at once; only the rendering is kept. Null for every other request.
export function createVisitorPages(handle: RequestHandler) {
  const cache = createPageCache();
  return async (app: App, request: IncomingMessage): Promise<FinishedPage | null> => {
    const [, gameId] = GAME.exec(request.url ?? "") ?? [];
    if (!gameId || !isVisit(request)) return null;
    noteRoute("/events/:gameId");
    const load = (db: App["db"]) => loadGamePage({ ...app, db }, null, gameId);
    const game = await (app.replica ? app.replica.read(load) : load(app.db));
    if (!game) return null;
    return cache.getOrRender(gameId, JSON.stringify(game), () => render(handle, app, game));
  };
}

const PERSONAL = [SESSION_LABEL, TOAST_LABEL].map((label) => `${COOKIE_PREFIX}${label}=`);

function isVisit({ method, headers }: IncomingMessage): boolean {
  const { cookie = "" } = headers;
  return (method === "GET" || method === "HEAD") && !PERSONAL.some((name) => cookie.includes(name));
}

/** Rendered from exactly this data, even if the game changes meanwhile. */
async function render(handle: RequestHandler, app: App, game: GamePage): Promise<FinishedPage> {
  const nonce = randomBytes(16).toString("base64");
  const context = new RouterContextProvider();
  context.set(appContext, app);
  context.set(nonceContext, nonce);
  context.set(addressContext, "");
  context.set(gamePageContext, game);
  const request = new Request(`${app.env.appUrl}/events/${game.id}`);
  return finishPage(await handle(request, context), nonce);
}
