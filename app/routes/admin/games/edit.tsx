import { randomUUID } from "node:crypto";
import { data, Form, useNavigation } from "react-router";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";
import { FocusedBox, FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Chip } from "#app/ui/chip.tsx";
import type { Route } from "./+types/edit";
import { PlanFields } from "./form.tsx";
import { formatDay } from "./game-view.server.ts";
import {
  editAction,
  type EditResult,
  type EffectsView,
  planValues,
} from "./plan-actions.server.ts";
import { Missing } from "#app/routes/error-screens.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const [game, venues] = await Promise.all([
    findPlannedGame(db, params.gameId),
    listVenueNames(db),
  ]);
  if (!game) return data(null, 404);
  const isOpen = game.status === "Draft" || game.status === "Published";
  return data({
    id: game.id,
    title: `${game.venueName}, ${formatDay(game.plan.date)}`,
    canEdit: isOpen && game.startsAt > now(),
    isInSeries: game.seriesId !== null,
    version: game.version,
    formKey: randomUUID(),
    values: planValues(game.plan),
    venues: venues
      .filter(({ id, isHidden }) => !isHidden || id === game.plan.venueId)
      .map(({ id, name, city }) => ({ id, name: `${name}, ${city}` })),
  });
}

export const action = editAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Edit game" });

export default function EditGame({ loaderData: game, actionData }: Route.ComponentProps) {
  const back = { to: "/admin/games", label: "Back to Games" };
  if (!game) return <Missing title="Game not found" back={back} />;
  if (!game.canEdit) {
    const page = { to: `/admin/games/${game.id}`, label: "Back to the game" };
    return (
      <Missing title="Edit game" back={page}>
        This game can no longer be changed: it has started or was cancelled.
      </Missing>
    );
  }
  return (
    <section aria-labelledby="edit-game" className="grid max-w-2xl gap-5">
      <div>
        <BackLink to={`/admin/games/${game.id}`}>The game</BackLink>
        <h2 id="edit-game" className="text-lg">
          Edit game
        </h2>
        <p className="text-muted">{game.title}</p>
      </div>
      <EditForm game={game} result={actionData} />
    </section>
  );
}

type EditedGame = NonNullable<Route.ComponentProps["loaderData"]>;

function EditForm({ game, result }: { game: EditedGame; result: EditResult | undefined }) {
  const { values, effects, conflict } = result ?? {};
  const isSaving = useNavigation().formAction === `/admin/games/${game.id}/edit`;
  const version = conflict?.version ?? values?.version ?? game.version;
  return (
    <Form method="post" noValidate className="grid gap-6">
      <input type="hidden" name="intent" value="save" />
      <FormKey />
      <input type="hidden" name="version" value={version} />
      <FormErrors result={result} />
      {effects && (
        <FocusedBox of={result}>
          <Effects effects={effects} isSaving={isSaving} />
        </FocusedBox>
      )}
      <PlanFields values={game.values} result={result} venues={game.venues} />
      {game.isInSeries && <ScopeField scope={values?.scope} />}
      <div className="flex flex-wrap gap-3">
        <Button
          variant={effects ? "secondary" : "primary"}
          size="lg"
          className="grow"
          pending={isSaving}
          pendingLabel="Saving…"
        >
          Save changes
        </Button>
        <ButtonLink to={`/admin/games/${game.id}`} size="lg" variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  );
}

/** Asks before players are affected. Its button saves exactly what is shown, nothing typed later. */
function Effects({ effects, isSaving }: { effects: EffectsView; isSaving: boolean }) {
  return (
    <div role="alert" className="grid gap-4 rounded-card border-2 border-warn bg-warn-soft p-4">
      <div>
        <h3 className="text-base">{effects.title}</h3>
        <p>{effects.rights}</p>
      </div>
      <ul className="grid gap-3">
        {effects.games.map((game) => (
          <li key={game.id}>
            <strong>{game.title}</strong>
            <ul>
              {game.changes.map(({ label, from, to }) => (
                <li key={label}>
                  {label}: {from} → <strong>{to}</strong>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <Button
        name="confirmed"
        value={effects.key}
        variant="primary"
        size="lg"
        pending={isSaving}
        pendingLabel="Saving…"
      >
        {effects.button}
      </Button>
    </div>
  );
}

/** Which games of a series an edit is meant for. */
function ScopeField({ scope = "one" }: { scope: string | undefined }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold">Which games</legend>
      <div className="flex flex-wrap gap-3">
        <Chip type="radio" name="scope" value="one" defaultChecked={scope !== "following"}>
          Only this game
        </Chip>
        <Chip type="radio" name="scope" value="following" defaultChecked={scope === "following"}>
          This and following games
        </Chip>
      </div>
      <p className="text-sm text-muted">
        The following games take only what you change here; their times shift by as much.
      </p>
    </fieldset>
  );
}
