import { randomUUID } from "node:crypto";
import { data, redirect } from "react-router";
import type { Route } from "./+types/show";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { PlanDialog } from "#app/routes/credits/plan-dialog.tsx";
import { openPlans } from "#app/routes/credits/plans.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { readForm } from "#app/forms/form-fields.server.ts";
import { getViewer, requirePlayer } from "#app/routes/guards.server.ts";
import { logFailure } from "#app/forms/log-failure.server.ts";
import { breadcrumbs, pageMeta, siteOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import { GameHeader } from "./game-header.tsx";
import { gamePageContext, loadGamePage } from "./game-page.server.ts";
import { GamePlayers } from "./game-players.tsx";
import { About, CancellationPolicy, Description, Venue } from "./game-sections.tsx";
import { JoinBar } from "./join-bar.tsx";
import { explainRefusal, JOIN_FAILED, joinedMessage, parseJoin } from "./join-form.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const loaded = context.get(gamePageContext);
  const viewer = loaded ? null : await getViewer(context);
  const game = loaded ?? (await loadGamePage(app, viewer, params.gameId));
  // A visitor's page is the same for all of them, and their form books nothing.
  return data({ game, formKey: viewer && randomUUID() }, { status: game ? 200 : 404 });
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export async function action({ request, params, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { db, jobs, env, now } = app;
  const viewer = await requirePlayer(context, request, { to: "/auth", isForVisitors: true });
  const form = parseJoin(await readForm(request));
  if (!form) return data({ refusal: JOIN_FAILED, plans: null }, { status: 400 });
  const join = { ...form, gameId: params.gameId, playerId: viewer.userId, now: now() };
  const answer = await joinGame(db, jobs, join).catch(logFailure("joining a game"));
  if (!answer) return data({ refusal: JOIN_FAILED, plans: null }, { status: 500 });
  if (!answer.ok) {
    const { status, ...refusal } = explainRefusal(answer);
    if (refusal.reason !== "not-enough-credits") return data({ refusal, plans: null }, { status });
    // The wallet as it was locked: the session may have seen an older one.
    const buyer = { ...viewer, ...answer.wallet };
    const opening = { returnTo: `/events/${params.gameId}`, priceCents: answer.priceCents };
    return data({ refusal, plans: await openPlans(app, buyer, opening) }, { status });
  }
  const cookie = await toastCookie(env, joinedMessage(answer.priceCents));
  return redirect(`/events/${params.gameId}`, { headers: { "Set-Cookie": cookie } });
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = siteOf(matches);
  const game = loaderData?.game;
  if (!game) return pageMeta(site, { title: "Game not found", noindex: true });
  const when = `${game.shortDate}, ${game.start}`;
  const title = `${game.venue.name}, ${when}`;
  const state = game.isCalledOff ? "Cancelled" : game.isOver ? "Over" : `${game.spots} spots left`;
  const tags = pageMeta(site, {
    title,
    description: `${game.surroundings} ${game.format} football at ${game.venue.name}, ${game.venue.city}, ${when}. ${state}.`,
    path: `/events/${game.id}`,
    image: { path: game.socialPicture, width: 1200, height: 630, alt: title },
    noindex: !game.isPublic,
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
  const { game } = loaderData;
  if (!game)
    return <Missing title="Game not found" back={{ to: "/events", label: "Back to Games" }} />;
  const { refusal = null, plans = null } = actionData ?? {};
  return (
    <>
      <PlanDialog plans={plans} />
      <article className="mx-auto max-w-6xl md:px-4 md:pt-4 lg:grid lg:grid-cols-[3fr_2fr] lg:grid-rows-[auto_1fr_auto] lg:gap-x-10">
        <GameHeader game={game} />
        <div className="grid content-start gap-8 px-4 pt-6 md:px-0 lg:row-start-3 lg:pt-8">
          <About game={game} />
          {!game.isCalledOff && <GamePlayers game={game} />}
          {game.description && <Description text={game.description} />}
          <CancellationPolicy policy={game.policy} />
          <Venue venue={game.venue} />
        </div>
        <JoinBar game={game} refusal={refusal} hasPlans={plans !== null && !("failure" in plans)} />
      </article>
    </>
  );
}
