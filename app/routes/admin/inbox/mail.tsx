import { Link } from "react-router";
import { listFailedMails } from "#app/features/players/failed-mails.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { findOutage } from "#app/platform/mail-outage.server.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/mail";
import { mailAction } from "./actions.server.ts";
import { type FailedMailView, outageText, toFailedMailView } from "./inbox-view.server.ts";

const MAILS_SHOWN = 100;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const [mails, outage] = await Promise.all([
    listFailedMails(db, { now: now(), limit: MAILS_SHOWN + 1 }),
    findOutage(db),
  ]);
  return {
    mails: mails.slice(0, MAILS_SHOWN).map(toFailedMailView),
    hasMore: mails.length > MAILS_SHOWN,
    outage: outageText(outage),
  };
}

export const action = mailAction;

export const meta = metaOf({ title: "Undelivered emails" });

export default function UndeliveredMails({ loaderData, actionData }: Route.ComponentProps) {
  const { mails, hasMore, outage } = loaderData;
  return (
    <AdminPage
      title="Undelivered emails"
      about="Kept for 30 days."
      back={{ to: "/admin/inbox", label: "Inbox" }}
    >
      <FormErrors result={actionData} />
      {outage && (
        <Notice tone="warn" title="The mail server takes no emails">
          {outage}
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
    </AdminPage>
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
                translate="no"
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
        <p className="mt-2 wrap-anywhere">{why}</p>
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

type MailButtonProps = { mail: FailedMailView; intent: "send-again" | "remove"; label: string };

function MailButton({ mail: { id, hasLapsed }, intent, label }: MailButtonProps) {
  return (
    <IntentForm intent={intent} hidden={{ mailId: id }} preventScrollReset>
      <SubmitButton
        variant={intent === "remove" && !hasLapsed ? "quiet" : "secondary"}
        pendingLabel={label}
        aria-describedby={`mail-${id}`}
      >
        {label}
      </SubmitButton>
    </IntentForm>
  );
}
