import { Form, Link, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import type { FailedMailWords } from "./mail-words.ts";

/** One undelivered email: what it is, whom it was for, why it failed, and what to do. */
export function MailCard({ mail }: { mail: FailedMailWords }) {
  const heading = `mail-${mail.id}`;
  return (
    <article
      aria-labelledby={heading}
      className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:grid-cols-[1fr_auto] md:items-center md:gap-8"
    >
      <div className="min-w-0">
        <h3 id={heading} className="font-semibold">
          {mail.kind}
        </h3>
        <p className="text-sm text-muted">
          {mail.player && (
            <>
              <Link
                to={`/admin/players/${mail.player.userId}`}
                className="font-semibold wrap-anywhere text-ink underline"
              >
                {mail.player.name}
              </Link>
              {", "}
            </>
          )}
          <span className="tabular-nums">{mail.when}</span>
        </p>
        <p className="mt-2 [overflow-wrap:anywhere]">{mail.why}</p>
        {mail.hasLapsed && (
          <p className="mt-1 text-muted">
            The link in it does not last. The player can ask for a new one.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {!mail.hasLapsed && (
          <Decision mail={mail} heading={heading} intent="send-again" label="Send again" />
        )}
        <Decision mail={mail} heading={heading} intent="remove" label="Remove" />
      </div>
    </article>
  );
}

interface DecisionProps {
  mail: FailedMailWords;
  heading: string;
  intent: "send-again" | "remove";
  label: string;
}

function Decision({ mail, heading, intent, label }: DecisionProps) {
  const { formData } = useNavigation();
  const isPending = formData?.get("mailId") === mail.id && formData.get("intent") === intent;
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="mailId" value={mail.id} />
      <Button
        variant={intent === "remove" && !mail.hasLapsed ? "quiet" : "secondary"}
        pending={isPending}
        aria-describedby={heading}
      >
        {label}
      </Button>
    </Form>
  );
}
