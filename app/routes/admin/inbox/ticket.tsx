import { randomUUID } from "node:crypto";
import { data, redirect } from "react-router";
import { findTicket } from "#app/features/support/inbox.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import type { Route } from "./+types/ticket";
import { AnswerList } from "./answer-list.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { doLetterDeed } from "./letter-deeds.server.ts";
import { LetterText } from "./letter-text.tsx";
import { MarkForm } from "./mark-form.tsx";
import { PayBackForm } from "./pay-back-form.tsx";
import { RefuseForm } from "./refuse-form.tsx";
import { type LetterWords, showLetter } from "./letter-words.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const letter = await findTicket(db, params.ticketId);
  if (!letter) return data({ letter: null, answerId: "" }, { status: 404 });
  // Of the form on this page: sent twice it is one answer.
  return data({ letter: showLetter(letter), answerId: randomUUID() }, { status: 200 });
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const { ticketId } = params;
  const outcome = await doLetterDeed(app, { ticketId, actor, fields: await formFields(request) });
  if (!outcome.ok) return data(outcome.refusal, { status: outcome.status });
  const cookie = await toastCookie(app.env, { title: outcome.title });
  return redirect(`/admin/inbox/${ticketId}`, { headers: { "Set-Cookie": cookie } });
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(siteOf(matches), { title: loaderData?.letter?.title || "Letter" });

export default function LetterPage({ loaderData, actionData: refusal }: Route.ComponentProps) {
  const { letter, answerId } = loaderData;
  if (!letter) {
    return (
      <Missing title="Letter not found" back={{ to: "/admin/inbox", label: "To the inbox" }} />
    );
  }
  const { withdrawal } = letter;
  const isRefusing = refusal?.values?.intent === "refuse";
  return (
    <div className="grid gap-6 md:max-w-2xl">
      <BackLink to="/admin/inbox">Inbox</BackLink>
      <LetterText letter={letter} />
      {withdrawal && <PayBackForm payBack={withdrawal} isDone={letter.isDone} refusal={refusal} />}
      {withdrawal?.canRefuse && <RefuseForm refusal={isRefusing ? refusal : undefined} />}
      <AnswerList answers={letter.answers} />
      <AnswerForm
        key={answerId}
        letter={letter}
        answerId={answerId}
        refusal={isRefusing && withdrawal?.canRefuse ? undefined : refusal}
      />
      {canBeMarked(letter) && <MarkForm isDone={letter.isDone} />}
    </div>
  );
}

/** A withdrawal is done by paying it back, and stays done where it ended otherwise. */
function canBeMarked({ withdrawal, isDone }: LetterWords): boolean {
  return !withdrawal || (isDone && !withdrawal.ended);
}
