import { queryOf } from "#app/forms/form-fields.server.ts";
import { randomUUID } from "node:crypto";
import { type FormEvent, useState } from "react";
import { Link, useNavigation } from "react-router";
import {
  findPlannedGame,
  listSeries,
  listVenueChoices,
} from "#app/features/games/admin-games.server.ts";
import { findFreeDate } from "#app/features/games/warnings.server.ts";
import { DECIDES_HOURS } from "#app/features/games/minimum-rules.ts";
import { DEFAULT_FORMAT } from "#app/features/games/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { toVenueChoice } from "#app/routes/admin/choice-field.tsx";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Button } from "#app/ui/button.tsx";
import { ChevronDown } from "#app/ui/icon.tsx";
import type { Route } from "./+types/new";
import { Confirmation } from "./confirmation.tsx";
import { PlanFields } from "./form.tsx";
import { formatDay } from "#app/routes/admin/games/game-view.server.ts";
import { SeriesFields } from "./series-fields.tsx";
import { createAction, type PlanResult } from "./actions.server.ts";
import { nextDate, planValues } from "#app/routes/admin/plan-values.ts";

// Filled in like another game, a week later: the game `from`, otherwise the last one at the venue
// `venue`, otherwise the last one of all.
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const query = queryOf(request);
  const choices = (await listVenueChoices(db)).filter(({ isHidden }) => !isHidden);
  const atVenue = choices.find(({ id }) => id === query.get("venue"));
  const latest = choices
    .filter(({ lastStartsAt }) => lastStartsAt)
    .toSorted((a, b) => b.lastStartsAt!.getTime() - a.lastStartsAt!.getTime())[0];
  const continued = await findContinued(db, query.get("more"));
  const sourceId =
    continued?.lastId ?? query.get("from") ?? (atVenue ?? latest)?.lastGameId ?? undefined;
  const source = await findPlannedGame(db, sourceId);
  const page = {
    venues: choices.map(toVenueChoice),
    playedAt: choices.filter(({ lastGameId }) => lastGameId).map(toVenueChoice),
    formKey: randomUUID(),
    continues: continued?.gameId ?? null,
  };
  if (!source) {
    const date = addDays(helsinkiDate(now()), 1);
    return { ...page, values: { ...BLANK, date, venueId: atVenue?.id ?? "" }, filledFrom: "" };
  }
  const first = nextDate(source.plan, now(), continued !== null || query.has("from"));
  const dates = Array.from({ length: WEEKS_TRIED }, (_, week) => addDays(first, 7 * week));
  const date = (await findFreeDate(db, source.plan, dates)) ?? first;
  return {
    ...page,
    values: { ...planValues({ ...source.plan, date }), ...(continued && { weeks: MORE_WEEKS }) },
    filledFrom: continued
      ? `This series goes on after ${formatDay(source.plan.date)}; “this and following games” includes these.`
      : `Filled in like ${source.venueName}, ${formatDay(source.plan.date)}.`,
  };
}

/** The series of a game, and the game that the next ones are like: its last that was not cancelled. */
async function findContinued(db: Db, gameId: string | null) {
  const game = await findPlannedGame(db, gameId ?? undefined);
  if (!game?.seriesId) return null;
  const series = await listSeries(db, game.seriesId);
  const last = series.findLast(({ status }) => status !== "Cancelled") ?? series.at(-1);
  return { gameId: game.id, lastId: last?.id };
}

const MORE_WEEKS = "4";
const BLANK: Record<string, string> = {
  title: "Pick-up football",
  sport: "Futsal",
  startTime: "19:00",
  endTime: "20:30",
  maxPlayers: "10",
  gameFormat: DEFAULT_FORMAT,
  surroundings: "indoor",
  priceEur: "10",
  decidesHours: String(DECIDES_HOURS),
};
/** If a place is taken for longer, as by a series, the form asks. */
const WEEKS_TRIED = 4;

export const action = createAction;

export const meta = metaOf({ title: "New game" });

