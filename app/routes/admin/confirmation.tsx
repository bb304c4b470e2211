import { FocusedBox } from "#app/forms/form-errors.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { SubmitButton } from "#app/forms/intent-form.tsx";

/** A question that a form asks once: its button sends it again with the key of what was asked. */
export interface Confirmation {
  title: string;
  text: string;
  button: string;
  /** Names exactly what is agreed to; anything else is asked about again. */
  key: string;
}

export type ConfirmedResult = FormResult & { confirmation?: Confirmation };

interface ConfirmationBoxProps {
  confirmation: Confirmation | undefined;
  pendingLabel: string;
}

/** Belongs into the form that asks; nothing where it does not ask. */
export function ConfirmationBox({ confirmation, pendingLabel }: ConfirmationBoxProps) {
  if (!confirmation) return null;
  const { title, text, button, key } = confirmation;
  return (
    <FocusedBox of={confirmation}>
      <div role="alert" className="grid gap-4 rounded-card border-2 border-warn bg-warn-soft p-4">
        <div>
          <h4 className="text-base wrap-anywhere">{title}</h4>
          <p className="tabular-nums">{text}</p>
        </div>
        <SubmitButton name="confirmed" value={key} variant="primary" pendingLabel={pendingLabel}>
          {button}
        </SubmitButton>
      </div>
    </FocusedBox>
  );
}
