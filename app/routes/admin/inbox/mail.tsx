import { Form, Link, useNavigation } from "react-router";
import { listFailedMails } from "#app/features/players/failed-mails.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { findOutage } from "#app/platform/mail-outage.server.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/mail";
import { mailAction } from "./actions.server.ts";
import { type FailedMailView, outageText, toFailedMailView } from "./inbox-view.ts";

const SHOWN = 100;

/** Emails that were given up: the mail server rejected them, or accepted nothing for a day. */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const [mails, outage] = await Promise.all([
    listFailedMails(db, { now: now(), limit: SHOWN + 1 }),
    findOutage(db),
  ]);
  return {
    mails: mails.slice(0, SHOWN).map(toFailedMailView),
    hasMore: mails.length > SHOWN,
    outage: outageText(outage),
  };
}

export const action = mailAction;

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
      <FormErrors result={actionData} />
      {outage && (
        <Notice tone="warn" title="The mail server takes no emails">
          <p>{outage}</p>
        </Notice>
      )}
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

function MailCard({ mail }: { mail: FailedMailView }) {
  const { id, kind, player, when, why, hasLapsed } = mail;
  return (
    <article
      aria-labelledby={`mail-${id}`}
      className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:grid-cols-[1fr_auto] md:items-center md:gap-8"
    >
      <div className="min-w-0">
        <h3 id={`mail-${id}`} className="font-semibold">
          {kind}
        </h3>
        <p className="text-sm text-muted">
          {player && (
            <>
              <Link
                to={`/admin/players/${player.userId}`}
                className="font-semibold wrap-anywhere text-ink underline"
              >
                {player.name}
              </Link>
              {", "}
            </>
          )}
          <span className="tabular-nums">{when}</span>
        </p>
        <p className="mt-2 [overflow-wrap:anywhere]">{why}</p>
        {hasLapsed && (
          <p className="mt-1 text-muted">
            The link in it has expired. The player can ask for a new one.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {!hasLapsed && <MailButton mail={mail} intent="send-again" label="Send again" />}
        <MailButton mail={mail} intent="remove" label="Remove" />
      </div>
    </article>
  );
}

interface MailButtonProps {
  mail: FailedMailView;
  intent: "send-again" | "remove";
  label: string;
}

function MailButton({ mail: { id, hasLapsed }, intent, label }: MailButtonProps) {
  const { formData } = useNavigation();
  const isPending = formData?.get("mailId") === id && formData.get("intent") === intent;
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="mailId" value={id} />
      <Button
        variant={intent === "remove" && !hasLapsed ? "quiet" : "secondary"}
        pending={isPending}
        aria-describedby={`mail-${id}`}
      >
        {label}
      </Button>
    </Form>
  );
}