export default function NewGame({ loaderData, actionData }: Route.ComponentProps) {
  const { venues, playedAt, filledFrom, continues } = loaderData;
  const values: Record<string, string> = loaderData.values;
  const result: PlanResult | undefined = actionData;
  const [typed, setTypedFields] = useState<Record<string, string>>({
    ...values,
    ...result?.values,
  });
  const [venueId, setVenueId] = useState(values.venueId);
  const [isTyped, setTyped] = useState(false);
  const other = venueId !== values.venueId && playedAt.find(([id]) => id === venueId);
  const onInput = ({ currentTarget, target }: FormEvent<HTMLFormElement>) => {
    setTypedFields(typedIn(currentTarget));
    const { name, value } = target as HTMLInputElement;
    if (name === "venueId") setVenueId(value);
    else setTyped(true);
  };
  return (
    <AdminPage
      back={
        continues
          ? { to: `/admin/games/${continues}`, label: "The game" }
          : { to: "/admin/games", label: "Games" }
      }
      title={continues ? "More weeks" : "New game"}
      className="grid max-w-2xl gap-5"
    >
      {continues ? <p>{filledFrom}</p> : <LikeLastTime {...loaderData} />}
      {/* Filled in like another game, it has other fields. */}
      <PostForm noValidate key={filledFrom} onInput={onInput} className="grid gap-6">
        <FormKey />
        {continues && <input type="hidden" name="continues" value={continues} />}
        <FormErrors result={result} />
        {result?.confirmation && (
          <>
            <input type="hidden" name="asked" value={result.asked} />
            <Confirmation confirmation={result.confirmation} of={result} />
          </>
        )}
        <PlanFields
          {...{ values, result, venues }}
          venueHint={!isTyped && !continues && other && <LikeLastAt venue={other} />}
        />
        <SeriesFields result={result} weeks={values.weeks} typed={typed} />
        <CreateButtons />
      </PostForm>
    </AdminPage>
  );
}

type Venue = Route.ComponentProps["loaderData"]["playedAt"][number];

/** The form is filled in for the venue before: level, players and notes may not fit. */
function LikeLastAt({ venue: [id, name] }: { venue: Venue }) {
  return (
    <Link
      to={`/admin/games/new?venue=${id}`}
      // Only the venue was chosen, so nothing is lost that one would be asked about.
      onClick={({ currentTarget }) => currentTarget.closest("form")?.reset()}
      className="link inline-flex min-h-11 items-center"
    >
      Fill in like last time at {name}
    </Link>
  );
}

type LikeLastTimeProps = Pick<Route.ComponentProps["loaderData"], "playedAt" | "filledFrom">;

function LikeLastTime({ playedAt, filledFrom }: LikeLastTimeProps) {
  if (playedAt.length === 0) return null;
  return (
    <details className="group rounded-card bg-surface px-4 shadow-card">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 py-2">
        <span className="wrap-anywhere">
          <strong>{filledFrom}</strong> <span className="text-muted">Change</span>
        </span>
        <ChevronDown className="size-5 shrink-0 text-muted group-open:rotate-180" />
      </summary>
      <ul className="grid pb-2">
        {playedAt.map(([id, name]) => (
          <li key={id}>
            <Link
              to={`/admin/games/new?venue=${id}`}
              className="flex min-h-11 items-center underline"
            >
              Like last time at {name}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

const typedIn = (form: HTMLFormElement) =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

function CreateButtons() {
  const { formAction, formData } = useNavigation();
  const pending = formAction?.startsWith("/admin/games/new") ? formData?.get("intent") : null;
  return (
    <div className="flex flex-wrap gap-3 *:grow">
      <Button
        name="intent"
        value="publish"
        variant="primary"
        size="lg"
        pending={pending === "publish"}
        pendingLabel="Publishing…"
      >
        Publish
      </Button>
      <Button
        name="intent"
        value="draft"
        size="lg"
        pending={pending === "draft"}
        pendingLabel="Saving…"
      >
        Save as draft
      </Button>
    </div>
  );
}
