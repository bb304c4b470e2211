import { data } from "react-router";
import { weekdayAndTime } from "#app/platform/clock.ts";
import { listOutbox } from "#app/platform/mail.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/outbox";

/** The demo's unsent emails; 404 outside the demo. */
export async function loader({ context }: Route.LoaderArgs) {
  const { env } = context.get(appContext);
  if (!env.demo || env.smtpUrl) throw data("Not found", { status: 404 });
  const mails = await listOutbox(env.dataDir);
  return mails.map((mail) => ({ ...mail, writtenAt: weekdayAndTime(mail.writtenAt) }));
}

export const meta = metaOf({ title: "Outbox", noindex: true });

export default function Outbox({ loaderData: mails }: Route.ComponentProps) {
  return (
    <main className="mx-auto grid max-w-2xl grid-cols-1 gap-6 px-4 py-8">
      <header>
        <h1 className="text-xl">Outbox</h1>
        <p className="text-muted">
          This demo sends no emails. What it would send is here.{" "}
          <a href="/" className="link">
            Back to the site
          </a>
        </p>
      </header>
      {mails.length === 0 && <EmptyState>No emails yet.</EmptyState>}
      {mails.map((mail) => (
        <article key={mail.id} className="rounded-card bg-surface p-4 shadow-card">
          <p className="flex justify-between gap-4 text-sm text-muted">
            <span className="min-w-0 break-all">To {mail.to}</span>
            <span className="tabular-nums">{mail.writtenAt}</span>
          </p>
          <h2 className="mt-1 text-lg">{mail.subject}</h2>
          <p className="mt-2 text-sm wrap-anywhere whitespace-pre-line">{mail.text}</p>
          {mail.action && (
            <a
              href={mail.action}
              className="link mt-3 inline-flex min-h-11 items-center font-semibold"
            >
              Open the link
            </a>
          )}
        </article>
      ))}
    </main>
  );
}
