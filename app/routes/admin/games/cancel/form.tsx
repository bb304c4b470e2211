import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Part } from "#app/routes/admin/page.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextAreaField } from "#app/ui/field.tsx";
import type { CancelView } from "./view.server.ts";
import { GameRows } from "#app/routes/admin/games/plan/game-rows.tsx";
import { MESSAGE_MAX } from "#app/features/organise/rules.ts";

interface CancelFormProps {
  view: CancelView;
  result: FormResult | undefined;
  back: string;
}

export function CancelForm({ view, result, back }: CancelFormProps) {
  const { count, played, more } = view;
  return (
    <>
      <Part title={count === 1 ? "This game" : "These games"} about={view.effect}>
        {more && <p>{more}</p>}
        <GameRows games={view.games} />
        {played && <p>{played}</p>}
      </Part>
      <IntentForm intent="cancel" hidden={{ games: view.shown }} result={result}>
        <FormKey />
        {view.hasPlayers && <MessageField result={result} />}
        <p>This cannot be undone.</p>
        <div className="flex flex-wrap gap-3">
          <SubmitButton variant="danger" size="lg" pendingLabel="Cancelling…">
            {count === 1 ? "Cancel game for good" : `Cancel ${count} games for good`}
          </SubmitButton>
          <ButtonLink to={back} size="lg" variant="quiet">
            {count === 1 ? "Keep the game" : "Keep the games"}
          </ButtonLink>
        </div>
      </IntentForm>
    </>
  );
}

type MessageFieldProps = Pick<CancelFormProps, "result"> & { id?: string };

export function MessageField({ result, id = "message" }: MessageFieldProps) {
  return (
    <TextAreaField
      {...fieldProps(result, "message")}
      id={id}
      label="Message to the players (optional)"
      hint="Why, and what instead. It is in their email and in the chat."
      rows={3}
      maxLength={MESSAGE_MAX}
    />
  );
}
