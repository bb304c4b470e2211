import { randomUUID } from "node:crypto";
import { type ComponentProps, lazy, Suspense } from "react";
import { data, Link, Outlet } from "react-router";
import { unreadCount } from "#app/features/chat/rules.ts";
import { resultOf } from "#app/forms/form-result.ts";
import { appContext } from "#app/routes/context.server.ts";
import { PlanDialog } from "#app/routes/credits/plan-dialog.tsx";
import { unreadOf } from "#app/routes/unread.server.ts";
import { getViewer, signedInToSend } from "#app/routes/guards.server.ts";
import { viewerPlaceholders } from "#app/routes/viewer-placeholders.server.ts";
import { breadcrumbs, pageMeta, siteOf } from "#app/routes/meta.ts";
import { HistoryBackLink } from "#app/ui/back-link.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Carousel } from "#app/ui/carousel.tsx";
import { ArrowLeft, Calendar, Clock, Person, Pin } from "#app/ui/icon.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { SkipLink } from "#app/ui/skip-link.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import type { Route } from "./+types/show";
import { gameAction } from "./actions.server.ts";
import type { FailedJoin } from "./game-row.server.ts";
import { findCancelledText } from "./cancelled-game.server.ts";
import { type GamePage, gamePageContext, loadGamePage } from "./game-page.server.ts";
import {
  About,
  CancellationPolicy,
  Description,
  GamePlayers,
  ShareOrInvite,
  Venue,
} from "./game-sections.tsx";
import { BarDetails } from "./bar-details.tsx";
import { JoinBar } from "./join-bar.tsx";
import type { LiveGame } from "#app/live/live-stream.ts";
import { useKeptResult } from "#app/live/kept-result.ts";
import { useRereading } from "#app/live/rereading.ts";
import { toFollowedChat } from "./followed-chat.ts";
import { LiveSpots } from "#app/live/live-spots.tsx";
import { useLiveGames } from "#app/live/use-live-games.ts";
import { spotsText, spotsTone } from "#app/features/games/rules.ts";
import { Rolling } from "#app/ui/rolling.tsx";
import { Missing } from "#app/routes/error-screens.tsx";

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const loaded = context.get(gamePageContext);
  const viewer = loaded ? null : await getViewer(context);
  const found = loaded ?? (await loadGamePage(app, viewer, params.gameId, holdOf(request)));
  const own = viewerPlaceholders(context);
  const unread = viewer && found?.chat ? await unreadOf(context, viewer.userId) : null;
  const game = found && {
    ...found,
    balance: own("balance", found.balance),
    spot: found.spot && { ...found.spot, id: own("booking-id", found.spot.id) },
    // Only the browser reads it, as the key of what is kept there.
    chat: found.chat && {
      ...found.chat,
      userId: own("user-id", found.chat.userId),
      unread: own("unread-here", unread?.has(found.id) ? unreadCount(unread.get(found.id)!) : null),
    },
  };
  // All visitors get the same page, whose form books nothing.
  const formKey = own("form-key", viewer && randomUUID());
  const missing = game ? null : await findCancelledText(app, params.gameId, holdOf(request));
  return data({ game, formKey, missing }, { status: game ? 200 : 404 });
}

/** The token of a spot that is held for anyone who has the link. */
const holdOf = ({ url }: Request) => new URL(url).searchParams.get("hold");

export const middleware: Route.MiddlewareFunction[] = [signedInToSend({ isForVisitors: true })];

export const action = gameAction;

export const meta: Route.MetaFunction = ({ loaderData, matches, location }) => {
  const site = siteOf(matches);
  const game = loaderData?.game;
  if (!game) return pageMeta(site, { title: "Game not found", noindex: true });
  const when = `${game.shortDate}, ${game.start}`;
  const title = `${game.venue.name}, ${when}`;
  const about = `${game.surroundings} ${game.format} football at ${game.venue.name}, ${game.venue.city}, ${when}.`;
  const { invitation, text } = game.held ?? {};
  const tags = pageMeta(site, {
    title: invitation ?? title,
    description: `${about} ${invitation ? `${invitation}. ${text}` : `${game.badge.text}.`}`,
    path: `/events/${game.id}`,
    image: { path: game.socialPicture, width: 1200, height: 630, alt: title },
    noindex: !game.isPublic || location.search.includes("hold="),
  });
  if (!site || !game.structuredData) return tags;
  const steps = [
    { name: site.brandName, path: "/" },
    ...(game.venue.page ? [{ name: game.venue.name, path: game.venue.page }] : []),
    { name: title, path: `/events/${game.id}` },
  ];
  const way = { "script:ld+json": breadcrumbs(site, steps) };
  return [...tags, { "script:ld+json": game.structuredData }, way];
};

