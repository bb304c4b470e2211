import type { ReactNode } from "react";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink, buttonClass } from "#app/ui/button.tsx";
import type { AdminGamePage } from "./game-view.server.ts";

type ActionsProps = {
  game: AdminGamePage;
  keys: Record<string, string>;
  /** Messages of players that the organiser has not read. */
  unread: string | null;
};

/** What is needed each week, on one line of a phone with "Message all"; the rest is in a menu. */
export function GameActions({ game, keys, unread }: ActionsProps) {
  return (
    <>
      {game.canPublish && <StatusButton {...{ keys }} intent="publish" label="Publish" isPrimary />}
      {game.canEdit && (
        <ButtonLink to={`/admin/games/${game.id}/edit`} className="px-2.5!">
          Edit
        </ButtonLink>
      )}
      {game.canChat && (
        <ButtonLink to={`/events/${game.id}/chat#latest`} className="px-2.5!">
          Chat
          {unread && (
            <Badge tone="sky">
              {unread}
              <span className="sr-only"> unread</span>
            </Badge>
          )}
        </ButtonLink>
      )}
      <Menu>
        {game.canPublishFollowing && (
          <StatusButton
            {...{ keys }}
            intent="publish-following"
            label="Publish this and following games"
          />
        )}
        {game.canUnpublish && <StatusButton {...{ keys }} intent="unpublish" label="Unpublish" />}
        {game.canUnpublishFollowing && (
          <StatusButton
            {...{ keys }}
            intent="unpublish-following"
            label="Unpublish this and following games"
          />
        )}
        <ButtonLink to={`/admin/games/new?from=${game.id}`}>Duplicate</ButtonLink>
        <ButtonLink to={`/events/${game.id}`}>View as player</ButtonLink>
        {game.canDelete && (
          <ButtonLink to={`/admin/games/${game.id}/delete`}>Delete game</ButtonLink>
        )}
      </Menu>
    </>
  );
}

/** Needs no script. */
function Menu({ children }: { children: ReactNode }) {
  return (
    <details className="group open:basis-full">
      <summary aria-label="More" className={buttonClass({ className: "px-2.5! list-none" })}>
        <span aria-hidden>•••</span>
      </summary>
      <div className="mt-3 flex flex-wrap gap-3">{children}</div>
    </details>
  );
}

type StatusButtonProps = Pick<ActionsProps, "keys"> & {
  intent: string;
  label: string;
  isPrimary?: boolean;
};

function StatusButton({ keys, intent, label, isPrimary }: StatusButtonProps) {
  return (
    <IntentForm intent={intent} hidden={{ shown: keys[intent] ?? "" }}>
      <SubmitButton
        variant={isPrimary ? "primary" : "secondary"}
        pendingLabel={intent.startsWith("unpublish") ? "Unpublishing…" : "Publishing…"}
      >
        {label}
      </SubmitButton>
    </IntentForm>
  );
}
