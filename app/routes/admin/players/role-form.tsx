import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Confirm, Panel, Problem } from "./panel.tsx";
import type { PlayerAnswer } from "./player-deeds.server.ts";
import type { RecordWords } from "./player-words.ts";

interface RoleFormProps {
  player: RecordWords;
  isSelf: boolean;
  answer: PlayerAnswer | undefined;
}

/** Gives the run of this desk, or takes it away. */
export function RoleForm({ player, isSelf, answer }: RoleFormProps) {
  const { isAdmin, firstName, suspension } = player;
  const intent = isAdmin ? "unmake-admin" : "make-admin";
  const isPending = useNavigation().formData?.get("intent") === intent;
  if (suspension && !isAdmin) return null;
  return (
    <Panel title="Admin role">
      <Form key={intent} method="post" noValidate className="grid gap-4">
        <input type="hidden" name="intent" value={intent} />
        <Problem answer={answer} />
        <Confirm form="role" answer={answer}>
          {isAdmin
            ? `${isSelf ? "You leave" : `${firstName} leaves`} this desk at once`
            : `${firstName} may do everything here, money included`}
        </Confirm>
        <Button
          variant={isAdmin ? "danger" : "secondary"}
          pending={isPending}
          pendingLabel="Saving…"
        >
          {isAdmin ? "Take the admin role away" : "Make an admin"}
        </Button>
      </Form>
    </Panel>
  );
}
