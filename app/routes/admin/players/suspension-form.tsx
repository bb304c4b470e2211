import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { SUSPENSION_MAX } from "./limits.ts";
import { Confirm, fieldId, Panel, Problem } from "./panel.tsx";
import type { PlayerAnswer } from "./player-deeds.server.ts";
import type { RecordWords } from "./player-words.ts";

interface SuspensionFormProps {
  player: RecordWords;
  isSelf: boolean;
  answer: PlayerAnswer | undefined;
}

/** Shuts an account and opens it again. */
export function SuspensionForm({ player, isSelf, answer }: SuspensionFormProps) {
  const intent = useNavigation().formData?.get("intent");
  if (isSelf) return null;
  if (player.suspension) {
    return (
      <Panel title="Suspension">
        <Problem answer={answer} />
        <p>
          {player.firstName} cannot sign in, join or cancel. Upcoming bookings stay until you take{" "}
          {player.firstName} off the sheets; a subscription goes on until it is cancelled at Stripe.
        </p>
        <Form method="post">
          <input type="hidden" name="intent" value="unsuspend" />
          <Button wide pending={intent === "unsuspend"} pendingLabel="Lifting…">
            Lift the suspension
          </Button>
        </Form>
      </Panel>
    );
  }
  return (
    <Panel title="Suspend">
      <Form method="post" noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="suspend" />
        <Problem answer={answer} />
        <p>
          Upcoming bookings stay until you take {player.firstName} off the sheets; a subscription
          goes on until it is cancelled at Stripe.
        </p>
        <TextField
          id={fieldId("suspension", "reason")}
          label="Reason *"
          name="reason"
          hint="Only organisers read it."
          maxLength={SUSPENSION_MAX}
          autoComplete="off"
          required
          defaultValue={answer?.values?.reason}
          error={answer?.errors?.reason}
        />
        <Confirm form="suspension" answer={answer}>
          Sign {player.firstName} out everywhere, and let nobody in until this is lifted
        </Confirm>
        <Button variant="danger" pending={intent === "suspend"} pendingLabel="Suspending…">
          Suspend
        </Button>
      </Form>
    </Panel>
  );
}