export default function Game({ loaderData, actionData }: Route.ComponentProps) {
  const { game: loaded } = loaderData;
  const result = useKeptResult<FailedJoin>(actionData);
  const games =
    loaded?.isPublic && !loaded.isOver ? [{ ...loaded, joined: loaded.joinedCount }] : [];
  const chat = loaded?.chat && toFollowedChat(loaded.id, loaded.chat.messages);
  const startRereading = useRereading();
  const live = useLiveGames({ of: loaderData, games, startRereading, chat });
  if (!loaded)
    return (
      <Missing title="Game not found" back={{ to: "/events", label: "Back to Games" }}>
        {loaderData.missing}
      </Missing>
    );
  const game: LivePage = withLiveSpots(loaded, live[loaded.id]);
  return (
    <>
      {game.isPublic && (
        <LiveSpots key={game.id} text={game.badge.text} isLive={game.isLive ?? false} />
      )}
      <PlanDialog plans={result?.plans} />
      <Outlet context={game} />
      <article className="mx-auto max-w-6xl md:px-4 md:pt-4 lg:grid lg:grid-cols-[3fr_2fr] lg:grid-rows-[auto_auto_1fr] lg:gap-x-10">
        <GameHeader game={game} result={result} />
        <div className="grid content-start gap-8 px-4 pt-6 md:px-0 lg:row-start-3 lg:pt-8">
          {game.organiser?.contact && (
            <Suspense>
              <RunningLate contact={game.organiser.contact} />
            </Suspense>
          )}
          {game.payments.length > 0 && (
            <Suspense>
              <GamePayments game={game} />
            </Suspense>
          )}
          <About game={game} />
          <Suspense>{!game.isCalledOff && <GamePlayers game={game} />}</Suspense>
          <OwnSections
            game={game}
            result={resultOf(result, "hold", "give-back")}
            messageId={loaderData.formKey}
          />
          {game.description && <Description text={game.description} />}
        </div>
        {/* No box of its own on phones, where the bar below sticks to the end of the whole page. */}
        <div className="contents lg:sticky lg:top-22 lg:col-start-2 lg:row-start-2 lg:row-end-4 lg:flex lg:flex-col lg:gap-8 lg:self-start">
          <div className="grid content-start gap-8 px-4 pt-8 md:px-0 lg:order-last lg:pt-0">
            <Suspense>
              <CancellationPolicy policy={game.policy} />
              <Venue venue={game.venue} />
            </Suspense>
          </div>
          <JoinBar game={game} result={result} />
        </div>
      </article>
    </>
  );
}

// Only the game's players need it. The server waits for it, so it works without JavaScript.
const NOTHING = { default: () => null };
const PlayerSections = lazy(() => import("./player-sections.tsx").catch(() => NOTHING));
const GamePayments = lazy(() => import("#app/routes/credits/under-way.tsx").catch(() => NOTHING));
const RunningLate = lazy(() => import("./running-late.tsx").catch(() => NOTHING));

function OwnSections(props: ComponentProps<typeof PlayerSections>) {
  const { teams, friends, isIn, chat, organiser } = props.game;
  if (!teams && !friends && !chat && !organiser && !(isIn && props.result)) return null;
  return (
    <Suspense>
      <PlayerSections {...props} />
    </Suspense>
  );
}

/** The current numbers, until the page's own data is read again. */
function withLiveSpots(game: GamePage, live: LiveGame | null | undefined): LivePage {
  if (!live) return game;
  // A spot that opens may belong to somebody who waits, and the stream has no names.
  const spots = game.spots === 0 ? 0 : live.spots;
  const joinedCount = game.joinedCount === 0 && game.isSignedIn ? 0 : live.joined;
  const badge = game.hasSpot ? game.badge : { text: spotsText(spots), tone: spotsTone(spots) };
  return { ...game, spots, joinedCount, badge, minimum: live.minimum, isLive: true };
}

