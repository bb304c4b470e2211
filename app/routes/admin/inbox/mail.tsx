import { data, redirect } from "react-router";
import {
  listFailedMails,
  removeFailedMail,
  sendFailedMail,
} from "#app/features/players/failed-mails.server.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { isId } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { findOutage } from "#app/platform/mail-outage.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { type App, appContext } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { throwUnknownOnce } from "#app/forms/unknown-outcome.server.ts";
import { FormProblem } from "#app/routes/settings/form-problem.tsx";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import type { Route } from "./+types/mail";
import { MailCard } from "./mail-card.tsx";
import { MailOutage } from "./mail-notes.tsx";
import { showFailedMail } from "./mail-words.ts";

const PATH = "/admin/inbox/mail";
const SHOWN = 100;

/** Emails that were given up: what the mail server does not want, or did not take for a day. */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const [mails, outage] = await Promise.all([
    listFailedMails(db, { now: now(), limit: SHOWN + 1 }),
    findOutage(db),
  ]);
  return {
    mails: mails.slice(0, SHOWN).map(showFailedMail),
    hasMore: mails.length > SHOWN,
    outage: outage && { since: formatMoment(outage.since), waiting: outage.waiting },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const { intent, mailId } = await formFields(request);
  if (!isId(mailId) || (intent !== "send-again" && intent !== "remove")) {
    return data({ failure: "This form is not known here. Please try again." }, { status: 400 });
  }
  try {
    const result = await decide(app, { intent, id: mailId, actor });
    if (!result.ok) return data({ failure: PROBLEMS[result.reason] }, { status: 409 });
  } catch (error) {
    throwUnknownOnce(error);
    log.error({ err: error }, "an email that was given up");
    return data({ failure: "Failed to save. Please try again." }, { status: 500 });
  }
  const title = intent === "remove" ? "Removed from the list" : "The email is sent again";
  return redirect(PATH, { headers: { "Set-Cookie": await toastCookie(app.env, { title }) } });
}

interface Wish {
  intent: "send-again" | "remove";
  id: string;
  actor: string;
}

function decide({ db, jobs, now }: App, { intent, ...decision }: Wish) {
  if (intent === "remove") return removeFailedMail(db, { ...decision, now: now() });
  return sendFailedMail(db, jobs, { ...decision, now: now() });
}

const PROBLEMS = {
  gone: "This email is not on the list any more: it was sent again or removed.",
  lapsed: "The link in this email does not work any more. The player can ask for a new one.",
};

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Undelivered emails" });

export default function UndeliveredMails({ loaderData, actionData }: Route.ComponentProps) {
  const { mails, hasMore, outage } = loaderData;
  return (
    <section aria-labelledby="undelivered" className="grid gap-4">
      <BackLink to="/admin/inbox">Inbox</BackLink>
      <div>
        <h2 id="undelivered" className="text-lg">
          Undelivered emails
        </h2>
        <p className="text-muted">Kept for 30 days.</p>
      </div>
      <FormProblem answer={actionData} />
      {outage && <MailOutage {...outage} />}
      {mails.length === 0 && <EmptyState>Nothing here. Every email was delivered.</EmptyState>}
      <ul className="grid gap-4">
        {mails.map((mail) => (
          <li key={mail.id}>
            <MailCard mail={mail} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <p className="text-center text-muted">
          These are the newest {mails.length}. There are more, which follow as these go.
        </p>
      )}
    </section>
  );
}
