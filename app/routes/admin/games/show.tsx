import { randomUUID } from "node:crypto";
import { useEffect } from "react";
import { data } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";
import { appContext } from "#app/routes/context.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { rethrow } from "#app/forms/unknown-outcome.server.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import type { Route } from "./+types/show";
import { STATUS_TONES } from "./desk-words.ts";
import { GameDeeds } from "./game-deeds.tsx";
import { doToGame } from "./game-deeds.server.ts";
import { GameFacts } from "./game-facts.tsx";
import { loadAdminGamePage } from "./desk-page.server.ts";
import { SeriesGames } from "./series-games.tsx";
import { GameSheet } from "./sheet.tsx";
import { loadRoster } from "./sheet.server.ts";
import { doOnSheet, isOfSheet } from "./sheet-deeds.server.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { gameId } = params;
  const [game, sheet] = await Promise.all([
    loadAdminGamePage(app, gameId),
    loadRoster(app, gameId),
  ]);
  return game && sheet ? data({ game, sheet, formKey: randomUUID() }) : data(null, 404);
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { userId: actorId } = context.get(viewerContext);
  const fields = await formFields(request);
  const { intent = "" } = fields;
  const { gameId } = params;
  const answer = isOfSheet(intent)
    ? doOnSheet(app, { fields, gameId, actorId })
    : doToGame(app, { fields, gameId, actorId });
  return answer.catch(rethrow);
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Game" });

export default function AdminGame(props: Route.ComponentProps) {
  const { loaderData, actionData: answer } = props;
  const refusal = answer && "title" in answer ? answer : undefined;
  useEffect(() => {
    if (!refusal) return;
    document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
    toast({ ...refusal, tone: "danger" });
  }, [refusal]);
  if (!loaderData) {
    return <Missing title="Game not found" back={{ to: "/admin/games", label: "Back to Games" }} />;
  }
  const { game, sheet } = loaderData;
  const players = (
    <GameSheet sheet={sheet} refusal={answer && "intent" in answer ? answer : undefined} />
  );
  return (
    <article aria-labelledby="game" className="grid gap-6">
      <header className="grid gap-1">
        <BackLink to="/admin/games">Games</BackLink>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="game" className="text-lg">
            {game.title}
          </h2>
          <Badge tone={STATUS_TONES[game.status]}>{game.status}</Badge>
        </div>
        <p className="font-semibold tabular-nums">
          {game.day}, {game.time}
        </p>
        <p className="text-muted">{game.place}</p>
      </header>
      {refusal && (
        <Notice tone="danger" title={refusal.title}>
          {refusal.description}
        </Notice>
      )}
      {game.refunds && <Notice title="This game was cancelled.">{game.refunds}</Notice>}
      {/* At the pitch the players come first. */}
      {sheet.canMark && players}
      <GameDeeds game={game} />
      <GameFacts game={game} />
      {!sheet.canMark && players}
      <SeriesGames games={game.series} current={game.id} />
    </article>
  );
}