type LivePage = GamePage & { isLive?: boolean };

function GameHeader({ game, result }: { game: LivePage; result: FailedJoin | undefined }) {
  return (
    <div className="contents flat:grid flat:grid-cols-2 flat:gap-x-6">
      <div className="relative vt-photo overflow-hidden bg-night md:rounded-card lg:row-span-2 lg:self-start">
        <VenuePhotos game={game} />
        <HistoryBackLink
          key={game.id}
          to="/events"
          viewTransition
          className="absolute top-3 left-3 flex min-h-11 max-md:hidden items-center gap-2 rounded-pill bg-night/70 px-4 font-semibold text-chalk hover:bg-night"
        >
          <ArrowLeft className="size-5" /> Back
        </HistoryBackLink>
      </div>
      <header className="grid content-start gap-4 px-4 pt-5 md:px-0 lg:col-start-2 lg:row-start-1 lg:pt-2">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h1 translate="no" className="-my-1.5 grow text-xl wrap-anywhere">
            {game.venue.page ? (
              <Link
                translate="no"
                to={game.venue.page}
                className="inline-flex min-h-11 items-center hover:underline"
              >
                {game.venue.name}
              </Link>
            ) : (
              game.venue.name
            )}
          </h1>
          <Badge tone={game.badge.tone}>
            <Rolling text={game.badge.text} isLive={game.isLive ?? false} />
          </Badge>
        </div>
        <GameFacts game={game} />
        <BarDetails game={game} result={result} />
        {game.friends?.live && (
          <a href="#friends" className="link flex min-h-11 items-center font-semibold tabular-nums">
            {`You hold a spot for a friend until ${game.friends.live.until}`}
          </a>
        )}
        <div className="flex flex-wrap items-center gap-x-6">
          <ShareOrInvite game={game} />
          {game.roster && (
            <Link to={game.roster} className="link flex min-h-11 items-center">
              Player list
            </Link>
          )}
        </div>
        {!game.isCalledOff && !game.hasStarted && !game.isIn && (
          <SkipLink to="#join">Skip to joining</SkipLink>
        )}
      </header>
    </div>
  );
}

function GameFacts({ game }: { game: GamePage }) {
  return (
    <ul data-read className="grid gap-2">
      <li className="flex items-center gap-3">
        <Calendar className="size-5 shrink-0 text-muted" />
        <time dateTime={game.date} className="font-semibold">
          {game.longDate}
        </time>
      </li>
      <li className="flex items-center gap-3 tabular-nums">
        <Clock className="size-5 shrink-0 text-muted" />
        <span className="text-lg font-bold">
          {game.start} – {game.end}
        </span>
      </li>
      <li className="flex items-center gap-3">
        <Pin className="size-5 shrink-0 text-muted" />
        {game.venue.place}
      </li>
      {game.minimum && (
        <li className="flex items-center gap-3 tabular-nums">
          <Person className="size-5 shrink-0 text-muted" />
          <span>
            {game.minimum}
            {game.withFewer && game.minimum.startsWith("On from") && (
              <span className="block text-sm text-muted">{game.withFewer}</span>
            )}
          </span>
        </li>
      )}
    </ul>
  );
}

function VenuePhotos({ game: { venue } }: { game: GamePage }) {
  if (venue.photos.length === 0) {
    return (
      <div className="relative isolate aspect-video max-h-[55svh] w-full bg-pitch">
        <CentreCircle className="top-1/2 left-1/2 h-full -translate-1/2 text-chalk/30" />
      </div>
    );
  }
  const slides = venue.photos.map((photo, index) => (
    <Picture
      key={photo.url}
      src={photo.url}
      alt={photo.alt}
      priority={index === 0}
      sizes="(min-width: 1024px) 640px, 100vw"
      className="aspect-video max-h-[55svh] w-full object-cover"
    />
  ));
  return <Carousel label={`Photos of ${venue.name}`} slides={slides} />;
}
