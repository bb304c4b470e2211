import { FocusedBox } from "#app/forms/form-errors.tsx";
import { SubmitButton } from "#app/forms/intent-form.tsx";
import type { ConfirmationView } from "./confirmation.server.ts";

type ConfirmationProps = { confirmation: ConfirmationView; of: unknown };

/** A confirmation. Its button saves exactly what is shown, nothing typed later. */
export function Confirmation({ confirmation, of }: ConfirmationProps) {
  return (
    <FocusedBox of={of}>
      <Question confirmation={confirmation} />
    </FocusedBox>
  );
}

/** Asked while it is typed: it takes no focus. */
export function Question({
  confirmation: { warnings, games = [], ...asked },
}: Pick<ConfirmationProps, "confirmation">) {
  return (
    <div role="alert" className="grid gap-4 rounded-card border-2 border-warn bg-warn-soft p-4">
      <div>
        <h3 className="text-base">{asked.title}</h3>
        {asked.rights && <p>{asked.rights}</p>}
      </div>
      {warnings.map(({ text, games: others }) => (
        <div key={text}>
          <p>{text}</p>
          <ul>
            {others.map(({ id, label }) => (
              <li key={id}>
                {/* What was typed stays in this tab. */}
                <a
                  href={`/admin/games/${id}`}
                  target="_blank"
                  className="link inline-flex min-h-11 items-center wrap-anywhere"
                >
                  {label} <span className="sr-only">(new tab)</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {games.length > 0 && <Changes games={games} others={asked.others} />}
      {asked.askedAt && <input type="hidden" name="askedAt" value={asked.askedAt} />}
      <SubmitButton name="confirmed" value={asked.key} variant="primary" size="lg">
        {asked.button}
      </SubmitButton>
    </div>
  );
}

type ChangesProps = Pick<ConfirmationView, "others"> & {
  games: NonNullable<ConfirmationView["games"]>;
};

function Changes({ games, others }: ChangesProps) {
  return (
    <ul className="grid gap-3">
      {games.map((game) => (
        <li key={game.id}>
          <strong>{game.title}</strong>
          <ul>
            {game.changes.map(({ label, from, to }) => (
              <li key={label}>
                {label}: {from} → <strong>{to}</strong>
              </li>
            ))}
          </ul>
        </li>
      ))}
      {others && <li>{others}</li>}
    </ul>
  );
}
