import { buttonClass } from "#app/ui/button.tsx";
import { Mail, Phone } from "#app/ui/icon.tsx";
import type { GamePage } from "./game-page.server.ts";
import { Section } from "./game-sections.tsx";

type Organiser = NonNullable<GamePage["organiser"]>;

/** Below the players: there it moves nothing that is read when somebody joins. */
export function FromOrganiser({ organiser: { notes, messages } }: { organiser: Organiser }) {
  if (notes.length === 0 && messages.length === 0) return null;
  return (
    <Section title="From the organiser">
      <div className="grid divide-y divide-line rounded-card bg-surface px-4 shadow-card">
        {notes.map((text) => (
          <p key={text} className="py-4 wrap-anywhere whitespace-pre-line">
            {text}
          </p>
        ))}
        {messages.map(({ id, subject, message, sent }) => (
          <article key={id} className="py-4">
            <h3 className="font-bold wrap-anywhere">{subject}</h3>
            <p className="text-sm text-muted tabular-nums">{sent}</p>
            <p className="mt-1 wrap-anywhere whitespace-pre-line">{message}</p>
          </article>
        ))}
      </div>
    </Section>
  );
}

export function RunningLate({
  contact: { mailto, phone },
}: {
  contact: NonNullable<Organiser["contact"]>;
}) {
  return (
    <section aria-label="Running late?" className="rounded-card bg-info-soft p-4 text-info">
      <p>
        <strong>Running late?</strong> {`${phone ? "Call or write" : "Write"} to the organiser`}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {phone && (
          <a href={phone.tel} className={buttonClass({})}>
            <Phone className="size-5" /> {phone.text}
          </a>
        )}
        <a href={mailto} className={buttonClass({})}>
          <Mail className="size-5" /> Write an email
        </a>
      </div>
    </section>
  );
}
