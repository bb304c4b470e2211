import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CancelGameDialog } from "./cancel-game-dialog.tsx";
import type { AdminGamePage } from "./desk-page.server.ts";

/** What can be done with a game, as it is now. */
export function GameDeeds({ game }: { game: AdminGamePage }) {
  const at = `/admin/games/${game.id}`;
  return (
    <div className="flex flex-wrap gap-3">
      {game.canPublish && (
        <DeedButton intent="publish" label="Publish" pendingLabel="Publishing…" isPrimary />
      )}
      {game.canPublishFollowing && (
        <DeedButton
          intent="publish-following"
          label="Publish this and following games"
          pendingLabel="Publishing…"
        />
      )}
      {game.canEdit && <ButtonLink to={`${at}/edit`}>Edit</ButtonLink>}
      <ButtonLink to={`/admin/games/new?from=${game.id}`}>Duplicate</ButtonLink>
      {game.canUnpublish && (
        <DeedButton intent="unpublish" label="Unpublish" pendingLabel="Unpublishing…" />
      )}
      <ButtonLink to={`/events/${game.id}`} variant="quiet">
        As players see it
      </ButtonLink>
      {game.canCancel && <CancelGameDialog game={game} />}
    </div>
  );
}

interface DeedButtonProps {
  intent: string;
  label: string;
  pendingLabel: string;
  isPrimary?: boolean;
}

function DeedButton({ intent, label, pendingLabel, isPrimary }: DeedButtonProps) {
  const isPending = useNavigation().formData?.get("intent") === intent;
  return (
    <Form method="post">
      <input type="hidden" name="intent" value={intent} />
      <Button
        variant={isPrimary ? "primary" : "secondary"}
        pending={isPending}
        pendingLabel={pendingLabel}
      >
        {label}
      </Button>
    </Form>
  );
}
