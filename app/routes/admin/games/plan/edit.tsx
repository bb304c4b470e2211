import { randomUUID } from "node:crypto";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { data, useFetcher } from "react-router";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { listVenueNames } from "#app/features/venues/venues.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { sendQuietly } from "#app/forms/offline-middleware.ts";
import { editedVersion } from "#app/forms/form-result.ts";
import { FormKey } from "#app/forms/form-key.tsx";
import { toVenueChoice } from "#app/routes/admin/choice-field.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Chip } from "#app/ui/chip.tsx";
import type { Route } from "./+types/edit";
import { PlanFields } from "./form.tsx";
import { formatDay } from "#app/routes/admin/games/game-view.server.ts";
import { Confirmation, Question } from "./confirmation.tsx";
import type { ConfirmationView } from "./confirmation.server.ts";
import { editAction, type PlanResult } from "./actions.server.ts";
import { planValues } from "#app/routes/admin/plan-values.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const [game, venues] = await Promise.all([
    findPlannedGame(db, params.gameId),
    listVenueNames(db),
  ]);
  if (!game) throw data(null, 404);
  const isOpen = game.status === "Draft" || game.status === "Published";
  return {
    id: game.id,
    title: `${game.venueName}, ${formatDay(game.plan.date)}`,
    canEdit: isOpen && game.startsAt > now(),
    isInSeries: game.seriesId !== null,
    version: game.version,
    formKey: randomUUID(),
    values: planValues(game.plan),
    venues: venues
      .filter(({ id, isHidden }) => !isHidden || id === game.plan.venueId)
      .map(toVenueChoice),
  };
}

export const action = editAction;

export const meta = metaOf({ title: "Edit game" });

export const ErrorBoundary = missingBoundary("Game not found", "/admin/games", "Back to Games");

export default function EditGame({ loaderData: game, actionData }: Route.ComponentProps) {
  return (
    <AdminPage
      back={{ to: `/admin/games/${game.id}`, label: "The game" }}
      title="Edit game"
      about={game.title}
      className="grid max-w-2xl gap-5"
    >
      {game.canEdit ? (
        <EditForm game={game} result={actionData} />
      ) : (
        <>
          <FormErrors result={actionData} />
          <p>This game can no longer be changed: it has started or was cancelled.</p>
        </>
      )}
    </AdminPage>
  );
}

type EditedGame = Route.ComponentProps["loaderData"];

function EditForm({ game, result }: { game: EditedGame; result: PlanResult | undefined }) {
  const { question, ...typing } = useQuestion(result);
  const { values } = result ?? {};
  const confirmation = question ? undefined : result?.confirmation;
  const isAsked = (question ?? confirmation) !== undefined;
  return (
    <IntentForm
      intent="save"
      hidden={{ version: editedVersion(result, game.version) }}
      result={result}
      {...typing}
      className="grid gap-6"
    >
      <FormKey />
      {confirmation && <Confirmation confirmation={confirmation} of={result} />}
      <PlanFields values={game.values} result={result} venues={game.venues} />
      {game.isInSeries && <ScopeField scope={values?.scope} />}
      <div className="flex flex-wrap gap-3">
        <SubmitButton variant={isAsked ? "secondary" : "primary"} size="lg" className="grow">
          Save changes
        </SubmitButton>
        <ButtonLink to={`/admin/games/${game.id}`} size="lg" variant="quiet">
          Discard changes
        </ButtonLink>
      </div>
      {/* Below the buttons: nothing moves under a finger. */}
      {question && <Question confirmation={question} />}
    </IntentForm>
  );
}

const PAUSE_MS = 400;

/** What saving would ask, for what is typed now; without an answer, saving asks. */
function useQuestion(result: PlanResult | undefined) {
  const { submit } = useFetcher();
  const [question, setQuestion] = useState<ConfirmationView>();
  const [answered, setAnswered] = useState(result);
  // What saving has asked stands at the top, with the focus.
  if (result !== answered) {
    setAnswered(result);
    setQuestion(undefined);
  }
  const typing = useRef({ timer: 0, count: 0 });
  const stop = () => {
    clearTimeout(typing.current.timer);
    return ++typing.current.count;
  };
  useEffect(() => () => void stop(), []);
  const ask = async (form: HTMLFormElement, count: number) => {
    const typed = new FormData(form);
    typed.set("intent", "preview");
    const answers = await sendQuietly(() =>
      submit(typed, { method: "post", defaultShouldRevalidate: false }),
    );
    const found = (answers as (PlanResult | null)[]).find((each) => each?.form === "preview");
    if (count === typing.current.count) setQuestion(found?.confirmation);
  };
  const onInput = ({ currentTarget: form }: FormEvent<HTMLFormElement>) => {
    const count = stop();
    setQuestion(undefined);
    typing.current.timer = window.setTimeout(() => void ask(form, count), PAUSE_MS);
  };
  return { question, onInput, onSubmit: () => void stop() };
}

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
