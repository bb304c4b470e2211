import { randomUUID } from "node:crypto";
import { data, Form, redirect, useNavigation } from "react-router";
import { editGame } from "#app/features/bookings/edit-game.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { FormKey } from "#app/forms/form-key.tsx";
import { viewerContext } from "#app/routes/guards.server.ts";
import { logFailure } from "#app/forms/log-failure.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { FocusedBox } from "#app/forms/form-errors.tsx";
import { ShownConflict } from "#app/routes/admin/shown-conflict.tsx";
import type { Route } from "./+types/edit";
import { EditEffects } from "./edit-effects.tsx";
import { answerEdit, editedMessage, type EditRefusal } from "./edit-answer.server.ts";
import { dayWords } from "./desk-words.ts";
import { confirmationOf, formValues, planValues, readPlan } from "./plan-form.server.ts";
import { PlanFields } from "./plan-fields.tsx";
import { ScopeField } from "./scope-field.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const [game, choices] = await Promise.all([
    findPlannedGame(db, params.gameId),
    listVenueNames(db),
  ]);
  if (!game) return data(null, 404);
  const isOpen = game.status === "Draft" || game.status === "Published";
  return data({
    id: game.id,
    title: `${game.venueName}, ${dayWords(game.plan.date)}`,
    canEdit: isOpen && game.startsAt > now(),
    isInSeries: game.seriesId !== null,
    version: game.version,
    formKey: randomUUID(),
    values: formValues(game.plan),
    venues: choices
      .filter(({ id, isHidden }) => !isHidden || id === game.plan.venueId)
      .map(({ id, name, city }) => ({ id, name: `${name}, ${city}` })),
  });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { db, jobs, env, now } = context.get(appContext);
  const { userId: actorId } = context.get(viewerContext);
  const fields = await formFields(request);
  const values = planValues(fields);
  const read = readPlan(fields);
  if (!read.ok) return data<EditRefusal>({ values, errors: read.errors }, 422);
  const withFollowing = fields.scope === "following";
  const version = Number(fields.version) || 0;
  const key = confirmationOf(read.plan, version, withFollowing);
  const answer = await editGame(db, jobs, {
    ...{ gameId: params.gameId, actorId, version, plan: read.plan, withFollowing },
    isConfirmed: fields.confirmed === key,
    formKey: formKeyOf(fields.formKey),
    now: now(),
  }).catch(logFailure("changing a game"));
  if (!answer) return data<EditRefusal>({ values, errors: { "": NOTHING_SAVED } }, 500);
  if (!answer.ok) return answerEdit(db, answer, { values, plan: read.plan, key });
  const cookie = await toastCookie(env, editedMessage(answer));
  return redirect(`/admin/games/${params.gameId}`, { headers: { "Set-Cookie": cookie } });
}

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
      <EditForm game={game} answer={actionData} />
    </section>
  );
}

interface EditFormProps {
  game: NonNullable<Route.ComponentProps["loaderData"]>;
  answer: Route.ComponentProps["actionData"];
}

function EditForm({ game, answer }: EditFormProps) {
  const { values = game.values, errors = {} } = answer ?? {};
  const isSaving = useNavigation().formAction === `/admin/games/${game.id}/edit`;
  return (
    <Form method="post" noValidate className="grid gap-6">
      <input type="hidden" name="intent" value="save" />
      <FormKey />
      <input
        type="hidden"
        name="version"
        value={answer?.version ?? values.version ?? game.version}
      />
      <ErrorSummary
        of={answer}
        errors={Object.entries(errors).map(([field, message]) => ({ field, message }))}
      />
      {answer?.differences && <ShownConflict differences={answer.differences} />}
      {answer?.effects && (
        <FocusedBox of={answer}>
          <EditEffects effects={answer.effects} isSaving={isSaving} />
        </FocusedBox>
      )}
      <PlanFields values={values} errors={errors} venues={game.venues} />
      {game.isInSeries && <ScopeField scope={values.scope} />}
      <div className="flex flex-wrap gap-3">
        <Button
          variant={answer?.effects ? "secondary" : "primary"}
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
