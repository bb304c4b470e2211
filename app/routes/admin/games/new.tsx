import { randomUUID } from "node:crypto";
import { data, Form, redirect, useNavigation } from "react-router";
import type { FieldErrors } from "#app/features/accounts/input.ts";
import { createGames } from "#app/features/games/create-games.server.ts";
import { MOST_WEEKS } from "#app/features/games/time-slots.ts";
import { isId } from "#app/platform/ids.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { logFailure } from "#app/forms/log-failure.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import type { Route } from "./+types/new";
import { LikeLastTime } from "./like-last-time.tsx";
import { loadNewGame } from "./new-game.server.ts";
import { createErrors, type FormValues, planValues, readPlan } from "./plan-form.server.ts";
import { PlanFields } from "./plan-fields.tsx";

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  return { ...(await loadNewGame(context.get(appContext), query)), formId: randomUUID() };
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const { db, env, now } = context.get(appContext);
  const { userId: actorId } = context.get(viewerContext);
  const fields = await formFields(request);
  const { intent, formId } = fields;
  const values = planValues(fields);
  const refuse = (errors: FieldErrors, code = 422) => data({ values, errors }, code);
  if (intent !== "publish" && intent !== "draft") return refuse({}, 400);
  const status = intent === "publish" ? "Published" : "Draft";
  const read = readPlan(fields);
  if (!read.ok) return refuse(read.errors);
  const form = isId(formId) ? { formId } : {};
  const answer = await createGames(db, { ...read, ...form, status, actorId, now: now() }).catch(
    logFailure("creating games"),
  );
  if (!answer) return refuse({ "": NOTHING_SAVED }, 500);
  if (!answer.ok) return refuse(createErrors(answer), answer.reason === "form-used" ? 409 : 422);
  const count = answer.gameIds.length;
  const cookie = await toastCookie(env, {
    title: count > 1 ? `${count} games created` : "Game created",
    description: status === "Published" ? "Players can join now." : "Only organisers see a draft.",
  });
  return redirect(`/admin/games/${answer.gameIds[0]}`, { headers: { "Set-Cookie": cookie } });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "New game" });

export default function NewGame({ loaderData, actionData }: Route.ComponentProps) {
  const { venues, filledFrom, formId } = loaderData;
  const { values, errors = {} }: Filled = actionData ?? loaderData;
  return (
    <section aria-labelledby="new-game" className="grid max-w-2xl gap-5">
      <div>
        <BackLink to="/admin/games">Games</BackLink>
        <h2 id="new-game" className="text-lg">
          New game
        </h2>
      </div>
      <LikeLastTime venues={venues} filledFrom={filledFrom} />
      {/* Filled anew from another game, the fields are other ones. */}
      <Form method="post" noValidate key={filledFrom} className="grid gap-6">
        <input type="hidden" name="formId" value={formId} />
        <ErrorSummary
          of={actionData}
          errors={Object.entries(errors).map(([field, message]) => ({ field, message }))}
        />
        <PlanFields values={values} errors={errors} venues={venues} />
        <RepeatField weeks={values.weeks ?? "1"} error={errors.weeks} />
        <CreateButtons />
      </Form>
    </section>
  );
}

interface Filled {
  values: FormValues;
  errors?: FieldErrors;
}

function RepeatField({ weeks, error }: { weeks: string; error: string | undefined }) {
  const choices = Array.from({ length: MOST_WEEKS - 1 }, (_, index) => index + 2);
  return (
    <SelectField
      id="weeks"
      label="Repeat weekly"
      hint="Same weekday, same time, a game of its own each week"
      name="weeks"
      defaultValue={weeks}
      error={error}
    >
      <option value="1">Just once</option>
      {choices.map((count) => (
        <option key={count} value={count}>
          {count} weeks
        </option>
      ))}
    </SelectField>
  );
}

function CreateButtons() {
  const { formAction, formData } = useNavigation();
  const pending = formAction?.startsWith("/admin/games/new") ? formData?.get("intent") : null;
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        name="intent"
        value="publish"
        variant="primary"
        size="lg"
        className="grow"
        pending={pending === "publish"}
        pendingLabel="Publishing…"
      >
        Publish
      </Button>
      <Button
        name="intent"
        value="draft"
        size="lg"
        className="grow"
        pending={pending === "draft"}
        pendingLabel="Saving…"
      >
        Save as draft
      </Button>
    </div>
  );
}
