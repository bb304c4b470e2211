import { Button } from "#app/ui/button.tsx";
import type { EffectWords } from "./edit-answer.server.ts";

interface EditEffectsProps {
  effects: EffectWords;
  isSaving: boolean;
}

/**
 * Inside the form that was saved: whom it affects, what changes for them and what they may do. Its
 * button saves exactly what was asked about; after another change in the form it asks again.
 */
export function EditEffects({ effects, isSaving }: EditEffectsProps) {
  return (
    <div role="alert" className="grid gap-4 rounded-card border-2 border-warn bg-warn-soft p-4">
      <div>
        <h3 className="text-base">{effects.title}</h3>
        <p>{effects.rights}</p>
      </div>
      <ul className="grid gap-3">
        {effects.games.map((game) => (
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
      </ul>
      <Button
        name="confirmed"
        value={effects.key}
        variant="primary"
        size="lg"
        pending={isSaving}
        pendingLabel="Saving…"
      >
        {effects.button}
      </Button>
    </div>
  );
}
