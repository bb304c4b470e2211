import { LinkedText } from "#app/routes/chat/linked-text.tsx";
import type { GamePage } from "./game-page.server.ts";
import { Section } from "./game-sections.tsx";

type Organiser = NonNullable<GamePage["organiser"]>;

/** Below the players: there it moves nothing that is read while joining. */
export function FromOrganiser({ organiser: { notes, messages } }: { organiser: Organiser }) {
  if (notes.length === 0 && messages.length === 0) return null;
  return (
    <Section title="From the organiser">
      <div className="grid divide-y divide-line rounded-card bg-surface px-4 shadow-card">
        {notes.map((parts, n) => (
          <LinkedText key={n} parts={parts} className="py-4" />
        ))}
        {messages.map(({ id, subject, parts, sent }) => (
          <article key={id} className="py-4">
            <h3 className="font-bold wrap-anywhere">{subject}</h3>
            <p className="text-sm text-muted tabular-nums">{sent}</p>
            <LinkedText parts={parts} className="mt-1" />
          </article>
        ))}
      </div>
    </Section>
  );
}
